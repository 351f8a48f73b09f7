import { expect, test } from 'vitest';

import { COFFEE, everything, household } from '../../../test/harness/batches.ts';
import { propose, type Proposed } from '../../../test/harness/proposals.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { updateTransactions } from '../transactions/transaction-bulk.contract.ts';

forEachDatabase((database) => {
  async function opened(count = 3) {
    const app = await database.open();
    const rows = await household(app, count);
    const agent = await app.newKey({ name: 'Reviewer', actor: { type: 'agent' } } as never);
    return { app, rows, agent: agent.key };
  }
  const recategorize = (app: TestApp, key: string, ids: string[], category: string, more = {}): Promise<Proposed> =>
    propose(app, updateTransactions, {
      key,
      body: { operations: ids.map((id) => ({ transaction_id: id, category_id: category })) },
      ...more,
    });

  test('a proposed category changes nothing but the proposal', async () => {
    const { app, rows, agent } = await opened();
    const before = await everything(app);
    const result = await recategorize(app, agent, [rows[0]?.id as string], COFFEE, { reason: 'Clear case' });
    expect(result).toMatchObject({
      succeeded: 1,
      change_set_id: null,
      proposed: true,
      plan: { call_count: 1, change_count: 1 },
    });
    const { proposals, proposal_changes, mcp_calls: calls, ...after } = await everything(app);
    expect({ ...after, proposals: [], proposal_changes: [], mcp_calls: [] }).toEqual(before);
    expect(calls).toHaveLength(1);
    expect([proposals?.length, proposal_changes?.length]).toEqual([1, 1]);
    const approved = await app.request('POST', `/api/v1/proposals/${result.proposal_id}/approve`, { body: {} });
    expect(approved.status).toBe(200);
  });
});
