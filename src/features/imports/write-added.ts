import { shortIdsFor } from '../../db/short-ids.ts';
import type { SqlValue } from '../../db/engine.ts';
import { textIds } from '../../db/texts.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import type { DataRow, Plan, PlannedAccount, PlannedRow } from './plan-import.ts';
import type { MadeIds } from './plan-summary.ts';

const ROWS_AT_ONCE = 2_000;

const COLUMNS = [
  'id',
  'short_id',
  'account_id',
  'date',
  'authorized_date',
  'datetime',
  'amount_cents',
  'iso_currency_code',
  'name',
  'merchant_name',
  'name_text_id',
  'merchant_text_id',
  'category_id',
  'category_source',
  'provider_category_primary',
  'payment_channel',
  'pending',
  'metadata',
  'import_id',
  'created_change_set_id',
  'created_at',
  'updated_at',
] as const;

/** Writes the new transactions of a plan. Ids follow the bank's order, so that equal dates list in it (36.8.2). */
export async function writeAdded(
  tx: WriteTx,
  plan: Plan,
  made: MadeIds,
  options: { importId: string; namespace: string | null; onChunk: () => void },
): Promise<void> {
  const { added } = plan;
  const { importId, namespace } = options;
  const shortIds = await shortIdsFor(tx, 'transactions', added.length);
  const textOf = await textsOf(tx, added);
  for (let start = 0; start < added.length; start += ROWS_AT_ONCE) {
    const chunk = added.slice(start, start + ROWS_AT_ONCE);
    const transactions: SqlValue[][] = [];
    const aliases: SqlValue[][] = [];
    for (const [offset, row] of chunk.entries()) {
      const id = tx.ids.uuid();
      (row as PlannedRow).transactionId = id;
      const accountId = made.accountIds.get(row.account as PlannedAccount) as string;
      const categoryId = plan.categories(row.category);
      transactions.push([
        id,
        shortIds[start + offset] as string,
        accountId,
        row.date,
        row.authorizedDate,
        row.datetime,
        row.amountCents,
        row.currency,
        row.name,
        row.merchantName,
        textOf(row.name),
        row.merchantName === null ? null : textOf(row.merchantName),
        categoryId,
        categoryId === null ? null : 'provider',
        row.category,
        'other',
        row.pending ? 1 : 0,
        metadataOf(row.notes),
        importId,
        tx.journal.changeSetId,
        tx.now,
        tx.now,
      ]);
      if (row.bankId !== null && namespace !== null) {
        aliases.push([id, namespace, row.bankId, accountId, tx.now, tx.now]);
      }
    }
    await tx.insertMany('transactions', COLUMNS, transactions);
    await insertAliases(tx, aliases);
    options.onChunk();
  }
  tx.journal.carry('transaction', added.length);
}

/** Ids that a file gives to rows; one that is known stays. */
export async function insertAliases(tx: WriteTx, rows: readonly (readonly SqlValue[])[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insertMany(
    'transaction_aliases',
    ['transaction_id', 'namespace', 'external_id', 'account_id', 'first_seen_at', 'last_seen_at'],
    rows,
    'on conflict (transaction_id, namespace, external_id) do nothing',
  );
}

/** The dictionary ids of all texts of the rows; each distinct text is folded and looked up once. */
async function textsOf(tx: WriteTx, rows: readonly DataRow[]): Promise<(text: string) => number> {
  const folded = new Map<string, string>();
  for (const { name, merchantName } of rows) {
    if (!folded.has(name)) folded.set(name, fold(name));
    if (merchantName !== null && !folded.has(merchantName)) folded.set(merchantName, fold(merchantName));
  }
  const ids = await textIds(tx, folded.values());
  return (text) => ids.get(folded.get(text) as string) as number;
}

const NOTE_BYTES = 4_096;

/** A note becomes metadata, cut at a character. */
function metadataOf(note: string | null): string {
  if (note === null) return '{}';
  let bytes = 0;
  let kept = '';
  for (const character of note) {
    bytes += Buffer.byteLength(character);
    if (bytes > NOTE_BYTES) break;
    kept += character;
  }
  return JSON.stringify({ note: kept });
}
