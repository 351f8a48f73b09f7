import type { ReadTx } from '../../db/unit-of-work.ts';
import { parseFields } from './fields.ts';
import { selectPage } from './page.queries.ts';

/** The newest live transactions of an account as JSON texts of full records, date then id descending. */
export async function recentTransactionsJson(tx: ReadTx, accountId: string, count: number): Promise<string[]> {
  const filters = { deleted: false, accountIds: [accountId] };
  const rows = await selectPage(tx, filters, parseFields(undefined), 'desc', null, count);
  return rows.map((row) => row.json);
}
