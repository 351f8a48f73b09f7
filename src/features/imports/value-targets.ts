import type { UsersTable } from '../../db/schema.ts';
import type { AccountInFile } from '../../engines/imports/analysis.ts';
import { isKnownFormat } from './account-candidates.ts';
import { freeName, nameOfValue } from './account-names.ts';
import type { PlacedValue, Value } from './choose-value.ts';
import { homeOf, newAccount, type Resolving, type TargetAccount } from './target-account.ts';
import { selectAccountsOfConnection } from './targets.queries.ts';

/** A value of a file with several accounts, with its place. */
export interface Decided extends PlacedValue {
  value: Value;
  /** The name that the request gives to a new account. */
  wantedName: string | undefined;
}

/** The connection that new accounts go to: the one given, else that of an account which the member's file is known by. */
export function connectionForNew({ given }: Resolving, decided: readonly Decided[], user: UsersTable): string | null {
  if (given.connection) return given.connection.id;
  if (given.account) return given.account.connection_id;
  const known = decided.find(({ found: { account, suggested }, wantedName }) => {
    if (!account || (!suggested && wantedName === undefined) || account.owner_id !== user.id) return false;
    return account.connection_provider === 'csv' && account.connection_status !== 'disconnected';
  });
  return known?.found.account?.connection_id ?? null;
}

/** The account of each value: one that is there, or one to be made; equal ones are one. */
export async function targetsOf(
  input: Resolving,
  decided: readonly Decided[],
  connectionId: string | null,
  user: UsersTable,
): Promise<Map<Value, TargetAccount>> {
  const around = connectionId === null ? [] : await selectAccountsOfConnection(input.tx, connectionId);
  const isKnown = await isKnownFormat(input);
  const targets = new Map<Value, TargetAccount>();
  for (const { value, found, wantedName } of decided) {
    const { inFile, hash, shown } = value;
    const { account } = found;
    const made = [...targets.values()];
    const shared = made.find((other) =>
      account ? other.account?.id === account.id : wantedName !== undefined && other.created?.name === wantedName,
    );
    if (shared) {
      targets.set(value, Object.assign(shared, together(shared, inFile, hash)));
      continue;
    }
    const taken = [...around, ...made.flatMap((other) => other.account ?? other.created ?? [])].map(({ name }) => name);
    const name = wantedName ?? freeName(taken, nameOfValue(input.analysis, input.fileName, inFile));
    targets.set(value, {
      shownValue: shown,
      account,
      created: account ? null : newAccount(input, inFile, name),
      home: account ? await homeOf(input.tx, account, user) : null,
      numberHashes: hash === null ? [] : [hash],
      found: { ...found, isKnownFormat: account === null && isKnown },
      inFile,
    });
  }
  return targets;
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
