import type { ReadTx } from '../../db/unit-of-work.ts';
import type { AccountInFile, FileAnalysis } from '../../engines/imports/analysis.ts';
import type { AppError } from '../../kernel/errors.ts';
import { defaultName, freeName, isNameOrNumbered } from './account-names.ts';
import { disconnected } from './given-target.ts';
import { resolveSeveral } from './resolve-several.ts';
import {
  boundAccount,
  findNamedAccount,
  isSameForm,
  newAccount,
  toTarget,
  withoutOtherNumber,
  type Resolving,
  type Target,
  type TargetAccount,
} from './target-account.ts';
import { boundElsewhere, boundOutside, severalAccounts } from './target-errors.ts';
import {
  selectAccountsOfConnection,
  selectCsvAccountsOf,
  selectLastImports,
  type AccountRow,
} from './targets.queries.ts';

/**
 * The account that a file goes to, by the first rule of 36.4 that applies. Creates nothing.
 * @throws VALIDATION_ERROR when the request leaves the choice open.
 */
export async function resolveTarget(input: Resolving): Promise<Target> {
  const { fields } = input;
  const values = accountsWithRows(input.analysis);
  const isListed = Object.keys(fields.accounts).length > 0 || fields.account_filter !== undefined;
  if (values.length > 1 || (isListed && values[0]?.file_value !== null)) return resolveSeveral(input, values);
  const inFile = values[0] as AccountInFile;
  const found = await resolveOne(input, inFile);
  return toTarget(input, new Map([[inFile.file_value, found.target]]), found.conflict);
}

const NO_ROWS: AccountInFile = {
  file_value: null,
  iso_currency_code: null,
  row_count: 0,
  first_date: null,
  last_date: null,
  stated: null,
};

/** An account of the file without rows makes none in the ledger, unless there is no other. */
export function accountsWithRows({ accounts }: FileAnalysis): readonly AccountInFile[] {
  const filled = accounts.filter((one) => one.row_count > 0);
  return filled.length > 0 ? filled : [accounts[0] ?? NO_ROWS];
}

interface Found {
  target: TargetAccount;
  conflict: AppError | null;
}

async function resolveOne(input: Resolving, inFile: AccountInFile): Promise<Found> {
  const { tx, fields, given, analysis } = input;
  const { hash, bound } = await boundAccount(input, inFile);
  const base = { shownValue: null, created: null, numberHashes: hash === null ? [] : [hash], suggested: false, inFile };
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
  const name = defaultName(analysis, input.fileName, inFile);
  if (given.connection) {
    const accounts = await selectAccountsOfConnection(tx, given.connection.id);
    if (accounts.length === 0) return fresh(name);
    const remembered = rememberedAccount(input, accounts);
    if (remembered) return existing(remembered, null);
    throw severalAccounts(accounts);
  }
  const own = await selectCsvAccountsOf(tx, given.user.id);
  const again = await lastReadAlike(tx, await withoutOtherNumber(tx, own, hash), name, analysis);
  return again ? existing(again, null) : fresh(freeName(namesOf(own), name));
}

/** Rule 5: the account that the stored profile of this header names. */
function rememberedAccount({ analysis, profiles }: Resolving, accounts: readonly AccountRow[]): AccountRow | undefined {
  const { header_signature: signature } = analysis;
  for (const profile of profiles) {
    if (signature === null || profile.header_signature !== signature) continue;
    const account = accounts.find(({ id }) => id === profile.account_id);
    if (account) return account;
  }
  return undefined;
}

/** Rule 7: the account of this name, or of this name with a number, that was last fed by files of this form. */
async function lastReadAlike(
  tx: ReadTx,
  own: readonly AccountRow[],
  name: string,
  analysis: FileAnalysis,
): Promise<AccountRow | undefined> {
  const alike = own.filter((account) => isNameOrNumbered(account.name, name));
  const last = await selectLastImports(
    tx,
    alike.map(({ id }) => id),
  );
  const match = last.find((one) => isSameForm(one, analysis));
  return alike.find(({ id }) => id === match?.account_id);
}

function namesOf(accounts: readonly AccountRow[]): string[] {
  return accounts.map(({ name }) => name);
}
