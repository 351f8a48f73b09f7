import type { Selectable } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import type { ChangeSetsTable } from '../db/schema.ts';
import type { BareWriteTx } from '../db/unit-of-work.ts';
import type { Change } from './write.ts';

type ChangeSetRow = Selectable<ChangeSetsTable>;

/** Inserts a change set, or tells one that stands already what came to it; its beginning stays. */
export async function storeChangeSet(tx: BareWriteTx, row: ChangeSetRow, isStored: boolean): Promise<void> {
  if (isStored) {
    const { summary, created_count, updated_count, deleted_count, entity_types, is_revertible, is_open } = row;
    await tx.q
      .updateTable('change_sets')
      .set({ summary, created_count, updated_count, deleted_count, entity_types, is_revertible, is_open })
      .where('id', '=', row.id)
      .execute();
    return;
  }
  const columns = Object.keys(row) as (keyof ChangeSetRow)[];
  await tx.insertMany('change_sets', columns, [columns.map((column) => row[column])]);
}

/** A run in chunks has come to its end. */
export async function closeChangeSet(tx: BareWriteTx, id: string, summary: string): Promise<void> {
  await tx.q.updateTable('change_sets').set({ is_open: 0, summary }).where('id', '=', id).execute();
}

/** Changes of a set, numbered from `after` + 1. */
export async function insertChanges(
  tx: BareWriteTx,
  set: Pick<ChangeSetRow, 'id' | 'source'>,
  after: number,
  changes: readonly Change[],
): Promise<void> {
  await tx.insertMany(
    'changes',
    [
      'change_set_id',
      'sequence',
      'entity_type',
      'entity_id',
      'entity_short_id',
      'operation',
      'before',
      'after',
      'internal',
      'transaction_id',
      'source',
      'rule_id',
      'applied_by',
      'is_revertible',
    ],
    changes.map((change, index): SqlValue[] => [
      set.id,
      after + index + 1,
      change.entityType,
      change.entityId,
      change.entityShortId,
      change.operation,
      json(change.before),
      json(change.after),
      json(change.internal ?? null),
      change.transactionId ?? null,
      change.source ?? set.source,
      change.ruleId ?? null,
      change.appliedBy ?? null,
      change.revertible ? 1 : 0,
    ]),
  );
}

function json(value: Readonly<Record<string, unknown>> | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
