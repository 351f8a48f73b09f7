import type { ConnectionsTable } from '../../db/schema.ts';
import type { AccountInFile } from '../../engines/imports/analysis.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import type { AccountRow } from './targets.queries.ts';

/** What is said when the choice of an account is left open, or contradicts what is known (36.4). */

export function severalAccounts(accounts: readonly AccountRow[]): AppError {
  const names = accounts.map((account) => `${account.display_name ?? account.name} (${account.short_id})`);
  return validationError('account_id', `The connection has several accounts; send account_id: ${names.join(', ')}.`);
}

export function listingOf(values: readonly { shown: string | null; inFile: AccountInFile }[]): string {
  const listed = values.map(({ shown, inFile }) => `${shown ?? '(none)'}: ${inFile.row_count} rows`);
  return `The file holds several accounts; choose among its values: ${listed.join(', ')}.`;
}

export function boundElsewhere(bound: AccountRow, wanted: AccountRow): AppError {
  return new AppError(
    'CONFLICT',
    `The file names the account ${bound.short_id}, but account_id names ${wanted.short_id}. Leave account_id out, or send the file of that account.`,
  );
}

export function boundOutside(bound: AccountRow, connection: ConnectionsTable): AppError {
  return new AppError(
    'CONFLICT',
    `The file names the account ${bound.short_id}, which is not in the connection ${connection.short_id}. Leave connection_id out.`,
  );
}
