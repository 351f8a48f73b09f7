import { createTag } from '../../../src/features/tags/tags.contract.ts';
import { propose } from '../../harness/agents/proposals.ts';
import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

/** Proposed by another key than the one that decides. */
const onProposal = async (app: TestApp) => {
  const { key } = await app.newKey({ name: 'Reviewer' });
  const slug = `p-${crypto.randomUUID()}`;
  const { proposal_id: id } = await propose(app, createTag, { key, body: { slug, name: slug } });
  // A thread has the clock of the machine.
  await app.write('test.proposal', async (tx) => {
    await tx.q.updateTable('proposals').set({ expires_at: '2126-01-01T00:00:00.000Z' }).execute();
  });
  return { params: { id: id as string }, body: {} };
};

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getProposal: onProposal,
  approveProposal: onProposal,
  rejectProposal: onProposal,
};
