import { instantNow } from '../../kernel/clock.ts';
import { cutPage, decodeCursor, fingerprintOf, positionAfter, wholeNumber } from '../../kernel/cursor.ts';
import { notFound, unknownId } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { withUuids } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { selectStatuses, type ChangeSetStatus } from '../change-sets/index.ts';
import { actorOf, handleRead, handleWrite, type ReadContext } from '../handler.ts';
import { comparePlan, type Conflicts } from './find-conflicts.ts';
import * as contract from './proposals.contract.ts';
import {
  findProposal,
  isRunKnown,
  isWorkflowKnown,
  selectPlannedChanges,
  selectProposals,
  updateProposal,
  type ChangeRow,
  type ProposalRow,
} from './proposals.queries.ts';
import { toChange, toProposal } from './proposals.table.ts';
import { refuseProposer, refuseUnlessOpen, statusAt } from './proposal-state.ts';

export const listProposals = handleRead(contract.listProposals, async (context, { query }) => {
  const { tx, instance } = context;
  const { limit, cursor, ...filters } = query;
  const now = instantNow(instance.clock);
  const names = { workflow: 'workflows', run_id: 'workflow_runs' } as const;
  const fingerprint = fingerprintOf(await withUuids(tx, filters, names));
  const position = await positionAfter(cursor, fingerprint, (id) => findProposal(tx, id));
  await refuseUnknown(tx, query);
  const filter = {
    statuses: query.status.includes('all') ? undefined : query.status,
    workflow: query.workflow,
    runId: query.run_id,
    source: query.source,
  };
  const rows = await selectProposals(tx, filter, now, position, limit + 1);
  const few = countWithFewChanges(rows.slice(0, limit));
  const { shown, end } = cutPage(rows, few, fingerprint, (last) => ({ key: last.created_at, id: last.id }));
  const proposals = [];
  const statuses = await statusesOf(tx, shown);
  for (const row of shown) {
    const { size: conflictCount } = await conflictsOf(context, row, now);
    proposals.push(toProposal(row, now, { conflictCount, changeSetStatus: statuses.get(row.id) ?? null }));
  }
  return { proposals, ...end, limit };
});

/** What became of the change sets of proposals, by proposal. */
async function statusesOf(tx: ReadTx, rows: readonly ProposalRow[]): Promise<Map<string, ChangeSetStatus>> {
  const statuses = await selectStatuses(
    tx,
    rows.flatMap(({ change_set_id: id }) => id ?? []),
  );
  return new Map(
    rows.flatMap(({ id, change_set_id: setId }) => {
      const status = statuses.get(setId ?? '');
      return status === undefined ? [] : [[id, status] as const];
    }),
  );
}

/** @throws INVALID_PARAMETER */
async function refuseUnknown(
  tx: ReadTx,
  { workflow, run_id: runId }: { workflow?: string | undefined; run_id?: string | undefined },
): Promise<void> {
  if (workflow !== undefined && !(await isWorkflowKnown(tx, workflow))) {
    throw unknownId('workflow', 'workflow', workflow);
  }
  if (runId !== undefined && !(await isRunKnown(tx, runId))) throw unknownId('run_id', 'run', runId);
}

/** Each change is compared with the ledger, so a page with very many of them ends early. */
function countWithFewChanges(rows: readonly ProposalRow[]): number {
  let changeCount = 0;
  const end = rows.findIndex((row) => (changeCount += row.change_count) > LIMITS.proposalChangesListed);
  return end === -1 ? rows.length : Math.max(end, 1);
}

async function conflictsOf(
  { tx, instance }: ReadContext,
  row: ProposalRow,
  now: string,
  known?: ChangeRow[],
): Promise<Conflicts> {
  if (statusAt(row, now) !== 'proposed') return new Map();
  const changes = known ?? (await selectPlannedChanges(tx, row.id));
  return (await comparePlan(tx, await instance.undos(), changes, now)).conflicts;
}

export const getProposal = handleRead(contract.getProposal, async (context, { params, query }) => {
  const { tx, instance } = context;
  const row = await getProposalRow(tx, params.id);
  const now = instantNow(instance.clock);
  const { limit, conflicts_only: conflictsOnly } = query;
  const fingerprint = fingerprintOf({ proposal_id: row.id, conflictsOnly });
  const after = query.cursor === undefined ? 0 : wholeNumber(decodeCursor(query.cursor, fingerprint).key);
  const all = await selectPlannedChanges(tx, row.id);
  const conflicts = await conflictsOf(context, row, now, all);
  const wanted = all.filter(({ sequence }) => sequence > after && (!conflictsOnly || conflicts.has(sequence)));
  const changeSetStatus = (await statusesOf(tx, [row])).get(row.id) ?? null;
  const { shown, end } = cutPage(wanted, limit, fingerprint, (last) => ({ key: String(last.sequence), id: '' }));
  return {
    ...toProposal(row, now, { conflictCount: conflicts.size, changeSetStatus }),
    changes: shown.map((change) => toChange(change, conflicts.get(change.sequence)?.reason ?? null)),
    ...end,
  };
});

export const rejectProposal = handleWrite(
  contract.rejectProposal,
  'proposal.reject',
  async ({ tx, principal }, { params, body }) => {
    const row = await getProposalRow(tx, params.id);
    refuseProposer(row, principal);
    refuseUnlessOpen(row, tx.now);
    const actor = actorOf(principal);
    const decision = {
      status: 'rejected',
      decided_at: tx.now,
      decider_type: actor.type,
      decider_id: actor.id,
      decider_name: actor.name,
      decision_note: body.note ?? null,
    };
    await updateProposal(tx, row.id, decision);
    return toProposal({ ...row, ...decision }, tx.now, { conflictCount: 0, changeSetStatus: null });
  },
);

/** @throws NOT_FOUND */
export async function getProposalRow(tx: ReadTx, anyId: string): Promise<ProposalRow> {
  const row = await findProposal(tx, anyId);
  if (!row) throw notFound('proposal');
  return row;
}
