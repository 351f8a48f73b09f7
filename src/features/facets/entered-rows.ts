import { sql } from 'kysely';

import type { TransactionsTable } from '../../db/schema.ts';
import { textIds } from '../../db/texts.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { formatCents } from '../../kernel/money.ts';
import { DELIVERED_COLUMNS, deliveredFieldsOf, type DeliveredRow } from './delivered-fields.ts';
import { attachTagsTo, facetColumns } from './facets.queries.ts';
import { blankFacets, type Facets } from './facets.ts';
import { changesByWriter, memberNames } from './write-facets.ts';

/** The values of a row entered by hand that are not facets. */
export type EnteredValues = Pick<
  TransactionsTable,
  'account_id' | 'date' | 'amount_cents' | 'iso_currency_code' | 'name' | 'merchant_name'
>;

/** What banks deliver and nobody enters. */
export const BY_HAND = {
  pending: 0,
  payment_channel: 'other',
  provider_category_primary: null,
  provider_category_detailed: null,
} as const satisfies Partial<DeliveredRow>;

const transactions = journalOf('transaction');

/** Stores a row that was entered by hand. Its creation records what rules did to it (`effectsId`). */
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
    ...BY_HAND,
    ...facetColumns(facets),
    id: facets.id,
    short_id: facets.shortId,
    name_text_id: texts.get(fold(name)) as number,
    merchant_text_id: merchant === null ? null : (texts.get(fold(merchant)) as number),
    created_change_set_id: tx.journal.changeSetId,
    creation_effects_id: effectsId,
    created_at: tx.now,
    updated_at: tx.now,
  };
  const columns = Object.keys(row) as (keyof typeof row)[];
  await tx.insertMany('transactions', columns, [columns.map((column) => row[column])]);
  await attachTagsTo(tx, facets.id, facets.tags);
  const after = await fieldsOf(tx, values, facets);
  transactions.created(tx, row, after, { internal: { locked: [...facets.locks] } });
}

async function fieldsOf(tx: WriteTx, values: EnteredValues, facets: Facets): Promise<Record<string, unknown>> {
  const { amount_cents: cents, ...plain } = values;
  const edit = { before: { ...blankFacets, id: facets.id }, after: facets };
  const said = changesByWriter(edit, await memberNames(tx, [edit]));
  return {
    id: facets.id,
    short_id: facets.shortId,
    ...plain,
    amount: formatCents(cents),
    payment_channel: BY_HAND.payment_channel,
    pending: false,
    category_id: null,
    category_source: null,
    counterparty_id: null,
    series_id: null,
    flagged_at: null,
    ...Object.assign({}, ...said.map(({ after }) => after)),
    created_at: tx.now,
    updated_at: tx.now,
  };
}

/** What a row shows besides its facets, and what rules did when it was created, as JSON. */
export interface Recorded {
  fields: Readonly<Record<string, unknown>>;
  effects: string | null;
}

export async function selectRecorded(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, Recorded>> {
  if (ids.length === 0) return new Map();
  const columns = sql.join(DELIVERED_COLUMNS.map((name) => sql.ref(`t.${name}`)));
  const { rows } = await sql<DeliveredRow & Pick<TransactionsTable, 'id' | 'account_id'> & { effects: string | null }>`
    select t.id, t.account_id, ${columns}, e.effects
    from transactions t left join rule_effects e on e.id = t.creation_effects_id
    where ${tx.portable.inList(sql.ref('t.id'), ids)}`.execute(tx.q);
  return new Map(
    rows.map(({ id, account_id, effects, ...row }) => [
      id,
      { fields: { account_id, ...deliveredFieldsOf(row) }, effects },
    ]),
  );
}
