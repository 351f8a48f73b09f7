import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { isEqualJson } from '../../kernel/json.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PlanRequest } from '../agent-tools/index.ts';
import { keyOf, type StoredChange } from './planned-changes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whose proposals: those of a workflow, or of a principal outside of runs. */
type Proposer = Pick<PlanRequest, 'principalId' | 'workflowId'>;

/**
 * Changes of a proposer that wait for a decision, or were refused within the last 90 days: rejected with their proposal,
 * or excluded when it was approved. `p` is the proposal and `c` the change.
 */
export function isHeldOrRefused({ principalId, workflowId }: Proposer, now: string): RawBuilder<boolean> {
  const own =
    workflowId === null
      ? sql`p.workflow_id is null and p.principal_id = ${principalId}`
      : sql`p.workflow_id = ${workflowId}`;
  const since = instantAfter(now, -LIMITS.refusedChangesMs);
  return sql<boolean>`(${own} and (p.status = 'draft' or (p.status = 'proposed' and p.expires_at > ${now})
    or (p.decided_at >= ${since} and (p.status = 'rejected' or (p.status = 'applied' and c.outcome = 'excluded')))))`;
}

/** Which changes another proposal holds already (contract 60.6), by sequence: updates, and comments with the same text. */
export async function findHeld(
  tx: ReadTx,
  proposer: Proposer,
  now: string,
  exceptId: string | null,
  changes: readonly StoredChange[],
): Promise<ReadonlySet<number>> {
  const concerned = changes.filter((change) => change.operation === 'update' || isComment(change));
  if (concerned.length === 0) return new Set();
  const places = [...new Set(concerned.map((change) => (isComment(change) ? change.transactionId : change.entityId)))];
  const list = places.filter((id) => id !== null);
  const { rows } = await sql<{
    entity_type: string;
    entity_id: string;
    operation: string;
    transaction_id: string | null;
    before: string | null;
    after: string | null;
  }>`select c.entity_type, c.entity_id, c.operation, c.transaction_id, c.before, c.after
    from proposal_changes c join proposals p on p.id = c.proposal_id
    where ${isHeldOrRefused(proposer, now)} and p.id <> ${exceptId ?? ''}
      and (${tx.portable.inList(sql.ref('c.entity_id'), list)} or ${tx.portable.inList(sql.ref('c.transaction_id'), list)})`.execute(
    tx.q,
  );
  const held = Map.groupBy(
    rows.map(({ entity_type: entityType, entity_id: entityId, transaction_id: transactionId, ...row }) => ({
      entityType,
      entityId,
      transactionId,
      operation: row.operation,
      before: parsed(row.before),
      after: parsed(row.after),
    })),
    placeOf,
  );
  const isHeld = (change: StoredChange): boolean =>
    (held.get(placeOf(change)) ?? []).some((other) => other.operation === change.operation && contains(other, change));
  return new Set(concerned.filter(isHeld).map(({ sequence }) => sequence));
}

type Placed = Pick<StoredChange, 'operation' | 'entityId' | 'transactionId' | 'after'> & { entityType: string };

function isComment({ entityType, operation }: { entityType: string; operation: string }): boolean {
  return entityType === 'comment' && operation === 'create';
}

/** A comment to come is known by its transaction and text, anything else by its id. */
function placeOf(change: Omit<Placed, 'operation'> & { operation: string }): string {
  return isComment(change) ? `comment ${change.transactionId} ${String(change.after?.['body'])}` : keyOf(change);
}

interface Sides {
  before: Fields | null;
  after: Fields | null;
}

/** Whether the other change leads to the same values, in every field that this one changes. */
function contains(other: Sides & { operation: string }, change: StoredChange): boolean {
  if (change.operation === 'create') return true;
  const names = new Set([...Object.keys(change.before ?? {}), ...Object.keys(change.after ?? {})]);
  const known = new Set([...Object.keys(other.before ?? {}), ...Object.keys(other.after ?? {})]);
  return [...names].every((name) => {
    if (name === 'category_source') return true;
    const [one, two] = [change.after?.[name], other.after?.[name]];
    // The instant of a flag is that of its call.
    return known.has(name) && (name === 'flagged_at' ? (one === null) === (two === null) : isEqualJson(one, two));
  });
}

function parsed(json: string | null): Fields | null {
  return json === null ? null : (JSON.parse(json) as Fields);
}
