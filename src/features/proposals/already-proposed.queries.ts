import { sql, type RawBuilder } from 'kysely';

import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { isEqualJson } from '../../kernel/json.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PlanRequest } from '../agent-tools/index.ts';
import { keyOf, toPlanned, type StoredChange } from './planned-changes.ts';
import { isCounted, isNamed, identitiesIn, withIds } from './same-thing.ts';
import type { ChangeRow, ProposalRow } from './proposals.queries.ts';

/** Who asks: a run of a workflow, or a principal outside of runs. */
export type Proposer = Pick<PlanRequest, 'principalId' | 'workflowId'>;

/**
 * Changes that would not be proposed again (contract 60.6): they stand in an open proposal of anybody, or a person refused
 * them within the last 90 days, rejected with their proposal or excluded when it was approved. What was refused to others
 * counts for runs only. `p` is the proposal and `c` the change.
 */
export function isHeldOrRefused({ principalId, workflowId }: Proposer, now: string): RawBuilder<boolean> {
  const since = instantAfter(now, -LIMITS.refusedChangesMs);
  const own = workflowId === null ? sql`and p.workflow_id is null and p.principal_id = ${principalId}` : sql``;
  return sql<boolean>`(p.status = 'draft' or (p.status = 'proposed' and p.expires_at > ${now})
    or (p.decided_at >= ${since} and (p.status = 'rejected' or (p.status = 'applied' and c.outcome = 'excluded')) ${own}))`;
}

/** The same change in another proposal. */
export interface HeldChange {
  proposal: Pick<ProposalRow, 'id' | 'short_id' | 'status' | 'created_at'>;
  isOwn: boolean;
  change: StoredChange;
}

/** Of these changes, those that other proposals hold, by sequence. `plan` is all of the plan that they are part of. */
export async function findHeld(
  tx: BareWriteTx,
  proposer: Proposer,
  exceptId: string | null,
  changes: readonly StoredChange[],
  plan: readonly StoredChange[],
): Promise<ReadonlyMap<number, HeldChange>> {
  if (changes.length === 0) return new Map();
  const others = await selectAlike(tx, proposer, exceptId, changes);
  if (others.length === 0) return new Map();
  const created = await selectCreated(tx, [...new Set(others.map(({ proposal }) => proposal.id))]);
  const byPlace = new Map<string, HeldChange[]>();
  for (const [proposalId, ofOne] of Map.groupBy(others, ({ proposal }) => proposal.id)) {
    const identityOf = identitiesIn([...(created.get(proposalId) ?? []), ...ofOne.map(({ change }) => change)]);
    for (const other of ofOne) {
      const change = withIds(other.change, (id) => (id === other.change.entityId ? undefined : identityOf(id)));
      const place = placeOf(other.change, identityOf);
      byPlace.set(place, [...(byPlace.get(place) ?? []), { ...other, change }]);
    }
  }
  const identityOf = identitiesIn(plan);
  const found = new Map<number, HeldChange>();
  const taken = new Set<HeldChange>();
  for (const change of changes) {
    const named = withIds(change, (id) => (id === change.entityId ? undefined : identityOf(id)));
    const same = (byPlace.get(placeOf(change, identityOf)) ?? []).filter(
      (other) => !taken.has(other) && other.change.operation === change.operation && contains(other.change, named),
    );
    const [held] = same.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
    if (!held) continue;
    found.set(change.sequence, held);
    if (change.operation === 'create' && isCounted(change.entityType)) taken.add(held);
  }
  return found;
}

/** What is created is known by what it is, anything else by its id. */
function placeOf(change: StoredChange, identityOf: (id: string) => string | undefined): string {
  return change.operation === 'create' ? (identityOf(change.entityId) ?? '') : keyOf(change);
}

