import type { Selectable } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import type { ChangeSetsTable } from '../db/schema.ts';
import type { BareWriteTx } from '../db/unit-of-work.ts';
import type { Change, Collected, Origin } from './write.ts';

type ChangeSetRow = Selectable<ChangeSetsTable>;

/** The row of a change set, from where the write came and what it recorded. */
export function changeSetRow(write: {
  id: string;
  shortId: string;
  now: string;
  origin: Origin;
  collected: Collected;
}): ChangeSetRow {
  const { id, shortId, now, origin, collected } = write;
  const { changes, carried } = collected;
  const count = (operation: Change['operation']): number =>
    changes.reduce((sum, change) => (change.operation === operation ? sum + 1 : sum), 0);
  const carriedCount = [...carried.values()].reduce((sum, n) => sum + n, 0);
  const entityTypes = [...new Set([...changes.map((change) => change.entityType), ...carried.keys()])].sort();
  return {
    id,
    short_id: shortId,
    created_at: now,
    actor_type: origin.actor.type,
    actor_id: origin.actor.id,
    actor_user_id: origin.actor.userId,
    actor_name: origin.actor.name,
    surface: origin.surface,
    source: origin.source,
    action: origin.action,
    reason: origin.reason,
    summary: collected.summary ?? origin.action,
    created_count: count('create') + carriedCount,
    updated_count: count('update'),
    deleted_count: count('delete'),
    entity_types: JSON.stringify(entityTypes),
    status: 'applied',
    is_revertible: carried.size > 0 || changes.some((change) => change.revertible) ? 1 : 0,
    reverts_change_set_id: origin.revertsChangeSetId ?? null,
    reverted_by_change_set_id: null,
    sync_log_id: null,
    import_id: origin.importId ?? null,
    workflow_run_id: null,
    proposal_id: null,
    rule_id: origin.ruleId ?? null,
    session_id: null,
    request_id: origin.requestId,
    is_open: 0,
  };
}

export async function insertChangeSet(tx: BareWriteTx, row: ChangeSetRow): Promise<void> {
  const columns = Object.keys(row) as (keyof ChangeSetRow)[];
  await tx.insertMany('change_sets', columns, [columns.map((column) => row[column])]);
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
