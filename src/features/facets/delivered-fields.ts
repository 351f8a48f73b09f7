import { sql } from 'kysely';

import type { SqlValue } from '../../db/engine.ts';
import type { TransactionsTable } from '../../db/schema.ts';
import { textIds } from '../../db/texts.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { NetChange } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { formatCents, parseCents } from '../../kernel/money.ts';

const transactions = journalOf('transaction');

/** What the bank delivered about a transaction, and the keys by which an import recognises its row. */
export interface Delivered {
  id: string;
  shortId: string;
  /** By the names that the journal uses: `amount` as a decimal string, `pending` as a boolean, the rest as in the table. */
  fields: Readonly<Record<string, unknown>>;
  sourceKey: string | null;
  contentKey: string | null;
}

/** Fields that the journal and the table store alike. */
const PLAIN = [
  'date',
  'authorized_date',
  'datetime',
  'iso_currency_code',
  'name',
  'merchant_name',
  'provider_category_primary',
  'provider_category_detailed',
  'payment_channel',
] as const satisfies readonly (keyof TransactionsTable)[];

const FIELDS: ReadonlySet<string> = new Set([...PLAIN, 'amount', 'pending']);

export function isDeliveredField(field: string): boolean {
  return FIELDS.has(field);
}

type Row = Pick<TransactionsTable, (typeof PLAIN)[number] | 'id' | 'short_id' | 'amount_cents' | 'pending'> & {
  source_key: string | null;
  content_key: string | null;
};

export async function selectDelivered(tx: ReadTx, ids: readonly string[]): Promise<Map<string, Delivered>> {
  if (ids.length === 0) return new Map();
  const columns = sql.join([...PLAIN, 'id', 'short_id', 'amount_cents', 'pending'].map((name) => sql.ref(`t.${name}`)));
  const { rows } = await sql<Row>`select ${columns}, o.source_key, o.content_key
    from transactions t left join transaction_origins o on o.transaction_id = t.id
    where ${tx.portable.inList(sql.ref('t.id'), ids)}`.execute(tx.q);
  return new Map(
    rows.map((row) => {
      const plain = Object.fromEntries(PLAIN.map((name) => [name, row[name]]));
      const fields = { ...plain, amount: formatCents(row.amount_cents), pending: row.pending === 1 };
      const keys = { sourceKey: row.source_key, contentKey: row.content_key };
      return [row.id, { id: row.id, shortId: row.short_id, fields, ...keys }];
    }),
  );
}

/** Restores the values that the bank had delivered before a change set changed them, and the keys of the row. */
export async function restoreDelivered(
  tx: WriteTx,
  restored: readonly { change: NetChange; current: Delivered }[],
): Promise<void> {
  for (const { change, current } of restored) {
    const names = Object.keys(change.before ?? {}).filter(isDeliveredField);
    if (names.length === 0) continue;
    const wanted = Object.fromEntries(names.map((name) => [name, change.before?.[name] ?? null]));
    const columns = await columnsOf(tx, wanted);
    const columnNames = [...Object.keys(columns), 'updated_at'] as (keyof TransactionsTable)[];
    await tx.updateMany('transactions', columnNames, [[current.id, ...Object.values(columns), tx.now]]);
    const { content_key: contentKey, source_key: sourceKey } = change.internal as Record<string, string | undefined>;
    if (contentKey !== undefined && sourceKey !== undefined) {
      await sql`update transaction_origins set content_key = ${contentKey}, source_key = ${sourceKey}
        where transaction_id = ${current.id}`.execute(tx.q);
    }
    const before = Object.fromEntries(names.map((name) => [name, current.fields[name] ?? null]));
    transactions.changed(
      tx,
      { id: current.id, short_id: current.shortId },
      { before, after: wanted },
      contentKey === undefined ? {} : { internal: keysOf(current) },
    );
  }
}

function keysOf({ contentKey, sourceKey }: Delivered): Record<string, unknown> {
  return { content_key: contentKey, source_key: sourceKey };
}

async function columnsOf(tx: WriteTx, fields: Readonly<Record<string, unknown>>): Promise<Record<string, SqlValue>> {
  const columns: Record<string, SqlValue> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'amount') columns['amount_cents'] = parseCents(String(value)) ?? 0;
    else if (field === 'pending') columns['pending'] = value === true ? 1 : 0;
    else columns[field] = value as string | null;
    if (field === 'name' || field === 'merchant_name') {
      const column = field === 'name' ? 'name_text_id' : 'merchant_text_id';
      columns[column] = value === null ? null : await textIdOf(tx, value as string);
    }
  }
  return columns;
}

async function textIdOf(tx: WriteTx, text: string): Promise<number> {
  const folded = fold(text);
  return (await textIds(tx, [folded])).get(folded) as number;
}
