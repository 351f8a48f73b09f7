import type { UsersTable } from '../../../db/schema.ts';
import type { AccountInFile } from '../../../engines/imports/analysis.ts';
import { validationError } from '../../../kernel/errors.ts';
import { compareWithFile, isKnownFormat, selectPastTargets, type ComparedAccount } from './account-candidates.ts';
import { contradictionOf } from './contradicted-account.ts';
import { freeName, nameOfValue, shownValues } from './account-naming.ts';
import { settleNumber, type NumberSettled } from './account-numbers.ts';
import type { StatedNumber } from './number-marks.ts';
import { chooseCompared, FOUND, type Found } from './choose-account.ts';
import { memberOf } from './given-target.ts';
import { rememberedPlaces, valueKey, type RememberedPlaces } from './remembered-places.ts';
import {
  findNamedAccount,
  newHomeOf,
  findWithName,
  newAccount,
  toTarget,
  withoutOtherNumber,
  type TargetInput,
  type Target,
  type TargetAccount,
} from './target-account.ts';
import { boundElsewhere, boundOutside, listingOf, ofAnotherMember, whichAccounts } from './target-errors.ts';
import { selectAccountsOfConnection, type AccountRow } from './targets.queries.ts';

/** The accounts that a file with several account values goes to (36.4). @throws VALIDATION_ERROR if that is open */
export async function resolveSeveral(input: TargetInput, inFiles: readonly AccountInFile[]): Promise<Target> {
  const { membership } = input.given;
  const values = await valuesOf(input, inFiles);
  const all = await decideAll(input, wantedValues(input, values));
  const decided = all.filter(({ isLeftOut }) => !isLeftOut);
  const open = decided.flatMap(({ value, asked }) => (asked ? [{ shown: value.shown, choices: asked }] : []));
  const contradicted = decided.find(({ found }) => found.conflict !== null)?.found.conflict ?? null;
  const conflict = contradicted ?? (open.length > 0 ? whichAccounts(open, membership) : null);
  const user = memberOf(membership, ownerOf(decided));
  const connectionId = connectionForNew(input, decided, user);
  const targets = await targetsOf(input, decided, connectionId, user);
  const accounts = new Map(values.map((value) => [value.inFile.file_value, targets.get(value) ?? null]));
  const refused = values.filter((value) => choiceOf(input.fields.accounts, value)?.[1] === null);
  const kept = [...all.map(({ value }) => value), ...refused];
  return {
    ...toTarget(input, user, accounts, conflict, connectionId),
    keys: new Map(kept.flatMap(({ inFile, key }) => (key === null ? [] : [[inFile.file_value, key]]))),
    leftOut: all.filter(({ isLeftOut }) => isLeftOut).map(({ value }) => value.shown ?? ''),
  };
}

async function valuesOf(input: TargetInput, inFiles: readonly AccountInFile[]): Promise<AccountValue[]> {
  const shown = shownValues(inFiles);
  const values: AccountValue[] = [];
  for (const inFile of inFiles) {
    const key = valueKey(inFile, input.numberKey);
    const settled = await settleNumber(input, inFile);
    values.push({ inFile, shown: shown.get(inFile.file_value) ?? null, key, ...settled });
  }
  return values;
}

async function decideAll(input: TargetInput, values: readonly AccountValue[]): Promise<DecidedValue[]> {
  const remembered = await rememberedFor(input);
  const taken = new Set<string>();
  const decided: DecidedValue[] = [];
  for (const value of values) {
    const one = (await decideByRequest(input, value, remembered)) ?? {
      ...(value.bound
        ? placedBy(byNumber(input, value.bound, value))
        : await chooseValue(input, value, { ...remembered, taken, others: values.filter((one) => one !== value) })),
      wantedName: undefined,
    };
    if (one.found.account) taken.add(one.found.account.id);
    decided.push({ value, ...one });
  }
  return decided;
}

/** What earlier imports show about the accounts that the request allows. */
async function rememberedFor(input: TargetInput): Promise<PastImports> {
  const { tx, given, analysis } = input;
  const { stated } = given.membership;
  const isOf = (account: AccountRow): boolean =>
    stated === null || account.owner_id === null || account.owner_id === stated.id;
  const alike = (await selectPastTargets(tx, analysis, input)).filter(({ account }) => isOf(account));
  const accounts = given.connection
    ? await selectAccountsOfConnection(tx, given.connection.id)
    : alike.map(({ account }) => account);
  return { places: await rememberedPlaces(input), accounts };
}

