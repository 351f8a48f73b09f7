import { expect, test } from 'vitest';

import { updateTransactions } from '../../src/features/transactions/transaction-bulk.contract.ts';
import { everything, household } from '../harness/ledgers/batches.ts';
import { runProgram } from '../harness/programs/program.ts';
import { propose } from '../harness/agents/proposals.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase((database) => {
  test('an approval that is killed before its commit leaves nothing, and one killed after it everything', async () => {
    const app = await database.open();
    const rows = await household(app, 20);
    const { key } = await app.newKey({ name: 'Reviewer', actor_type: 'agent' });
    const operations = rows.map(({ id }) => ({ transaction_id: id, tags_to_add: ['seen'], comment: 'Seen' }));
    const { proposal_id: id } = await propose(app, updateTransactions, { key, body: { operations } });
    // Another process has the clock of the machine.
    await app.write('test.proposal', async (tx) => {
      await tx.q.updateTable('proposals').set({ expires_at: '2126-01-01T00:00:00.000Z' }).execute();
    });
    const path = `/api/v1/proposals/${id}/approve`;
    const tables = async () => {
      const { idempotent_answers: _a, leases: _l, ...rest } = await everything(app);
      return rest;
    };
    const before = await tables();
    for (const [point, once] of [
      ['write:before-commit', 'one'],
      ['write:committed', 'two'],
    ] as const) {
      const words = ['test/crash/send-request.ts', point, '0', app.key, once, path, '{}'];
      const { signal, out, err } = await runProgram(words, { env: app.env });
      expect([point, signal, out], err).toEqual([point, 'SIGKILL', '']);
      if (point === 'write:before-commit') expect(await tables()).toEqual(before);
    }
    const { json } = await app.request('GET', `/api/v1/proposals/${id}`);
    expect(json).toMatchObject({ status: 'applied', applied_count: 41, skipped_count: 0 });
    const after = await tables();
    expect([after['comments']?.length, after['transaction_tags']?.length]).toEqual([20, 20]);
    const again = await app.request('POST', path, { body: {} });
    expect(again.json.error.code).toBe('PROPOSAL_NOT_OPEN');
  });
});
