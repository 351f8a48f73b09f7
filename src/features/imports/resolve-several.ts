import type { AccountInFile } from '../../engines/imports/analysis.ts';
import { validationError } from '../../kernel/errors.ts';
import { selectAlike } from './account-candidates.ts';
import { shownValues } from './account-number.ts';
import { chooseValue, type PlacedValue, type Remembered, type Value } from './choose-value.ts';
import { FOUND, type Found } from './found-account.ts';
import { memberOf } from './household-member.ts';
import { rememberedPlaces, valueKey } from './remembered-places.ts';
import { boundAccount, findNamedAccount, named, toTarget, type Resolving, type Target } from './target-account.ts';
import { boundElsewhere, boundOutside, listingOf, ofAnotherMember, whichAccounts } from './target-errors.ts';
import { selectAccountsOfConnection, type AccountRow } from './targets.queries.ts';
import { connectionForNew, targetsOf, type Decided } from './value-targets.ts';

/** The accounts that a file with several goes to (36.4). @throws VALIDATION_ERROR when the request leaves it open */
export async function resolveSeveral(input: Resolving, inFiles: readonly AccountInFile[]): Promise<Target> {
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

async function valuesOf(input: Resolving, inFiles: readonly AccountInFile[]): Promise<Value[]> {
  const shown = shownValues(inFiles);
  const values: Value[] = [];
  for (const inFile of inFiles) {
    const key = valueKey(inFile, input.masterKey);
    values.push({ inFile, shown: shown.get(inFile.file_value) ?? null, key, ...(await boundAccount(input, inFile)) });
  }
  return values;
}

async function decideAll(input: Resolving, values: readonly Value[]): Promise<Decided[]> {
  const remembered = await rememberedFor(input);
  const taken = new Set<string>();
  const decided: Decided[] = [];
  for (const value of values) {
    const one = (await decideByRequest(input, value, remembered)) ?? {
      ...(value.bound ? placedBy(byNumber(input, value.bound)) : await chooseValue(input, value, remembered, taken)),
      wantedName: undefined,
    };
    if (one.found.account) taken.add(one.found.account.id);
    decided.push({ value, ...one });
  }
  return decided;
}

/** What earlier imports tell, of the accounts that the request lets the rows go to. */
async function rememberedFor(input: Resolving): Promise<Remembered> {
  const { tx, given, analysis } = input;
  const { stated } = given.membership;
  const isOf = (account: AccountRow): boolean =>
    stated === null || account.owner_id === null || account.owner_id === stated.id;
  const alike = (await selectAlike(tx, analysis, input)).filter(({ account }) => isOf(account));
  const accounts = given.connection
    ? await selectAccountsOfConnection(tx, given.connection.id)
    : alike.map(({ account }) => account);
  return { places: await rememberedPlaces(input), accounts };
}

/** A name in `accounts` finds the account that it made before, so that the same request never makes two. */
async function decideByRequest(
  { tx, fields, given }: Resolving,
  value: Value,
  { accounts }: Remembered,
): Promise<Omit<Decided, 'value'> | null> {
  const { bound } = value;
  const [key, choice] = choiceOf(fields.accounts, value) ?? [];
  const accountName = bound ? undefined : fields.account_name;
  const chosen =
    (key === undefined ? undefined : given.chosen.get(key)) ??
    given.account ??
    (accountName === undefined ? null : await findNamedAccount(tx, given, accountName));
  if (chosen) {
    const conflict = bound && chosen.id !== bound.id ? boundElsewhere(bound, chosen) : null;
    return { ...placedBy({ ...FOUND.named, account: chosen, conflict }), wantedName: undefined };
  }
  const wantedName = typeof choice === 'object' && choice !== null ? choice.name : accountName;
  if (wantedName === undefined) return null;
  const account = named(bound ? [bound, ...accounts] : accounts, wantedName);
  return { ...placedBy({ ...FOUND.named, account }), wantedName };
}

function byNumber({ given }: Resolving, bound: AccountRow): Found {
  const { connection, membership } = given;
  const { stated } = membership;
  const isOutside = connection !== null && bound.connection_id !== connection.id;
  const isTheirs = stated !== null && bound.owner_id !== null && bound.owner_id !== stated.id;
  const conflict = isOutside ? boundOutside(bound, connection) : isTheirs ? ofAnotherMember(bound, stated, true) : null;
  return { ...FOUND.number, account: bound, conflict };
}

function placedBy(found: Found): PlacedValue {
  return { found, isLeftOut: false, asked: null };
}

/** Whose accounts the file goes to; with those of several members and a new one the caller must say it. */
function ownerOf(decided: readonly Decided[]): string | null {
  const owners = new Set(decided.flatMap(({ found }) => found.account?.owner_id ?? []));
  const [owner] = owners;
  const isNewNeeded = decided.some(({ found }) => found.account === null);
  return owner === undefined || (owners.size > 1 && isNewNeeded) ? null : owner;
}

/** Those whose rows are wanted. @throws VALIDATION_ERROR for values that the file lacks, and for a choice left open */
function wantedValues({ fields, given }: Resolving, values: readonly Value[]): readonly Value[] {
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