/** A name in `accounts` finds the account that it created before: the same request never creates two. */
async function decideByRequest(
  input: TargetInput,
  value: AccountValue,
  { accounts }: PastImports,
): Promise<Omit<DecidedValue, 'value'> | null> {
  const { tx, fields, given } = input;
  const { bound } = value;
  const [key, choice] = choiceOf(fields.accounts, value) ?? [];
  const accountName = bound ? undefined : fields.account_name;
  const chosen =
    (key === undefined ? undefined : given.chosen.get(key)) ??
    given.account ??
    (accountName === undefined ? null : await findNamedAccount(tx, given, accountName));
  if (chosen) {
    const isByValue = key !== undefined && given.chosen.get(key) === chosen;
    const contradiction = isByValue ? null : await contradictionOf(input, value.inFile, chosen);
    const conflict = bound && chosen.id !== bound.id ? boundElsewhere(bound, chosen) : contradiction;
    return { ...placedBy({ ...FOUND.named, account: chosen, conflict }), wantedName: undefined };
  }
  const wantedName = typeof choice === 'object' && choice !== null ? choice.name : accountName;
  if (wantedName === undefined) return null;
  const account = findWithName(bound ? [bound, ...accounts] : accounts, wantedName);
  return { ...placedBy({ ...FOUND.named, account }), wantedName };
}

function byNumber({ given }: TargetInput, bound: AccountRow, { isByRows }: NumberSettled): Found {
  const { connection, membership } = given;
  const { stated } = membership;
  const isOutside = connection !== null && bound.home_connection_id !== connection.id;
  const isTheirs = stated !== null && bound.owner_id !== null && bound.owner_id !== stated.id;
  const conflict = isOutside
    ? boundOutside(bound, connection)
    : isTheirs
      ? ofAnotherMember(bound, stated, { isNumbered: true })
      : null;
  return { ...(isByRows ? FOUND.numberAndRows : FOUND.number), account: bound, conflict };
}

function placedBy(found: Found): PlacedValue {
  return { found, isLeftOut: false, asked: null };
}

/** The member whose accounts the file goes to; null if that is open, because a new account could be anyone's. */
function ownerOf(decided: readonly DecidedValue[]): string | null {
  const owners = new Set(decided.flatMap(({ found }) => found.account?.owner_id ?? []));
  const [owner] = owners;
  const isNewNeeded = decided.some(({ found }) => found.account === null);
  return owner === undefined || (owners.size > 1 && isNewNeeded) ? null : owner;
}

