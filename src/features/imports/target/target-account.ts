import type { ConnectionsTable, UsersTable } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { AccountInFile, FileAnalysis, StoredProfile } from '../../../engines/imports/analysis.ts';
import { normalisedText } from '../../../engines/imports/text/cell-text.ts';
import type { AppError } from '../../../kernel/errors.ts';
import { defaultName, maskOf } from './account-naming.ts';
import type { StatedNumber } from './number-marks.ts';
import type { Found } from './choose-account.ts';
import type { GivenTarget } from './given-target.ts';
import type { ImportFields } from '../import-fields.contract.ts';
import {
  selectAccounts,
  selectAccountsOfConnection,
  selectCsvConnectionsOf,
  selectNumbered,
  type AccountRow,
} from './targets.queries.ts';

export interface NewAccount {
  name: string;
  type: string;
  subtype: string | null;
  iso_currency_code: string | null;
  mask: string | null;
}

/** The csv connection that an account moves to, because its own is disconnected or gone. */
export interface NewHome {
  /** null if it has to be created. */
  connectionId: string | null;
  institutionName: string;
  user: UsersTable;
}

/** Where the rows go that have one value of the account column; all rows, if the file has no such column. */
export interface TargetAccount {
  /** The value as answers show it; null for files with one account. */
  shownValue: string | null;
  account: AccountRow | null;
  created: NewAccount | null;
  /** null if the account stays where it is. */
  newHome: NewHome | null;
  /** The numbers by which the file names the account. */
  numbers: readonly StatedNumber[];
  found: Found;
  inFile: AccountInFile;
}

/** Where the rows of an export of Homeledger go, by their place among the records of the file. */
export interface OwnPlaces {
  /** null if the row is left out. */
  targetOf(index: number, accountValue: string | null): TargetAccount | null;
  /** The transaction that the row is; null if this household has none with its id. */
  transactionOf(index: number): string | null;
}

export interface Target {
  user: UsersTable;
  /** null for a new connection, or if the account no longer has one. */
  connection: ConnectionsTable | null;
  connectionId: string | null;
  createsConnection: boolean;
  institutionName: string;
  /** By account value of the file; null if its rows are left out. */
  accounts: ReadonlyMap<string | null, TargetAccount | null>;
  /** An export of Homeledger says itself where its rows are. */
  own: OwnPlaces | null;
  /** The stored form of each value that this import decides about; values that are only filtered out have none. */
  keys: ReadonlyMap<string | null, string>;
  /** Values, as answers show them, that are left out because an earlier import of this file left them out. */
  leftOut: readonly string[];
  conflict: AppError | null;
}

export interface TargetInput {
  tx: ReadTx;
  fields: ImportFields;
  given: GivenTarget;
  analysis: FileAnalysis;
  /** Analyses the file as if it belonged to this account. */
  readFor: (account: AccountRow) => Promise<FileAnalysis>;
  /** Remembered profiles, the last used first. */
  profiles: readonly StoredProfile[];
  sha256: string;
  /** How the account was found, if the file is now read again for it. */
  known?: Found | null;
  fileName: string | null;
  numberKey: Uint8Array | null;
}

export function toTarget(
  input: TargetInput,
  user: UsersTable,
  accounts: ReadonlyMap<string | null, TargetAccount | null>,
  conflict: AppError | null,
  knownConnectionId: string | null = input.given.connection?.id ?? null,
): Target {
  const all = [...accounts.values()].filter((one) => one !== null);
  const createsAccount = all.some((one) => one.created !== null);
  const first = all[0];
  const connectionId = knownConnectionId ?? first?.account?.home_connection_id ?? null;
  const { connection } = input.given;
  const institution =
    input.analysis.profile?.institution_name ??
    all.map(({ inFile }) => inFile.stated?.institution_name?.trim()).find((name) => name !== undefined && name !== '');
  const fallback = accounts.size > 1 ? defaultName(input.analysis, input.fileName, null) : (first?.created?.name ?? '');
  return {
    user,
    connection,
    connectionId: createsAccount ? knownConnectionId : connectionId,
    createsConnection: createsAccount && knownConnectionId === null,
    institutionName: [...(institution ?? fallback)].slice(0, 200).join(''),
    accounts,
    own: null,
    keys: new Map(),
    leftOut: [],
    conflict: input.given.conflict ?? conflict,
  };
}

