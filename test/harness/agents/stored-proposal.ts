import type { TestApp } from '../test-app.ts';

interface Decision {
  status: string;
  decided_at: string | null;
}

const PROPOSAL = {
  title: 'Test',
  source: 'mcp',
  workflow_id: null,
  run_id: null,
  proposer_type: 'agent',
  proposer_id: null,
  proposer_name: 'Test',
  calls: '[]',
  change_count: 1,
  counts: '{}',
  totals: '[]',
  fingerprint: '',
  decider_type: null,
  decider_id: null,
  decider_name: null,
  decision_note: null,
  change_set_id: null,
};

const CHANGE = {
  call: 1,
  entity_type: 'transaction',
  operation: 'update',
  before: '{}',
  after: '{}',
  internal: null,
  source: 'edit',
  rule_id: null,
  applied_by: null,
  label: 'Test',
  amount_cents: null,
  iso_currency_code: null,
  date: null,
  name: null,
  account_id: null,
  was_pending: null,
  outcome: null,
};

/** A proposal that changes these transactions, as one is stored. */
export async function storeProposal(
  app: TestApp,
  principalId: string,
  shortIds: string[],
  decision: Decision,
): Promise<void> {
  await app.write('test.proposal', async (tx) => {
    const id = tx.ids.uuid();
    const times = { created_at: tx.now, proposed_at: tx.now, expires_at: '2099-01-01T00:00:00.000Z', ...decision };
    const proposal = { id, short_id: id.slice(-8), principal_id: principalId, ...PROPOSAL, ...times };
    await tx.q.insertInto('proposals').values(proposal).execute();
    const named = tx.q.selectFrom('transactions').select(['id', 'short_id']).where('short_id', 'in', shortIds);
    for (const [sequence, row] of (await named.execute()).entries()) {
      const of = {
        proposal_id: id,
        sequence,
        entity_id: row.id,
        entity_short_id: row.short_id,
        transaction_id: row.id,
      };
      await tx.q
        .insertInto('proposal_changes')
        .values({ ...CHANGE, ...of })
        .execute();
    }
  });
}
