import type { EntityUndos } from '../../journal/undo.ts';
import type { Change, WriteTx } from '../../journal/write.ts';
import { AppError, unknownId } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PlanRequest } from '../agent-tools/index.ts';
import { actorOf, type Instance, type Principal, type RequestInfo } from '../handler.ts';
import { findHeld, idsNamedBy, leftOutOf, withoutNeeded, type HeldChange } from './already-proposed.queries.ts';
import { findDraft } from './close-plans.queries.ts';
import { comparePlan, type Conflicts } from './find-conflicts.ts';
import { mergePlan, type Touched } from './merge-plan.ts';
import { namingProposal } from './name-proposal.queries.ts';
import { keyOf, statesOf, toPlanned, type StoredChange } from './planned-changes.ts';
import { refuseUnlessOpen } from './proposal-state.ts';
import { findProposal, selectPlannedChanges, type ChangeRow, type ProposalRow } from './proposals.queries.ts';
import { isNamed, withKnown } from './same-thing.ts';
import { briefly, growPlan, storePlan, type Growth, type StoredPlan } from './store-plan.ts';
import { findFlaw, refusePlan } from './try-plan.ts';
import { UnwritableChange, writeChanges } from './write-changes.ts';

/** Who plans, for whom and why. */
export interface PlanCaller {
  principal: Principal | null;
  request: Pick<RequestInfo, 'reason'>;
  plan: PlanRequest;
  /** What the call sent. */
  input: { body: unknown };
}

/** What a call leaves out of its plan. */
export interface AlreadyProposed {
  /** How many changes were left out because they wait for a decision or were refused, and where; the newest first. */
  alreadyProposed: number;
  alreadyProposedIn: readonly HeldChange['proposal'][];
  /** Ids of rows that were left out, and those of the same rows in another proposal of the caller. */
  idsElsewhere: ReadonlyMap<string, string>;
}

/** What became of a call in propose mode. */
export interface Planned<T> extends AlreadyProposed {
  value: T;
  /** The proposal with the changes; null if there are none. */
  proposal: StoredPlan | null;
}

/**
 * Runs a write for real on top of the plan so far, rolls it back, and stores what it would have changed as a proposal
 * (contract 60.6).
 * @throws what the write throws; INVALID_PARAMETER, FORBIDDEN, PROPOSAL_NOT_OPEN, PROPOSAL_CONFLICT, PLAN_TOO_LARGE
 */
export async function planWrite<T>(
  instance: Instance,
  tx: WriteTx,
  caller: PlanCaller,
  run: () => Promise<T>,
): Promise<Planned<T>> {
  const undos = await instance.undos();
  const open = await getOpenProposal(tx, caller.plan);
  const rows = open ? await selectPlannedChanges(tx, open.id) : [];
  const { value, touched, conflicts } = await rehearse(tx, undos, rows, caller, run).catch(async (error: unknown) => {
    if (error instanceof UnwritableChange) refusePlan(instance, error.cause);
    throw await namingProposal(tx, caller.plan, caller.input.body, error);
  });
  const before = await statesOf(tx, undos, touched);
  for (const one of touched) one.before = before.get(keyOf(one));
  const actor = actorOf(caller.principal);
  const stored = rows.map(toPlanned);
  const { changed: merged, dropped } = mergePlan(stored, touched, conflicts, { undos, actor });
  const changed = await withKnown(tx, undos, merged);
  const changes = changed.map(({ change }) => change);
  const replaced = new Set([...dropped, ...changes.map(({ sequence }) => sequence)]);
  const plan = [...stored.filter(({ sequence }) => !replaced.has(sequence)), ...changes];
  const held = await findHeld(tx, caller.plan, open?.id ?? null, changes, plan);
  const leftOut = new Set([...leftOutOf(held, plan, caller.plan)].filter((sequence) => replaced.has(sequence)));
  const idle = idleCreations(caller.plan, leftOut, plan, new Set(stored.map(({ sequence }) => sequence)));
  const growth = { open, rows, changed, dropped, stale: conflicts };
  const proposal = await grow(instance, tx, caller, growth, leftOut.union(idle));
  const told = proposal.leftOut.size === 0 ? new Map<number, HeldChange>() : held;
  return { value, proposal: proposal.plan, ...summaryOfHeld(told, leftOut, changes) };
}

/** Rows of this call that only changes which are left out refer to: nobody is asked about these alone, except in a run. */
function idleCreations(
  { workflowId }: PlanRequest,
  leftOut: ReadonlySet<number>,
  plan: readonly StoredChange[],
  stored: ReadonlySet<number>,
): Set<number> {
  if (workflowId !== null || leftOut.size === 0) return new Set();
  const named = new Set(plan.filter(({ sequence }) => leftOut.has(sequence)).flatMap(idsNamedBy));
  const isNamedThere = ({ entityId, after }: StoredChange): boolean =>
    named.has(entityId) || (typeof after?.['slug'] === 'string' && named.has(`tag:${after['slug']}`));
  const idle = plan.filter((one) => isNamed(one) && !stored.has(one.sequence) && isNamedThere(one));
  const out = new Set([...leftOut, ...idle.map(({ sequence }) => sequence)]);
  return withoutNeeded(out, plan).difference(leftOut);
}

