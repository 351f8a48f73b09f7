import { shortIdFor } from '../../db/short-ids.ts';
import type { CounterpartiesTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { nameColumns, refuseTakenName } from './counterparty-names.ts';
import { insertCounterparty } from './counterparties.queries.ts';
import { toCounterpartyFields } from './counterparties.table.ts';

export interface NewCounterparty {
  /** Trimmed already. */
  name: string;
  website_url?: string | null;
  logo_url?: string | null;
  /** UUID. */
  category_id?: string | null;
  mcc?: string | null;
}

/** Makes a counterparty and records it. @throws CONFLICT when another has the name */
export async function makeCounterparty(tx: WriteTx, made: NewCounterparty): Promise<CounterpartiesTable> {
  await refuseTakenName(tx, made.name);
  const row: CounterpartiesTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'counterparties'),
    ...(await nameColumns(tx, made.name)),
    website_url: made.website_url ?? null,
    logo_url: made.logo_url ?? null,
    category_id: made.category_id ?? null,
    mcc: made.mcc ?? null,
    canonical_counterparty_id: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertCounterparty(tx, row);
  tx.journal.record({
    entityType: 'counterparty',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: toCounterpartyFields(row),
    revertible: true,
  });
  return row;
}
