import { sql } from 'kysely';

import type { WriteTx } from '../../journal/write.ts';
import { formatCents } from '../../kernel/money.ts';
import type { FlaggedRows } from '../rules/index.ts';
import { raise } from './raise.ts';

const LINES = 10;

interface FlaggedRow {
  date: string;
  name: string;
  amount_cents: number;
  iso_currency_code: string | null;
}

/** Tells once of what rules flagged in a sync or an import, in its write. A dependent account only repeats others. */
export async function tellOfFlagged(
  tx: WriteTx,
  { hasNew, changedIds }: FlaggedRows,
  about: { type: 'sync_log' | 'import'; id: string; data: Readonly<Record<string, string>> },
): Promise<void> {
  if (!hasNew && changedIds.length === 0) return;
  const { count, newest } = await selectFlagged(tx, changedIds);
  if (count === 0) return;
  await raise(tx, {
    event: 'transactions.flagged',
    occurrenceId: about.id,
    priority: 'warning',
    title: count === 1 ? 'Rules flagged 1 transaction' : `Rules flagged ${count} transactions`,
    body: newest.map(lineOf).join('\n'),
    data: about.data,
    subjectType: about.type,
    subjectId: about.id,
  });
}

/** Rows that this write created and flagged, and the given ones. */
async function selectFlagged(
  tx: WriteTx,
  changedIds: readonly string[],
): Promise<{ count: number; newest: FlaggedRow[] }> {
  const flagged = sql`from transactions join accounts on accounts.id = transactions.account_id
    where (transactions.created_change_set_id = ${tx.journal.changeSetId}
        or ${tx.portable.inList(sql.ref('transactions.id'), changedIds)})
      and transactions.flagged_at is not null and transactions.deleted_at is null
      and accounts.is_dependent_linked = 0`;
  const { rows } = await sql<{ n: number | string }>`select count(*) as n ${flagged}`.execute(tx.q);
  const { rows: newest } = await sql<FlaggedRow>`select date, transactions.name, amount_cents,
    transactions.iso_currency_code ${flagged}
    order by date desc, transactions.id desc limit ${sql.lit(LINES)}`.execute(tx.q);
  return { count: Number(rows[0]?.n ?? 0), newest };
}

function lineOf({ date, name, amount_cents: cents, iso_currency_code: currency }: FlaggedRow): string {
  return [date, name.replaceAll(/\s+/g, ' ').trim(), formatCents(cents), currency ?? ''].join(' ').trim();
}
