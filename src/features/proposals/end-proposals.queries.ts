import { sql, type RawBuilder } from 'kysely';

import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import type { Instance } from '../handler.ts';
import { closeOrphanedPlans } from './close-plans.queries.ts';
import { summaryOf, withCounts } from './planned-changes.ts';
import {
  deleteProposal,
  findProposal,
  selectPlannedChanges,
  updateProposal,
  type ChangeRow,
} from './proposals.queries.ts';
import type { ProposalRecord } from './proposals.table.ts';

/** Stores which proposals have expired, which cannot be approved any more in any case, and ends what runs left behind. */
export async function expireProposals({ database }: Instance): Promise<void> {
  await bookkeep(database, async (tx) => {
    await sql`update proposals set status = 'expired' where status = 'proposed' and expires_at <= ${tx.now}`.execute(
      tx.q,
    );
    await closeOrphanedPlans(tx);
  });
}

/** What a wipe erases. */
interface Erased {
  accountIds: readonly string[];
  /** A query for their transactions, which are still there. */
  transactions: RawBuilder<unknown>;
}

/**
 * Removes from all proposals what is about erased rows (contract 20.11), with the reasons given for it. A proposal that
 * waits and has nothing left goes.
 */
export async function eraseFromProposals(tx: BareWriteTx, erased: Erased): Promise<void> {
  const { rows } = await sql<Pick<ChangeRow, 'proposal_id' | 'sequence'>>`
    select proposal_id, sequence from proposal_changes
    where entity_id in ${erased.transactions} or transaction_id in ${erased.transactions}
      or ${tx.portable.inList(sql.ref('entity_id'), erased.accountIds)}
    union select c.proposal_id, c.sequence from proposal_changes c
    where c.entity_type in ('account_link', 'transaction_match') and ${await namesErased(tx, erased)}`.execute(tx.q);
  for (const [proposalId, gone] of Map.groupBy(rows, (row) => row.proposal_id)) {
    const sequences = gone.map(({ sequence }) => sequence);
    await sql`delete from proposal_changes where proposal_id = ${proposalId}
      and ${tx.portable.inList(sql.ref('sequence'), sequences)}`.execute(tx.q);
    await settle(tx, proposalId);
  }
}

/** Links and matches name accounts and transactions in their fields only. */
async function namesErased(tx: BareWriteTx, { accountIds, transactions }: Erased): Promise<RawBuilder<boolean>> {
  const changes = await tx.q
    .selectFrom('proposal_changes')
    .select(['entity_id', 'before', 'after'])
    .where('entity_type', 'in', ['account_link', 'transaction_match'])
    .execute();
  const named = new Map<string, string[]>();
  for (const { entity_id: id, before, after } of changes) named.set(id, idsIn(before, after));
  const mentioned = [...new Set([...named.values()].flat())];
  const { rows } = await sql<{ id: string }>`select id from transactions
    where ${tx.portable.inList(sql.ref('id'), mentioned)} and id in ${transactions}`.execute(tx.q);
  const gone = new Set([...accountIds, ...rows.map(({ id }) => id)]);
  const concerned = [...named].flatMap(([id, ids]) => (ids.some((one) => gone.has(one)) ? [id] : []));
  return tx.portable.inList(sql.ref('c.entity_id'), concerned);
}

function idsIn(...sides: readonly (string | null)[]): string[] {
  return sides.flatMap((json) => {
    if (json === null) return [];
    return Object.entries(JSON.parse(json) as object).flatMap(([field, value]) =>
      field.endsWith('_id') && typeof value === 'string' ? [value] : [],
    );
  });
}

async function settle(tx: BareWriteTx, proposalId: string): Promise<void> {
  const [proposal, rows] = [await findProposal(tx, proposalId), await selectPlannedChanges(tx, proposalId)];
  if (!proposal) return;
  if (rows.length === 0 && ['draft', 'proposed'].includes(proposal.status)) {
    await deleteProposal(tx, proposalId);
    return;
  }
  const calls = withCounts(JSON.parse(proposal.calls) as ProposalRecord['calls'], rows);
  const silent = JSON.stringify(calls.map((call) => ({ ...call, reason: null })));
  await updateProposal(tx, proposalId, { ...summaryOf(rows), calls: silent, decision_note: null });
}
