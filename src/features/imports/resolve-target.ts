import type { ConnectionsTable, UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { AccountInFile, FileAnalysis } from '../../engines/imports/analysis.ts';
import { normalisedText } from '../../engines/imports/cell-text.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { accountNumberOf, maskOf, numberHash, shownValue } from './account-number.ts';
import { disconnected, type GivenTarget } from './given-target.ts';
import type { ImportFields } from './import-fields.contract.ts';
import {
  findAccountByNumber,
  selectAccountsOfConnection,
  selectCsvAccountsOf,
  selectLastImports,
  type AccountRow,
} from './targets.queries.ts';

const DEFAULT_NAME = 'CSV Import';

export interface NewAccount {
  name: string;
  type: string;
  subtype: string | null;
  iso_currency_code: string | null;
  mask: string | null;
}

/** Where the rows of one account value of the file go. */
export interface TargetAccount {
  fileValue: string | null;
  account: AccountRow | null;
  created: NewAccount | null;
  /** HMAC of the number by which the file names the account. */
  numberHash: string | null;
  /** Chosen by a remembered binding. */
  suggested: boolean;
  inFile: AccountInFile;
}

export interface Target {
  user: UsersTable;
  /** null: a new connection, or an account that has none any more. */
  connection: ConnectionsTable | null;
  connectionId: string | null;
  createsConnection: boolean;
  institutionName: string;
  /** By value of the file; null where the rows are left out. */
  accounts: ReadonlyMap<string | null, TargetAccount | null>;
  isSeveral: boolean;
  conflict: AppError | null;
}

interface Resolving {
  tx: ReadTx;
  fields: ImportFields;
  given: GivenTarget;
  analysis: FileAnalysis;
  fileName: string | null;
  masterKey: Uint8Array;
}

/**
 * The account that a file goes to, by the first rule of 36.4 that applies. Creates nothing.
 * @throws VALIDATION_ERROR when the request leaves the choice open.
 */
export async function resolveTarget(input: Resolving): Promise<Target> {
  const values = input.analysis.accounts.length > 0 ? input.analysis.accounts : [NO_ROWS];
  const isListed = Object.keys(input.fields.accounts).length > 0 || input.fields.account_filter !== undefined;
  if (values.length > 1 || (isListed && values[0]?.file_value !== null)) return resolveSeveral(input, values);
  const inFile = values[0] as AccountInFile;
  const found = await resolveOne(input, inFile);
  return toTarget(input, new Map([[inFile.file_value, found.target]]), found.conflict, false);
}

const NO_ROWS: AccountInFile = {
  file_value: null,
  iso_currency_code: null,
  row_count: 0,
  first_date: null,
  last_date: null,
  stated: null,
};

/** The account that rules 1, 3, 4 and 6 choose without looking into the file. */
export async function findNamedAccount(
  tx: ReadTx,
  given: GivenTarget,
  accountName: string | undefined,
): Promise<AccountRow | null> {
  if (given.account) return given.account;
  if (given.connection) {
    const accounts = await selectAccountsOfConnection(tx, given.connection.id);
    if (accountName === undefined) return accounts.length === 1 ? (accounts[0] as AccountRow) : null;
    return named(accounts, accountName);
  }
  return accountName === undefined ? null : named(await selectCsvAccountsOf(tx, given.user.id), accountName);
}

interface Found {
  target: TargetAccount;
  conflict: AppError | null;
}

async function resolveOne(input: Resolving, inFile: AccountInFile): Promise<Found> {
  const { tx, fields, given, analysis } = input;
  const { hash, bound } = await boundAccount(input, inFile.file_value);
  const base = { fileValue: null, created: null, numberHash: hash, suggested: false, inFile };
  const existing = (account: AccountRow, conflict: AppError | null, suggested = false): Found => ({
    target: { ...base, account, suggested },
    conflict,
  });
  if (given.account)
    return existing(
      given.account,
      bound && bound.id !== given.account.id ? boundElsewhere(bound, given.account) : null,
    );
  if (bound) {
    if (given.connection && bound.connection_id !== given.connection.id) {
      return existing(bound, boundOutside(bound, given.connection), true);
    }
    return existing(bound, bound.connection_status === 'disconnected' ? disconnected() : null, true);
  }
  const byName = await findNamedAccount(tx, given, fields.account_name);
  if (byName) return existing(byName, null);
  const fresh = (name: string): Found => ({
    target: { ...base, account: null, created: newAccount(input, inFile, name) },
    conflict: null,
  });
  if (fields.account_name !== undefined) return fresh(fields.account_name);
  const name = defaultName(analysis, input.fileName);
  if (given.connection) {
    const accounts = await selectAccountsOfConnection(tx, given.connection.id);
    if (accounts.length > 1) throw severalAccounts(accounts);
    return fresh(name);
  }
  const own = await selectCsvAccountsOf(tx, given.user.id);
  const again = await lastReadAlike(tx, own, name, analysis.header_signature);
  return again ? existing(again, null) : fresh(freeName(own, name));
}

async function resolveSeveral(input: Resolving, values: readonly AccountInFile[]): Promise<Target> {
  const { tx, fields, given, analysis } = input;
  const filter = fields.account_filter;
  const isMeant = (value: string | null, list: Iterable<string>): boolean =>
    [...list].some((one) => one === value || one === shownValue(value));
  const choiceOf = (value: string | null) =>
    Object.entries(fields.accounts).find(([key]) => key === value || key === shownValue(value));
  const unknown = [...Object.keys(fields.accounts), ...(filter ?? [])].find(
    (name) => !values.some(({ file_value: value }) => isMeant(value, [name])),
  );
  if (unknown !== undefined) {
    throw validationError(filter?.includes(unknown) === true ? 'account_filter' : 'accounts', listing(values));
  }
  const left = values.filter(
    ({ file_value: value }) => (filter === undefined || isMeant(value, filter)) && choiceOf(value)?.[1] !== null,
  );
  if (given.account && left.length !== 1) throw validationError('account_filter', listing(values));

  const known = await knownConnection(input, values);
  const around = known === null ? [] : await selectAccountsOfConnection(tx, known);
  const accounts = new Map<string | null, TargetAccount | null>();
  let conflict: AppError | null = null;
  for (const inFile of values) {
    const value = inFile.file_value;
    if (!left.includes(inFile)) {
      accounts.set(value, null);
      continue;
    }
    const { hash, bound } = await boundAccount(input, value);
    const [key, choice] = choiceOf(value) ?? [];
    const chosen = given.account ?? (key === undefined ? undefined : given.chosen.get(key));
    const wantedName = typeof choice === 'object' && choice !== null ? choice.name : undefined;
    const name = wantedName ?? nameOfValue(analysis, input.fileName, value);
    if (chosen && bound && chosen.id !== bound.id) conflict ??= boundElsewhere(bound, chosen);
    const suggested = !chosen && wantedName === undefined && bound !== undefined;
    const account = chosen ?? (suggested ? bound : undefined) ?? named(around, name);
    if (account?.connection_status === 'disconnected') conflict ??= disconnected();
    accounts.set(value, {
      fileValue: value,
      account,
      created: account ? null : newAccount(input, inFile, name),
      numberHash: hash,
      suggested,
      inFile,
    });
  }
  return toTarget(input, accounts, conflict, true, known);
}

/** The connection given, or the one that the last file with this header made for the same member. */
async function knownConnection(input: Resolving, values: readonly AccountInFile[]): Promise<string | null> {
  const { tx, given, analysis } = input;
  if (given.connection) return given.connection.id;
  if (given.account) return given.account.connection_id;
  const own = await selectCsvAccountsOf(tx, given.user.id);
  const names = new Set(
    values.map(({ file_value: value }) => normalisedText(nameOfValue(analysis, input.fileName, value))),
  );
  const last = await selectLastImports(
    tx,
    own.filter((account) => names.has(normalisedText(account.name))).map(({ id }) => id),
  );
  const alike = last.find((one) => one.header_signature === analysis.header_signature);
  return own.find((account) => account.id === alike?.account_id)?.connection_id ?? null;
}

function toTarget(
  input: Resolving,
  accounts: ReadonlyMap<string | null, TargetAccount | null>,
  conflict: AppError | null,
  isSeveral: boolean,
  knownConnectionId: string | null = input.given.connection?.id ?? null,
): Target {
  const all = [...accounts.values()].filter((one) => one !== null);
  const createsAccount = all.some((one) => one.created !== null);
  const first = all[0];
  const connectionId = knownConnectionId ?? first?.account?.connection_id ?? null;
  const { connection } = input.given;
  const institution = input.analysis.profile?.institution_name;
  return {
    user: input.given.user,
    connection,
    connectionId: createsAccount ? knownConnectionId : connectionId,
    createsConnection: createsAccount && knownConnectionId === null,
    institutionName:
      institution ?? (isSeveral ? defaultName(input.analysis, input.fileName) : (first?.created?.name ?? DEFAULT_NAME)),
    accounts,
    isSeveral,
    conflict: input.given.conflict ?? conflict,
  };
}

async function boundAccount(
  input: Resolving,
  value: string | null,
): Promise<{ hash: string | null; bound: AccountRow | undefined }> {
  const number = accountNumberOf(value);
  if (number === null) return { hash: null, bound: undefined };
  const hash = numberHash(input.masterKey, number);
  return { hash, bound: await findAccountByNumber(input.tx, hash) };
}

function newAccount(input: Resolving, inFile: AccountInFile, name: string): NewAccount {
  const { fields, analysis } = input;
  const number = accountNumberOf(inFile.file_value);
  const type = fields.account_type ?? analysis.profile?.account_type ?? 'depository';
  const subtype =
    fields.account_subtype ?? (fields.account_type === undefined ? analysis.profile?.account_subtype : null);
  return {
    name,
    type,
    subtype: subtype ?? (type === 'depository' ? 'checking' : null),
    iso_currency_code: inFile.iso_currency_code ?? fields.iso_currency_code ?? null,
    mask: number === null ? null : maskOf(number),
  };
}

function named(accounts: readonly AccountRow[], name: string): AccountRow | null {
  const wanted = normalisedText(name);
  return (
    accounts.find((account) => normalisedText(account.name) === wanted) ??
    accounts.find((account) => account.display_name !== null && normalisedText(account.display_name) === wanted) ??
    null
  );
}

/** Rule 7: the account of this name, or of this name with a number, that was last fed by files with this header. */
async function lastReadAlike(
  tx: ReadTx,
  own: readonly AccountRow[],
  name: string,
  signature: string | null,
): Promise<AccountRow | undefined> {
  const wanted = normalisedText(name);
  const alike = own.filter((account) => {
    const text = normalisedText(account.name);
    return text === wanted || (text.startsWith(`${wanted} `) && /^\d+$/.test(text.slice(wanted.length + 1)));
  });
  const last = await selectLastImports(
    tx,
    alike.map(({ id }) => id),
  );
  const match = last.find((one) => one.header_signature === signature);
  return alike.find(({ id }) => id === match?.account_id);
}

function freeName(own: readonly AccountRow[], name: string): string {
  const taken = new Set(own.map((account) => normalisedText(account.name)));
  if (!taken.has(normalisedText(name))) return name;
  let n = 2;
  while (taken.has(normalisedText(`${name} ${n}`))) n += 1;
  return `${name} ${n}`;
}

function defaultName(analysis: FileAnalysis, fileName: string | null): string {
  const { profile } = analysis;
  if (profile?.source === 'built_in' && profile.strength === 'strong') return profile.name;
  const stem = (fileName ?? '').replace(/\.[^.]*$/, '').trim();
  return [...stem].slice(0, 200).join('') || DEFAULT_NAME;
}

/** A value that is a number is never shown whole, so the account is named after the file instead. */
function nameOfValue(analysis: FileAnalysis, fileName: string | null, value: string | null): string {
  if (value !== null && value.trim() !== '' && accountNumberOf(value) === null)
    return [...value.trim()].slice(0, 200).join('');
  const base = defaultName(analysis, fileName);
  return value === null || value.trim() === '' ? base : `${base} ${shownValue(value)}`;
}

function severalAccounts(accounts: readonly AccountRow[]): AppError {
  const names = accounts.map((account) => `${account.display_name ?? account.name} (${account.short_id})`);
  return validationError('account_id', `The connection has several accounts; send account_id: ${names.join(', ')}.`);
}

function listing(values: readonly AccountInFile[]): string {
  const listed = values.map((one) => `${shownValue(one.file_value) ?? '(none)'}: ${one.row_count} rows`);
  return `The file holds several accounts; choose among its values: ${listed.join(', ')}.`;
}

function boundElsewhere(bound: AccountRow, wanted: AccountRow): AppError {
  return new AppError(
    'CONFLICT',
    `The file names the account ${bound.short_id}, but account_id names ${wanted.short_id}. Leave account_id out, or send the file of that account.`,
  );
}

function boundOutside(bound: AccountRow, connection: ConnectionsTable): AppError {
  return new AppError(
    'CONFLICT',
    `The file names the account ${bound.short_id}, which is not in the connection ${connection.short_id}.`,
  );
}