/** The values whose rows are wanted. @throws VALIDATION_ERROR for a value that the file lacks, or an open choice */
function wantedValues({ fields, given }: TargetInput, values: readonly AccountValue[]): readonly AccountValue[] {
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

function isMeant({ inFile, shown }: AccountValue, name: string): boolean {
  return name === inFile.file_value || name === shown;
}

function choiceOf<T>(choices: Readonly<Record<string, T>>, value: AccountValue): [string, T] | undefined {
  return Object.entries(choices).find(([key]) => isMeant(value, key));
}

/** One account value of a file with several, before its account is chosen. */
interface AccountValue extends NumberSettled {
  inFile: AccountInFile;
  /** The value as answers show it. */
  shown: string | null;
  /** The value as it is stored, from `valueKey`. */
  key: string | null;
}

/** What earlier imports show about the account values of a file. */
interface PastImports {
  places: RememberedPlaces;
  /** The accounts that such files went to, or those of the connection in the request. */
  accounts: readonly AccountRow[];
}

/** What is known when a value is decided: earlier imports, accounts that values before it took, and the other values. */
interface Around extends PastImports {
  taken: ReadonlySet<string>;
  others: readonly AccountValue[];
}

/** Where the rows of a value go. */
interface PlacedValue {
  found: Found;
  isLeftOut: boolean;
  /** Accounts that the caller must choose from; empty if earlier imports only left the value out. */
  asked: readonly ComparedAccount[] | null;
}

/**
 * The same file puts a value where it put it before. For another file, accounts that had the value or have its name are
 * compared with its rows, so that equal names at two banks never mix. A new name may be that of an account renamed since.
 */
async function chooseValue(input: TargetInput, value: AccountValue, around: Around): Promise<PlacedValue> {
  const { places, accounts, taken } = around;
  const { key, number, inFile, asked } = value;
  const before = places.ofFile(key);
  // What the filter names is wanted now, whatever was left out before.
  const isNamed = input.fields.account_filter !== undefined;
  if (before === null && !isNamed) return { found: FOUND.none, isLeftOut: true, asked: null };
  const own = accounts.find(({ id }) => id === before);
  if (own) return placed({ ...FOUND.file, account: own });
  if (asked) return askedAbout(asked);
  const free = (await withoutOtherNumber(input.tx, accounts, number?.hash ?? null)).filter(({ id }) => !taken.has(id));
  const wanted = findWithName(free, nameOfValue(input.analysis, input.fileName, inFile));
  if (input.given.connection && wanted) return placed({ ...FOUND.named, account: wanted });
  const were = places.ofHeader(key);
  const candidates = new Set(were.flatMap((id) => accounts.find((account) => account.id === id) ?? []));
  if (candidates.size === 0 && wanted) candidates.add(wanted);
  const held: ComparedAccount[] = [];
  for (const account of candidates) {
    held.push(await compareWithFile(input.tx, { account, isSameFile: false }, input.analysis, inFile));
  }
  const chosen = chooseCompared(held) ?? chooseOwn(input, held);
  if (chosen) return placed(chosen);
  if (held.length === 0 && (isNamed || !were.includes(null))) {
    const renamed = await renamedAmong(input, value, free, around);
    return renamed.length === 0 ? placed(FOUND.none) : askedAbout(renamed);
  }
  return askedAbout(held);
}

function askedAbout(asked: readonly ComparedAccount[]): PlacedValue {
  return { found: { ...FOUND.open, account: asked[0]?.account ?? null }, isLeftOut: false, asked };
}

/** Accounts of such files that have the rows of a value with a new name, and that no other value of the file means. */
async function renamedAmong(
  { tx, analysis, fileName, fields, given }: TargetInput,
  { inFile }: AccountValue,
  accounts: readonly AccountRow[],
  { places, others }: Around,
): Promise<ComparedAccount[]> {
  const means = (other: AccountValue, account: AccountRow): boolean => {
    const chosen = choiceOf(fields.accounts, other);
    if (chosen) return given.chosen.get(chosen[0])?.id === account.id;
    if (other.bound?.id === account.id || places.ofHeader(other.key).includes(account.id)) return true;
    return findWithName([account], nameOfValue(analysis, fileName, other.inFile)) !== null;
  };
  const isMeant = (account: AccountRow): boolean => others.some((other) => means(other, account));
  const met: ComparedAccount[] = [];
  for (const account of accounts) {
    if (isMeant(account)) continue;
    const compared = await compareWithFile(tx, { account, isSameFile: false }, analysis, inFile);
    if (compared.stand === 'meets') met.push({ ...compared, isNamedSo: false });
  }
  return met;
}

function placed(found: Found): PlacedValue {
  return { found, isLeftOut: false, asked: null };
}

/** If accounts of several members are possible, those of the caller come first. */
function chooseOwn({ given }: TargetInput, held: readonly ComparedAccount[]): Found | null {
  const { implied } = given.membership;
  if (!implied || held.some(({ stand }) => stand === 'meets')) return null;
  return chooseCompared(held.filter(({ account }) => account.owner_id === null || account.owner_id === implied.id));
}

/** An account value with its place. */
interface DecidedValue extends PlacedValue {
  value: AccountValue;
  /** The name for a new account in the request. */
  wantedName: string | undefined;
}

/** The connection for new accounts: the one given, otherwise that of an account that the member's files go to. */
function connectionForNew({ given }: TargetInput, decided: readonly DecidedValue[], user: UsersTable): string | null {
  if (given.connection) return given.connection.id;
  if (given.account) return given.account.home_connection_id;
  const known = decided.find(({ found: { account, suggested }, wantedName }) => {
    if (!account || (!suggested && wantedName === undefined) || account.owner_id !== user.id) return false;
    return account.connection_provider === 'csv' && account.connection_status !== 'disconnected';
  });
  return known?.found.account?.home_connection_id ?? null;
}

/** The existing or new account of each value. Values with the same account share one target. */
async function targetsOf(
  input: TargetInput,
  decided: readonly DecidedValue[],
  connectionId: string | null,
  user: UsersTable,
): Promise<Map<AccountValue, TargetAccount>> {
  const around = connectionId === null ? [] : await selectAccountsOfConnection(input.tx, connectionId);
  const isKnown = await isKnownFormat(input);
  const targets = new Map<AccountValue, TargetAccount>();
  for (const { value, found, wantedName } of decided) {
    const { inFile, number, shown } = value;
    const { account } = found;
    const made = [...targets.values()];
    const shared = made.find((other) =>
      account ? other.account?.id === account.id : wantedName !== undefined && other.created?.name === wantedName,
    );
    if (shared) {
      targets.set(value, Object.assign(shared, together(shared, inFile, number)));
      continue;
    }
    const taken = [...around, ...made.flatMap((other) => other.account ?? other.created ?? [])].map(({ name }) => name);
    const name = wantedName ?? freeName(taken, nameOfValue(input.analysis, input.fileName, inFile));
    targets.set(value, {
      shownValue: shown,
      account,
      created: account ? null : newAccount(input, inFile, name),
      newHome: account ? await newHomeOf(input.tx, account, user) : null,
      numbers: number === null ? [] : [number],
      found: { ...found, isKnownFormat: account === null && isKnown },
      inFile,
    });
  }
  return targets;
}

/** Two account values whose rows go to one account. */
function together(
  { inFile, numbers }: TargetAccount,
  other: AccountInFile,
  number: StatedNumber | null,
): Pick<TargetAccount, 'inFile' | 'numbers'> {
  return {
    inFile: { ...inFile, row_count: inFile.row_count + other.row_count },
    numbers: number === null ? numbers : [...numbers, number],
  };
}