/** Changes of other proposals that may be the same as one of these, those of the newest proposal first. */
async function selectAlike(
  tx: BareWriteTx,
  proposer: Proposer,
  exceptId: string | null,
  changes: readonly StoredChange[],
): Promise<HeldChange[]> {
  const isComment = ({ entityType }: StoredChange): boolean => entityType === 'comment';
  const creations = changes.filter(({ operation }) => operation === 'create');
  const ids = changes.filter((one) => one.operation !== 'create').map(({ entityId }) => entityId);
  const rows = creations.filter(isComment).flatMap(({ transactionId }) => transactionId ?? []);
  const types = [...new Set(creations.filter((one) => !isComment(one)).map(({ entityType }) => entityType))];
  const { rows: found } = await sql<ChangeRow & Found>`
    select c.*, p.short_id as proposal_short_id, p.status, p.created_at, p.principal_id, p.workflow_id
    from proposal_changes c join proposals p on p.id = c.proposal_id
    where ${isHeldOrRefused(proposer, tx.now)} and p.id <> ${exceptId ?? ''}
      and ((c.operation <> 'create' and ${tx.portable.inList(sql.ref('c.entity_id'), [...new Set(ids)])})
        or (c.operation = 'create' and c.entity_type = 'comment'
          and ${tx.portable.inList(sql.ref('c.transaction_id'), [...new Set(rows)])})
        or (c.operation = 'create' and ${tx.portable.inList(sql.ref('c.entity_type'), types)}))
    order by p.created_at desc, p.id desc, c.sequence`.execute(tx.q);
  return found.map((row) => ({
    proposal: { id: row.proposal_id, short_id: row.proposal_short_id, status: row.status, created_at: row.created_at },
    isOwn:
      proposer.workflowId === null
        ? row.workflow_id === null && row.principal_id === proposer.principalId
        : row.workflow_id === proposer.workflowId,
    change: toPlanned(row),
  }));
}

type Found = Pick<ProposalRow, 'status' | 'created_at' | 'principal_id' | 'workflow_id'> & {
  proposal_short_id: string;
};

/** What proposals create that their other changes may refer to. */
async function selectCreated(
  tx: ReadTx,
  proposalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredChange[]>> {
  const { rows } = await sql<ChangeRow>`select * from proposal_changes c
    where ${tx.portable.inList(sql.ref('c.proposal_id'), proposalIds)} and c.operation = 'create'
      and c.entity_type not in ('comment', 'transaction_match')`.execute(tx.q);
  const byProposal = Map.groupBy(rows, (row) => row.proposal_id);
  return new Map([...byProposal].map(([id, ofOne]) => [id, ofOne.map(toPlanned)]));
}

/** Whether the other change leads to the same values, in every field that this one changes. */
function contains(other: StoredChange, change: StoredChange): boolean {
  if (change.operation !== 'update') return true;
  const names = new Set([...Object.keys(change.before ?? {}), ...Object.keys(change.after ?? {})]);
  const known = new Set([...Object.keys(other.before ?? {}), ...Object.keys(other.after ?? {})]);
  return [...names].every((name) => {
    if (name === 'category_source') return true;
    const [one, two] = [change.after?.[name], other.after?.[name]];
    // The instant of a flag is that of its call.
    return known.has(name) && (name === 'flagged_at' ? (one === null) === (two === null) : isEqualJson(one, two));
  });
}

/**
 * Of changes that others hold, those that are left out of the plan (contract 60.6). A row stays that a later call may use,
 * or that another change of the plan needs.
 */
export function leftOutOf(
  held: ReadonlyMap<number, HeldChange>,
  plan: readonly StoredChange[],
  { workflowId }: Proposer,
): Set<number> {
  const isLater = (change: StoredChange): boolean =>
    isNamed(change) && (workflowId !== null || held.get(change.sequence)?.isOwn !== true);
  const out = new Set(plan.flatMap((one) => (held.has(one.sequence) && !isLater(one) ? [one.sequence] : [])));
  return withoutNeeded(out, plan);
}

/** Without the creations that other changes, which stay, refer to. */
export function withoutNeeded(out: Set<number>, plan: readonly StoredChange[]): Set<number> {
  for (let count = -1; count !== out.size;) {
    count = out.size;
    const staying = new Set(plan.filter(({ sequence }) => !out.has(sequence)).flatMap(idsNamedBy));
    for (const { sequence, operation, entityId, after } of plan) {
      const isNeeded =
        staying.has(entityId) || (typeof after?.['slug'] === 'string' && staying.has(`tag:${after['slug']}`));
      if (operation === 'create' && isNeeded) out.delete(sequence);
    }
  }
  return out;
}

/** Every text in what a change leads to: the ids that it names are among them. */
export function idsNamedBy({ entityId, after, hidden }: StoredChange): string[] {
  return textsIn({ ...after, hidden }).filter((text) => text !== entityId);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [...(name.startsWith('tag:') ? [name] : []), ...textsIn(one)]);
}
