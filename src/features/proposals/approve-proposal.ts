import type { z } from 'zod';

import type { WriteTx } from '../../journal/write.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { actorOf, handleWrite, type Instance, type Principal } from '../handler.ts';
import { comparePlan, type Conflicts } from './find-conflicts.ts';
import { refuseProposer, refuseUnlessOpen } from './proposal-state.ts';
import { approveProposal as operation } from './proposals.contract.ts';
import { getProposalRow } from './proposals.handlers.ts';
import {
  selectPlannedChanges,
  setOutcome,
  updateProposal,
  type ChangeRow,
  type ProposalRow,
} from './proposals.queries.ts';
import { toProposal, type ProposalRecord } from './proposals.table.ts';
import { UnwritableChange, writeChanges } from './write-changes.ts';

type Body = z.output<NonNullable<(typeof operation)['body']>>;
type Skipped = z.output<NonNullable<(typeof operation)['response']>>['skipped'];

export const approveProposal = handleWrite(operation, 'proposal.apply', async (context, { params, body }) => {
  const { tx, instance, principal, request } = context;
  const proposal = await getProposalRow(tx, params.id);
  refuseProposer(proposal, principal);
  refuseUnlessOpen(proposal, tx.now);
  if (body.fingerprint !== undefined && body.fingerprint !== proposal.fingerprint) {
    const message =
      'The proposal is not the one that you read: its fingerprint differs. Read it again, then approve it.';
    throw new AppError('PROPOSAL_CHANGED', message);
  }
  const rows = await selectPlannedChanges(tx, proposal.id);
  const excluded = excludedOf(rows, body.exclude);
  const undos = await instance.undos();
  const { conflicts, existing, writable } = await comparePlan(tx, undos, rows, tx.now, excluded);
  refuseConflicts(rows, excluded, conflicts, body.on_conflict);

  const reason = body.note ?? request.reason ?? reasonsOf(proposal);
  tx.journal.refine({
    source: 'proposal',
    proposalId: proposal.id,
    workflowRunId: proposal.run_id,
    reason,
  });
  tx.journal.summarise(summaryOf(proposal, writable.length));
  await writeOrRefuse(instance, tx, rows, () =>
    writeChanges(tx, undos, writable, { actor: actorOf(principal), as: 'edit' }),
  );
  const applied = writable.map(({ sequence }) => sequence);
  const decided = await decide(tx, proposal, principal, body, { applied, existing, conflicts, excluded });
  const changeSetStatus = decided.change_set_id === null ? null : 'applied';
  return { ...toProposal(decided, tx.now, { conflictCount: 0, changeSetStatus }), skipped: skippedOf(rows, conflicts) };
});

/** @throws VALIDATION_ERROR */
function excludedOf(rows: readonly ChangeRow[], exclude: readonly number[]): ReadonlySet<number> {
  const known = new Set(rows.map(({ sequence }) => sequence));
  const index = exclude.findIndex((sequence) => !known.has(sequence));
  if (index >= 0) {
    throw validationError(`exclude[${index}]`, `exclude[${index}]: the proposal has no change ${exclude[index]}.`);
  }
  const excluded = new Set(exclude);
  if (excluded.size < known.size) return excluded;
  throw validationError('exclude', 'exclude: leaves nothing to apply. Reject the proposal instead.');
}

/** @throws PROPOSAL_CONFLICT */
function refuseConflicts(
  rows: readonly ChangeRow[],
  excluded: ReadonlySet<number>,
  conflicts: Conflicts,
  onConflict: Body['on_conflict'],
): void {
  const isNothingLeft = conflicts.size + excluded.size === rows.length;
  if (conflicts.size === 0 || (onConflict === 'skip' && !isNothingLeft)) return;
  const details = rows.flatMap((row) => {
    const conflict = conflicts.get(row.sequence);
    if (!conflict) return [];
    const { entity_type, entity_id, entity_short_id } = row;
    return [{ path: `/changes/${row.sequence}`, ...conflict, entity_type, entity_id, entity_short_id }];
  });
  throw new AppError('PROPOSAL_CONFLICT', conflictMessage(conflicts.size, isNothingLeft), {
    details: details.slice(0, LIMITS.proposalConflictsListed),
    members: { conflict_count: conflicts.size },
  });
}

/** What no check foresaw is a conflict too, at the change where it happened. @throws PROPOSAL_CONFLICT */
async function writeOrRefuse(
  { logger }: Instance,
  tx: WriteTx,
  rows: readonly ChangeRow[],
  writing: () => Promise<void>,
): Promise<void> {
  await tx.attempt(writing).catch((error: unknown) => {
    if (!(error instanceof UnwritableChange)) throw error;
    logger.error({ err: error.cause }, 'A change of a proposal could not be written, though no conflict was found.');
    const message = 'It cannot be written as things are now.';
    const conflict = { reason: 'changed_since', fields: [], message } as const;
    refuseConflicts(rows, new Set(), new Map([[error.sequence, conflict]]), 'refuse');
  });
}

function conflictMessage(count: number, isNothingLeft: boolean): string {
  const [changes, them] = count === 1 ? ['1 change', 'it'] : [`${count} changes`, 'them'];
  const said = `${changes} can no longer be applied, so nothing was written. The details say why.`;
  if (isNothingLeft) return `${said} There is nothing else to apply: reject the proposal.`;
  return `${said} Send on_conflict "skip" to leave ${them} out and apply the rest.`;
}

function reasonsOf({ calls }: ProposalRow): string | null {
  const reasons = (JSON.parse(calls) as ProposalRecord['calls']).flatMap(({ reason }) => reason ?? []);
  return reasons.length === 0 ? null : [...new Set(reasons)].join('; ');
}

function summaryOf({ proposer_name: name, short_id: shortId }: ProposalRow, count: number): string {
  return `Applied ${count} ${count === 1 ? 'change' : 'changes'} that ${name} proposed (${shortId})`;
}

interface Decision {
  applied: readonly number[];
  existing: ReadonlySet<number>;
  conflicts: Conflicts;
  excluded: ReadonlySet<number>;
}

async function decide(
  tx: WriteTx,
  proposal: ProposalRow,
  principal: Principal | null,
  { note }: Body,
  { applied, existing, conflicts, excluded }: Decision,
): Promise<ProposalRow> {
  const actor = actorOf(principal);
  const decision = {
    status: 'applied',
    decided_at: tx.now,
    decider_type: actor.type,
    decider_id: actor.id,
    decider_name: actor.name,
    decision_note: note,
    applied_count: applied.length + existing.size,
    skipped_count: conflicts.size,
    change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
  };
  await updateProposal(tx, proposal.id, decision);
  await setOutcome(tx, proposal.id, 'applied', applied);
  await setOutcome(tx, proposal.id, 'existing', [...existing]);
  await setOutcome(tx, proposal.id, 'skipped', [...conflicts.keys()]);
  await setOutcome(tx, proposal.id, 'excluded', [...excluded]);
  return { ...proposal, ...decision };
}

function skippedOf(rows: readonly ChangeRow[], conflicts: Conflicts): Skipped {
  return rows.flatMap((row) => {
    const conflict = conflicts.get(row.sequence);
    if (!conflict) return [];
    return [
      {
        sequence: row.sequence,
        entity_type: row.entity_type as Skipped[number]['entity_type'],
        entity_id: row.entity_id,
        entity_short_id: row.entity_short_id,
        reason: conflict.reason,
      },
    ];
  });
}
