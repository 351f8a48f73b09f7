import type { ReadTx } from '../../db/unit-of-work.ts';
import { handleBackground } from '../handler.ts';
import { handleImport } from './import-file.ts';
import type { CsvResult } from './import-records.contract.ts';
import { importCsv as operation } from './imports.contract.ts';
import { readImport } from './write/run-import.ts';
import { findConnection } from './target/targets.queries.ts';

export const importCsv = handleBackground(operation, async (context, { body }) =>
  handleImport(context, body, 'csv', csvResult),
);

/** An import in the form of the two endpoints under /connections (36.9.9). */
export async function csvResult(tx: ReadTx, importId: string): Promise<CsvResult> {
  const record = await readImport(tx, importId);
  const { counts, connection_id: id } = record;
  const connection = id === null ? undefined : await findConnection(tx, id);
  return {
    connection_id: id,
    account_id: record.account_id,
    institution_name: connection?.institution_name ?? null,
    status: connection?.status ?? null,
    imported_transactions: counts.added,
    updated_transactions: counts.updated,
    skipped_duplicates: counts.duplicate + counts.deleted,
    total_rows: counts.total,
    import: record,
  };
}
