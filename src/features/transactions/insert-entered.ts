import type { TransactionsTable } from '../../db/schema.ts';
import { textIds } from '../../db/texts.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { formatCents } from '../../kernel/money.ts';
import { changesByWriter, blankFacets, facetColumns, attachTagsTo, type Facets } from '../facets/index.ts';

/** What somebody who enters a row by hand says of the movement itself. */
export type EnteredValues = Pick<
  TransactionsTable,
  'account_id' | 'date' | 'amount_cents' | 'iso_currency_code' | 'name' | 'merchant_name'
>;

const CHANNEL = 'other';
const transactions = journalOf('transaction');

/** Stores a row that was entered by hand, and records it whole: what rules did to it belongs to its creation. */
export async function insertEntered(
  tx: WriteTx,
  values: EnteredValues,
  facets: Facets,
  effectsId: number | null,
): Promise<void> {
  const { name, merchant_name: merchant } = values;
  const texts = await textIds(tx, [fold(name), ...(merchant === null ? [] : [fold(merchant)])]);
  const row = {
    ...values,
    ...facetColumns(facets),
    id: facets.id,
    short_id: facets.shortId,
    name_text_id: texts.get(fold(name)) as number,
    merchant_text_id: merchant === null ? null : (texts.get(fold(merchant)) as number),
    payment_channel: CHANNEL,
    pending: 0 as const,
    created_change_set_id: tx.journal.changeSetId,
    creation_effects_id: effectsId,
    created_at: tx.now,
    updated_at: tx.now,
  };
  const columns = Object.keys(row) as (keyof typeof row)[];
  await tx.insertMany('transactions', columns, [columns.map((column) => row[column])]);
  await attachTagsTo(tx, facets.id, facets.tags);
  transactions.created(tx, row, fieldsOf(values, facets, tx.now), { internal: { locked: [...facets.locks] } });
}

function fieldsOf(values: EnteredValues, facets: Facets, now: string): Record<string, unknown> {
  const { amount_cents: cents, ...plain } = values;
  const said = changesByWriter({ before: { ...blankFacets, id: facets.id }, after: facets });
  return {
    id: facets.id,
    short_id: facets.shortId,
    ...plain,
    amount: formatCents(cents),
    payment_channel: CHANNEL,
    pending: false,
    category_id: null,
    category_source: null,
    counterparty_id: null,
    series_id: null,
    flagged_at: null,
    ...Object.assign({}, ...said.map(({ after }) => after)),
    created_at: now,
    updated_at: now,
  };
}
