import type { EntityType } from '../../journal/entities.ts';
import type { EntityState } from '../../journal/replay.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import type { Change, WriteTx } from '../../journal/write.ts';
import { AppError, unknownId } from '../../kernel/errors.ts';
import type { PlanRequest } from '../agent-tools/index.ts';
import { actorOf, type Principal, type RequestInfo } from '../handler.ts';
import { findHeld } from './already-proposed.queries.ts';
import { findDraft } from './close-plans.queries.ts';
import { creatorsOf, findConflicts, placeOf, type Conflicts } from './find-conflicts.ts';
import { mergePlan, type Touched } from './merge-plan.ts';
import { namingProposal } from './name-proposal.queries.ts';
import { keyOf, replayOf, toPlanned, type StoredChange } from './planned-changes.ts';
import { refuseUnlessOpen } from './proposal-state.ts';
import { findProposal, selectPlannedChanges, type ChangeRow, type ProposalRow } from './proposals.queries.ts';
import { storePlan, type StoredPlan } from './store-plan.ts';
import { writeChanges } from './write-changes.ts';

/** Who plans, for whom and why. */
export interface PlanCaller {
  principal: Principal | null;
  request: Pick<RequestInfo, 'reason'>;
  plan: PlanRequest;
  /** What the call sent. */
  input: { body: unknown };
}

/** What became of a call in propose mode. */
export interface Planned<T> {
  value: T;
  /** The proposal with the changes; null if there are none. */
  proposal: StoredPlan | null;
  /** Changes that were left out because they already wait for a decision or were refused. */
  alreadyProposed: number;
}

/**
 * Runs a write for real on top of the plan so far, rolls it back, and stores what it would have changed as a proposal
 * (contract 60.6).
 * @throws what the write throws; INVALID_PARAMETER, FORBIDDEN, PROPOSAL_NOT_OPEN, PLAN_TOO_LARGE
 */
export async function planWrite<T>(
  tx: WriteTx,
  undos: EntityUndos,
  caller: PlanCaller,
  run: () => Promise<T>,
): Promise<Planned<T>> {
  const open = await getOpenProposal(tx, caller.plan);
  const rows = open ? await selectPlannedChanges(tx, open.id) : [];
  const { value, touched, conflicts } = await rehearse(tx, undos, rows, caller, run).catch(async (error: unknown) => {
    throw await namingProposal(tx, caller.plan, caller.input.body, error);
  });
  const before = await statesOf(tx, undos, touched);
  for (const one of touched) one.before = before.get(keyOf(one));
  const { changed, dropped } = mergePlan(rows.map(toPlanned), touched, conflicts, {
    undos,
    actor: actorOf(caller.principal),
  });
  const changes = changed.map(({ change }) => change);
  const held = await findHeld(tx, caller.plan, tx.now, open?.id ?? null, changes);
  const stored = new Set(rows.map(({ sequence }) => sequence));
  const idle = createdOnlyFor(held, undos, changes).difference(stored);
  const added = changed.filter(({ change: { sequence } }) => !held.has(sequence) && !idle.has(sequence));
  const proposal = await storePlan(tx, caller, { open, rows, added, dropped });
  const isLeftOut = ({ sequence, operation }: (typeof changes)[number]): boolean =>
    held.has(sequence) && operation === 'update';
  return { value, proposal, alreadyProposed: changes.filter(isLeftOut).length };
}

/** Rows that only changes which are left out refer to, such as a new tag: nobody is asked about these alone. */
function createdOnlyFor(held: ReadonlySet<number>, undos: EntityUndos, changes: readonly StoredChange[]): Set<number> {
  const creators = creatorsOf(undos, changes);
  const creatorsFor = (isHeld: boolean): Set<number> => {
    const users = changes.filter(({ sequence }) => held.has(sequence) === isHeld);
    const references = users.flatMap((change) => replayOf(undos, change.entityType).referencesOf(change));
    return new Set(references.flatMap((reference) => creators.get(placeOf(reference, reference.value)) ?? []));
  };
  return creatorsFor(true).difference(creatorsFor(false));
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
  const conflicts = await findConflicts(tx, undos, rows);
  const applicable = rows.map(toPlanned).filter(({ sequence }) => !conflicts.has(sequence));
  return tx.plan(async () => {
    await writeChanges(tx, undos, applicable, actorOf(principal));
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

/** The entities as they are at this point, by `keyOf`. */
async function statesOf(
  tx: WriteTx,
  undos: EntityUndos,
  entities: readonly { entityType: EntityType; entityId: string }[],
): Promise<ReadonlyMap<string, EntityState>> {
  const found = new Map<string, EntityState>();
  for (const [entityType, alike] of Map.groupBy(entities, (entity) => entity.entityType)) {
    const states = await replayOf(undos, entityType).look(
      tx,
      alike.map(({ entityId }) => entityId),
    );
    for (const [entityId, state] of states) found.set(keyOf({ entityType, entityId }), state);
  }
  return found;
}