/** If the file has an account number, leaves out accounts that have one too: it would be another account, however similar. */
export async function withoutOtherNumber(
  tx: ReadTx,
  accounts: readonly AccountRow[],
  hash: string | null,
): Promise<readonly AccountRow[]> {
  if (hash === null) return accounts;
  const numbered = await selectNumbered(
    tx,
    accounts.map(({ id }) => id),
  );
  return accounts.filter(({ id }) => !numbered.has(id));
}

export function newAccount(input: TargetInput, inFile: AccountInFile, name: string): NewAccount {
  const { fields, analysis } = input;
  const { stated } = inFile;
  const known = stated?.type
    ? stated
    : { type: analysis.profile?.account_type, subtype: analysis.profile?.account_subtype };
  const type = fields.account_type ?? known.type ?? 'depository';
  const subtype = fields.account_subtype ?? (fields.account_type === undefined ? known.subtype : null);
  return {
    name,
    type,
    subtype: subtype ?? (type === 'depository' ? 'checking' : null),
    iso_currency_code: inFile.iso_currency_code ?? fields.iso_currency_code ?? null,
    mask: maskOf(inFile),
  };
}

/** The account with this name, else with this display name, ignoring case and accents. */
export function findWithName(accounts: readonly AccountRow[], name: string): AccountRow | null {
  const wanted = normalisedText(name);
  return (
    accounts.find((account) => normalisedText(account.name) === wanted) ??
    accounts.find((account) => account.display_name !== null && normalisedText(account.display_name) === wanted) ??
    null
  );
}

/** The account that the request alone determines (36.4, rules 1, 3, 4 and 6). */
export async function findNamedAccount(
  tx: ReadTx,
  given: GivenTarget,
  accountName: string | undefined,
): Promise<AccountRow | null> {
  if (given.account) return given.account;
  if (given.connection) {
    const accounts = await selectAccountsOfConnection(tx, given.connection.id);
    if (accountName === undefined) return accounts.length === 1 ? (accounts[0] as AccountRow) : null;
    return findWithName(accounts, accountName);
  }
  return accountName === undefined ? null : findByName(tx, given, accountName);
}

/** Rule 6 of 36.4: an account with this name that files may feed. If no member is given, it must have only one owner. */
async function findByName(tx: ReadTx, { membership }: GivenTarget, name: string): Promise<AccountRow | null> {
  const fed = (await selectAccounts(tx)).filter(isFedByFiles);
  const ofMember = (id: string): AccountRow[] => fed.filter((account) => account.owner_id === id);
  const { stated, implied } = membership;
  if (stated) return findWithName(ofMember(stated.id), name);
  const owners = new Set(fed.filter((account) => findWithName([account], name)).map((account) => account.owner_id));
  if (owners.size === 1) return findWithName(fed, name);
  return implied ? findWithName(ofMember(implied.id), name) : null;
}

/** Whether files may feed an account: its connection is a csv one, disconnected or gone. */
export function isFedByFiles(account: AccountRow): boolean {
  return account.connection_provider === 'csv' || account.provider === 'csv' || hasLostConnection(account);
}

function hasLostConnection({ connection_status: status }: AccountRow): boolean {
  return status === null || status === 'disconnected';
}

export async function accountsOfMember(tx: ReadTx, memberId: string): Promise<AccountRow[]> {
  return (await selectAccounts(tx)).filter((account) => account.owner_id === memberId);
}

/** The connection that the account moves to, of the same institution; null if it stays where it is. */
export async function newHomeOf(tx: ReadTx, account: AccountRow, user: UsersTable): Promise<NewHome | null> {
  if (!hasLostConnection(account)) return null;
  const institutionName = account.institution_name ?? account.name;
  const wanted = normalisedText(institutionName);
  const own = await selectCsvConnectionsOf(tx, user.id);
  const known = own.find((one) => normalisedText(one.institution_name ?? '') === wanted);
  return { connectionId: known?.id ?? null, institutionName, user };
}
