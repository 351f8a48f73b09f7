import type { CounterpartiesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Obstacle } from '../../journal/undo.ts';
import { undoRows, type Reference } from '../../journal/undo-rows.ts';
import { findCounterparty, selectMergedInto } from './counterparties.queries.ts';
import { toCounterpartyFields, type CounterpartyFields } from './counterparties.table.ts';
import { nameColumns } from './counterparty-names.ts';
import { countUses } from './counterparty-uses.ts';

const CANONICAL = 'canonical_counterparty_id';

export const undo = undoRows({
  entityType: 'counterparty',
  table: 'counterparties',
  toFields: (row) => ({ ...toCounterpartyFields(row as unknown as CounterpartiesTable) }),
  toColumns: async (tx, fields) => {
    const { name } = fields;
    const named = typeof name === 'string' ? await nameColumns(tx, name) : {};
    return { ...(fields as Partial<CounterpartyFields>), ...named };
  },
  unique: ['short_id', { field: 'name', column: 'name_folded' }],
  references: (fields) => [
    ...reference('category_id', 'categories', fields['category_id']),
    ...reference(CANONICAL, 'counterparties', fields[CANONICAL]),
  ],
  isUsed: async (tx, id) => {
    const { transactions, rules, merged } = await countUses(tx, id);
    return transactions + rules + merged > 0;
  },
  findObstacle: chainObstacle,
});

function reference(field: string, table: Reference['table'], id: unknown): Reference[] {
  return typeof id === 'string' ? [{ field, table, id }] : [];
}

/** Merges are one step deep: what is merged again must not stand for others, nor its target be merged by now. */
async function chainObstacle(
  tx: ReadTx,
  id: string,
  { [CANONICAL]: targetId }: Readonly<Record<string, unknown>>,
): Promise<Obstacle | null> {
  if (typeof targetId !== 'string') return null;
  const target = await findCounterparty(tx, targetId);
  if (target && target.canonical_counterparty_id !== null) {
    const message = 'What it was merged into has since been merged into another.';
    return { reason: 'reference_missing', fields: [CANONICAL], message };
  }
  if ((await selectMergedInto(tx, id)).length === 0) return null;
  return { reason: 'in_use', fields: [CANONICAL], message: 'Others have been merged into it since.' };
}
