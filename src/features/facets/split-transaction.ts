import { sql, type Insertable } from 'kysely';

import { shortIdFor } from '../../db/short-ids.ts';
import type { TransactionsTable } from '../../db/schema.ts';
import { differenceOf } from '../../journal/difference.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import {
  deliveredFieldsOf,
  isDeliveredField,
  selectDeliveredValues,
  updateDeliveredValues,
  withDeliveredFields,
  type DeliveredValues,
} from './delivered-fields.ts';
import { locksOf } from './facets.queries.ts';

/** How a transaction that two sources delivered comes apart. */
export type Part =
  | {
      accountId: string;
      /** The new one takes what the provider said; the old one gets these former values back. */
      takes: 'feed';
      former: Readonly<Record<string, unknown>>;
    }
  | {
      accountId: string;
      /** The new one is what this import found; the old one keeps everything. */
      takes: 'values';
      importId: string;
    };

const transactions = journalOf('transaction');
/** What happens to the accounts undoes it. */
const OPTIONS = { internal: { moved: true } };
/** What people, agents and rules decided about the one is not about the other, but for its category. */
const BLANK = {
  counterparty_id: null,
  series_id: null,
  attributed_user_id: null,
  attributed_by_link_id: null,
  metadata: '{}',
  flagged_at: null,
  merged_into_id: null,
  creation_effects_id: null,
} as const;

/** Makes a second transaction of one that two sources delivered, in the account of one of them (contract 30.8.1). */
export async function splitTransaction(tx: WriteTx, id: string, part: Part): Promise<void> {
  const { month: _generated, ...row } = await tx.q
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const made: Insertable<TransactionsTable> = {
    ...row,
    ...BLANK,
    locks: locksOf(row.locks).has('category') ? '["category"]' : '[]',
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'transactions'),
    account_id: part.accountId,
    import_id: part.takes === 'values' ? part.importId : null,
    created_change_set_id: tx.journal.changeSetId,
    created_at: tx.now,
    updated_at: tx.now,
  };
  const columns = Object.keys(made) as (keyof typeof made)[];
  await tx.insertMany('transactions', columns, [columns.map((column) => made[column] ?? null)]);
  transactions.created(tx, made, { account_id: part.accountId }, { ...OPTIONS, revertible: false });
  if (part.takes === 'values') return;
  await sql`update transaction_feeds set transaction_id = ${made.id} where transaction_id = ${id}`.execute(tx.q);
  await sql`update transaction_aliases set transaction_id = ${made.id}, account_id = ${part.accountId}
    where transaction_id = ${id} and external_account_id is not null`.execute(tx.q);
  const now = (await selectDeliveredValues(tx, [id])).get(id) as DeliveredValues;
  const fields = Object.fromEntries(Object.entries(part.former).filter(([field]) => isDeliveredField(field)));
  const values = await withDeliveredFields(tx, now, fields);
  const changed = differenceOf(deliveredFieldsOf(now), deliveredFieldsOf(values));
  if (!changed) return;
  await updateDeliveredValues(tx, [{ id, values }]);
  transactions.changed(tx, row, changed, OPTIONS);
}
