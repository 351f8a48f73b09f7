import type { AccountInFile } from '../../engines/imports/analysis.ts';
import { normalisedText } from '../../engines/imports/cell-text.ts';
import type { AppError } from '../../kernel/errors.ts';
import { validationError } from '../../kernel/errors.ts';
import { freeName, nameOfValue } from './account-names.ts';
import { shownValues } from './account-number.ts';
import { isKnownFormat, selectAlike } from './account-candidates.ts';
import { FOUND } from './found-account.ts';
import { memberOf } from './household-member.ts';
import {
  boundAccount,
  findNamedAccount,
  homeOf,
  named,
  newAccount,
  toTarget,
  withoutOtherNumber,
  type Resolving,
  type Target,
  type TargetAccount,
} from './target-account.ts';
import { boundElsewhere, boundOutside, listingOf, ofAnotherMember } from './target-errors.ts';
import { selectAccountsOfConnection, type AccountRow } from './targets.queries.ts';

/** One account of the file with what is known of it before its place is chosen. */
interface Value {
  inFile: AccountInFile;
  shown: string | null;
  hash: string | null;
  bound: AccountRow | undefined;
}

/** The accounts that a file with several goes to (36.4). @throws VALIDATION_ERROR when the request leaves it open */
export async function resolveSeveral(input: Resolving, inFiles: readonly AccountInFile[]): Promise<Target> {
  const { tx, fields, given } = input;
  const shown = shownValues(inFiles);
  const values: Value[] = [];
  for (const inFile of inFiles) {
    const { file_value: value } = inFile;
    values.push({ inFile, shown: shown.get(value) ?? null, ...(await boundAccount(input, inFile)) });
  }
  const left = chosenValues(input, values);
  const known = await knownConnection(input, left);
  const around = known === null ? [] : await selectAccountsOfConnection(tx, known);
  const { membership } = given;
  const owner = left.find(({ bound }) => bound !== undefined)?.bound?.owner_id ?? around[0]?.owner_id ?? null;
  const user = memberOf(membership, owner);
  const isKnown = await isKnownFormat(input);
  const accounts = new Map<string | null, TargetAccount | null>();
  const made: TargetAccount[] = [];
  let conflict: AppError | null = null;
  for (const one of values) {
    const { inFile, bound, hash } = one;
    if (!left.includes(one)) {
      accounts.set(inFile.file_value, null);
      continue;
    }
    const [key, choice] = choiceOf(fields.accounts, one) ?? [];
    const accountName = bound ? undefined : fields.account_name;
    const chosen =
      (key === undefined ? undefined : given.chosen.get(key)) ??
      given.account ??
      (accountName === undefined ? null : await findNamedAccount(tx, given, accountName));
    const wantedName = typeof choice === 'object' && choice !== null ? choice.name : accountName;
    const name = wantedName ?? nameOfValue(input.analysis, input.fileName, inFile);
    if (chosen && bound && chosen.id !== bound.id) conflict ??= boundElsewhere(bound, chosen);
    const suggested = !chosen && wantedName === undefined && bound !== undefined;
    if (suggested && given.connection && bound.connection_id !== given.connection.id)
      conflict ??= boundOutside(bound, given.connection);
    if (suggested && membership.stated && bound.owner_id !== null && bound.owner_id !== membership.stated.id)
      conflict ??= ofAnotherMember(bound, membership.stated, true);
    const alike = wantedName === undefined ? await withoutOtherNumber(tx, around, hash) : around;
    const taken = new Set(made.flatMap(({ account }) => account?.id ?? []));
    const account =
      chosen ??
      (suggested ? bound : undefined) ??
      named(wantedName === undefined ? alike.filter(({ id }) => !taken.has(id)) : alike, name);
    const shared = made.find((other) =>
      account ? other.account?.id === account.id : wantedName !== undefined && other.created?.name === wantedName,
    );
    if (shared) {
      accounts.set(inFile.file_value, Object.assign(shared, together(shared, inFile, hash)));
      continue;
    }
    const names = [...around, ...made.flatMap((other) => other.account ?? other.created ?? [])].map(
      (other) => other.name,
    );
    const target: TargetAccount = {
      shownValue: one.shown,
      account,
      created: account ? null : newAccount(input, inFile, wantedName ?? freeName(names, name)),
      home: account ? await homeOf(tx, account, user) : null,
      numberHashes: hash === null ? [] : [hash],
      found: { ...(suggested ? FOUND.number : FOUND.named), isKnownFormat: account === null && isKnown },
      inFile,
    };
    made.push(target);
    accounts.set(inFile.file_value, target);
  }
  return toTarget(input, user, accounts, conflict, known);
}