interface Grown {
  plan: StoredPlan | null;
  leftOut: ReadonlySet<number>;
}

/** Stores the plan if it can be approved; what others hold stays in it if the rest would not stand without. */
async function grow(
  instance: Instance,
  tx: WriteTx,
  caller: PlanCaller,
  growth: Omit<Growth, 'leftOut'> & { stale: Conflicts },
  leftOut: ReadonlySet<number>,
): Promise<Grown> {
  const { stale } = growth;
  const trying = { undos: await instance.undos(), actor: actorOf(caller.principal), stale };
  const choices = leftOut.size === 0 ? [leftOut] : [leftOut, new Set<number>()];
  let flaw: unknown;
  for (const choice of choices) {
    const next = await growPlan(tx, caller, { ...growth, leftOut: choice });
    if (next === null) return { plan: growth.open && briefly(growth.open), leftOut: choice };
    flaw = await findFlaw(tx, next.rows, trying);
    if (flaw === null) return { plan: await storePlan(tx, growth.open, next), leftOut: choice };
  }
  return refusePlan(instance, flaw);
}

function summaryOfHeld(
  held: ReadonlyMap<number, HeldChange>,
  leftOut: ReadonlySet<number>,
  changes: readonly StoredChange[],
): AlreadyProposed {
  const out = changes.filter(({ sequence }) => leftOut.has(sequence) && held.has(sequence));
  // What is created only for others that are left out is no proposal of its own.
  const named = new Set(out.flatMap(idsNamedBy));
  const own = out.filter(
    (one) => !isNamed(one) || !(named.has(one.entityId) || named.has(`tag:${String(one.after?.['slug'])}`)),
  );
  const elsewhere = out.flatMap(({ sequence }) => held.get(sequence) ?? []);
  const newest = elsewhere.map(({ proposal }) => proposal).sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const idsElsewhere = out.flatMap((one): [string, string][] => {
    const same = held.get(one.sequence);
    if (one.operation !== 'create' || same?.isOwn !== true) return [];
    const { entityId, entityShortId } = same.change;
    return [
      [one.entityId, entityId],
      [one.entityShortId ?? '', entityShortId ?? ''],
    ];
  });
  return {
    alreadyProposed: own.length,
    alreadyProposedIn: [...new Map(newest.map((one) => [one.id, one])).values()].slice(0, LIMITS.proposalsNamed),
    idsElsewhere: new Map(idsElsewhere),
  };
}

/** @throws INVALID_PARAMETER, FORBIDDEN, PROPOSAL_NOT_OPEN */
async function getOpenProposal(tx: WriteTx, request: PlanRequest): Promise<ProposalRow | null> {
  const { proposalId, principalId, runId } = request;
  if (runId !== null) return (await findDraft(tx, runId)) ?? null;
  if (proposalId === null) return null;
  const row = await findProposal(tx, proposalId);
  if (!row) throw unknownId('proposal_id', 'proposal', proposalId);
  if (row.principal_id !== principalId || row.run_id !== null) {
    const message = 'Someone else made this proposal. Leave out proposal_id to make one of your own.';
    throw new AppError('FORBIDDEN', message);
  }
  refuseUnlessOpen(row, tx.now, 'Leave out proposal_id to make a new one.');
  return row;
}

interface Rehearsal<T> {
  value: T;
  touched: Touched[];
  /** Changes of the plan so far that conflict with the ledger as it is now. */
  conflicts: Conflicts;
}

async function rehearse<T>(
  tx: WriteTx,
  undos: EntityUndos,
  rows: readonly ChangeRow[],
  { principal }: PlanCaller,
  run: () => Promise<T>,
): Promise<Rehearsal<T>> {
  const { conflicts, writable } = await comparePlan(tx, undos, rows, tx.now);
  return tx.plan(async () => {
    await writeChanges(tx, undos, writable, { actor: actorOf(principal), as: 'planned' });
    const from = tx.journal.recorded().length;
    const value = await run();
    const touched = touchedBy(tx.journal.recorded(), from, tx.journal.changeSet().source);
    const after = await statesOf(tx, undos, touched);
    for (const one of touched) one.after = after.get(keyOf(one));
    return { value, touched, conflicts };
  });
}

/** The entities that were recorded since `from`, in the order in which they were first touched. */
function touchedBy(recorded: readonly Change[], from: number, source: string): Touched[] {
  const all = Map.groupBy(recorded, keyOf);
  const keys = new Set(recorded.slice(from).map(keyOf));
  return [...keys].map((key) => {
    const changes = all.get(key) ?? [];
    const { entityType, entityId } = changes[0] as Change;
    if (entityId === null) throw new Error(`A ${entityType} cannot be part of a proposal.`);
    return { entityType, entityId, recorded: changes, source, before: undefined, after: undefined };
  });
}
