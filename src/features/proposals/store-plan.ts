import { planTooLarge } from '../../journal/recording.ts';
import { shortIdFor } from '../../db/short-ids.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS, MEBIBYTE } from '../../kernel/limits.ts';
import { actorOf } from '../handler.ts';
import { announceFirst, titleOfRun, waitingFrom } from './close-plans.queries.ts';
import { describeRows } from './describe-rows.queries.ts';
import type { MergedChange } from './merge-plan.ts';
import { internalOf, summaryOf, withCounts } from './planned-changes.ts';
import type { PlanCaller } from './plan-write.ts';
import {
  countOpen,
  insertProposal,
  replaceChanges,
  updateProposal,
  type ChangeRow,
  type ProposalRow,
} from './proposals.queries.ts';
import type { ProposalRecord } from './proposals.table.ts';

/** A plan after a call. */
export interface StoredPlan {
  id: string;
  shortId: string;
  callCount: number;
  changeCount: number;
}

/** What a call adds to a plan. */
export interface Growth {
  /** The proposal that grows; null for a new one. */
  open: ProposalRow | null;
  rows: readonly ChangeRow[];
  changed: readonly MergedChange[];
  dropped: ReadonlySet<number>;
  /** Changes that are not proposed again. */
  leftOut: ReadonlySet<number>;
}

/** A plan as it would be stored. */
export interface NextPlan {
  proposal: ProposalRow;
  /** All its changes, and those of them that are new or other than before. */
  rows: ChangeRow[];
  made: ChangeRow[];
  removed: readonly number[];
}

/** What becomes of a plan; null if nothing does. @throws PLAN_TOO_LARGE */
export async function growPlan(
  tx: WriteTx,
  caller: PlanCaller,
  { open, rows, changed, dropped, leftOut }: Growth,
): Promise<NextPlan | null> {
  const added = changed.filter(({ change: { sequence } }) => !leftOut.has(sequence));
  const known = new Set(rows.map(({ sequence }) => sequence));
  const removed = [...dropped, ...[...leftOut].filter((sequence) => known.has(sequence))];
  if (added.length === 0 && removed.length === 0) return null;
  const proposal = open ?? (await newProposal(tx, caller));
  const before = JSON.parse(proposal.calls) as ProposalRecord['calls'];
  if (before.length >= LIMITS.proposalCalls) throw planTooLarge(`${LIMITS.proposalCalls} calls`);
  const { tool } = caller.plan;
  const call = { call: before.length + 1, tool, reason: caller.request.reason, change_count: 0 };
  const made = await rowsOf(tx, proposal.id, call.call, added, rows);
  const replaced = new Set([...removed, ...made.map(({ sequence }) => sequence)]);
  const all = [...rows.filter(({ sequence }) => !replaced.has(sequence)), ...made];
  all.sort((a, b) => a.sequence - b.sequence);
  if (all.length > LIMITS.proposalChanges) throw planTooLarge(`${LIMITS.proposalChanges} changes`);
  const bytes = all.reduce((sum, row) => sum + bytesOf(row), 0);
  if (bytes > LIMITS.proposalBytes) throw planTooLarge(`${LIMITS.proposalBytes / MEBIBYTE} MiB of changes`);
  const calls = JSON.stringify(withCounts([...before, call], all));
  const isOver = all.length === 0 && proposal.status !== 'draft';
  const status = isOver ? 'expired' : proposal.status;
  return { proposal: { ...proposal, ...summaryOf(all), calls, status }, rows: all, made, removed };
}

function bytesOf({ before, after, internal }: ChangeRow): number {
  return Buffer.byteLength(before ?? '') + Buffer.byteLength(after ?? '') + Buffer.byteLength(internal ?? '');
}

/** Answers null for a proposal that has come to nothing. @throws PLAN_TOO_LARGE */
export async function storePlan(
  tx: WriteTx,
  open: ProposalRow | null,
  { proposal, made, removed }: NextPlan,
): Promise<StoredPlan | null> {
  if (open) await updateProposal(tx, open.id, proposal);
  else {
    if ((await countOpen(tx, proposal)) >= LIMITS.openProposals) throw tooManyOpen();
    await insertProposal(tx, proposal);
  }
  await replaceChanges(tx, proposal.id, made, removed);
  if (!open && proposal.status === 'proposed') await announceFirst(tx, proposal);
  return proposal.status === 'expired' ? null : briefly(proposal);
}

function tooManyOpen(): AppError {
  return new AppError(
    'PLAN_TOO_LARGE',
    `There are ${LIMITS.openProposals} open proposals of yours, so none was added. Add to one of them with its proposal_id, or wait until a person has decided about them.`,
  );
}

export function briefly({ id, short_id: shortId, calls, change_count: changeCount }: ProposalRow): StoredPlan {
  return { id, shortId, callCount: (JSON.parse(calls) as unknown[]).length, changeCount };
}

async function newProposal(tx: WriteTx, { principal, plan }: PlanCaller): Promise<ProposalRow> {
  const actor = actorOf(principal);
  const { runId } = plan;
  const state =
    runId === null
      ? { status: 'proposed', title: plan.tool, ...(await waitingFrom(tx)) }
      : { status: 'draft', title: await titleOfRun(tx, runId), proposed_at: null, expires_at: null };
  return {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'proposals'),
    ...state,
    source: plan.source,
    workflow_id: plan.workflowId,
    run_id: runId,
    principal_id: plan.principalId,
    proposer_type: actor.type,
    proposer_id: actor.id,
    proposer_name: actor.name,
    calls: '[]',
    ...summaryOf([]),
    created_at: tx.now,
    decided_at: null,
    decider_type: null,
    decider_id: null,
    decider_name: null,
    decision_note: null,
    applied_count: 0,
    skipped_count: 0,
    change_set_id: null,
  };
}

async function rowsOf(
  tx: WriteTx,
  proposalId: string,
  call: number,
  added: readonly MergedChange[],
  planned: readonly ChangeRow[],
): Promise<ChangeRow[]> {
  const descriptions = await describeRows(tx, added, planned);
  return added.map(({ change }, index) => ({
    proposal_id: proposalId,
    sequence: change.sequence,
    call,
    entity_type: change.entityType,
    entity_id: change.entityId,
    entity_short_id: change.entityShortId,
    operation: change.operation,
    before: change.before && JSON.stringify(change.before),
    after: change.after && JSON.stringify(change.after),
    internal: internalOf(change),
    transaction_id: change.transactionId,
    source: change.source,
    rule_id: change.ruleId,
    applied_by: change.appliedBy,
    ...(descriptions[index] as (typeof descriptions)[number]),
    outcome: null,
  }));
}