/** Two accounts of the file whose rows go to one. */
function together(
  { inFile, numberHashes }: TargetAccount,
  other: AccountInFile,
  hash: string | null,
): Pick<TargetAccount, 'inFile' | 'numberHashes'> {
  return {
    inFile: { ...inFile, row_count: inFile.row_count + other.row_count },
    numberHashes: hash === null ? numberHashes : [...numberHashes, hash],
  };
}

/** Those whose rows are wanted. @throws VALIDATION_ERROR for values that the file lacks, and for a choice left open */
function chosenValues({ fields, given }: Resolving, values: readonly Value[]): readonly Value[] {
  const filter = fields.account_filter;
  const unknown = [...Object.keys(fields.accounts), ...(filter ?? [])].find(
    (name) => !values.some((one) => isMeant(one, name)),
  );
  if (unknown !== undefined) {
    throw validationError(filter?.includes(unknown) === true ? 'account_filter' : 'accounts', listingOf(values));
  }
  const left = values.filter(
    (one) =>
      (filter === undefined || filter.some((name) => isMeant(one, name))) &&
      choiceOf(fields.accounts, one)?.[1] !== null,
  );
  const isOneNamed = given.account !== null || fields.account_name !== undefined;
  if (isOneNamed && left.length !== 1) throw validationError('account_filter', listingOf(values));
  return left;
}

function isMeant({ inFile, shown }: Value, name: string): boolean {
  return name === inFile.file_value || name === shown;
}

function choiceOf<T>(choices: Readonly<Record<string, T>>, value: Value): [string, T] | undefined {
  return Object.entries(choices).find(([key]) => isMeant(value, key));
}

/**
 * The connection that new accounts go to: the one given, else that of an account which the file is bound to, else the
 * one with accounts of these names to which the same file went, or the last files with this header.
 */
async function knownConnection(input: Resolving, values: readonly Value[]): Promise<string | null> {
  const { tx, given, analysis, fileName, fields } = input;
  if (given.connection) return given.connection.id;
  if (given.account) return given.account.connection_id;
  if (fields.account_name !== undefined) return null;
  const { stated, implied } = given.membership;
  const isOpen = (account: AccountRow): boolean =>
    account.connection_provider === 'csv' && account.connection_status !== 'disconnected';
  const isOf = (account: AccountRow): boolean => stated === null || account.owner_id === stated.id;
  const bound = values.find((one) => one.bound && isOpen(one.bound) && isOf(one.bound))?.bound;
  if (bound) return bound.connection_id;
  const names = new Set(values.map(({ inFile }) => normalisedText(nameOfValue(analysis, fileName, inFile))));
  const alike = (await selectAlike(tx, analysis, input)).filter(
    ({ account }) => isOpen(account) && isOf(account) && names.has(normalisedText(account.name)),
  );
  const isNumbered = values.some(({ hash }) => hash !== null);
  const accounts = alike.map(({ account }) => account);
  const candidates = isNumbered ? await withoutOtherNumber(tx, accounts, '') : accounts;
  const left = alike.filter(({ account }) => candidates.includes(account));
  const best =
    left.find(({ isSameFile }) => isSameFile) ??
    left.find(({ account }) => implied !== null && account.owner_id === implied.id) ??
    left[0];
  return best?.account.connection_id ?? null;
}
