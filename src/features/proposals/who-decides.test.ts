import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { propose, type Proposed } from '../../../test/harness/agents/proposals.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';
import { updateTransactions } from '../transactions/transaction-bulk.contract.ts';

forEachDatabase((database) => {
  test('no agent decides, in any mode, nor does a reading key; a person’s key decides on all but its own', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-04-20', amount_cents: 450, name: 'Cafe' };
    const [one, two] = (await addTransactions(app, [row, row])) as [Made, Made];
    const proposed = (made: Made, key: string): Promise<Proposed> =>
      propose(app, updateTransactions, { key, body: { operations: [{ transaction_id: made.id, flagged: true }] } });
    const decide = (id: string, verb: string, key: string): Promise<Answer> =>
      app.request('POST', `/api/v1/proposals/${id}/${verb}`, { key });
    const code = ({ status, json }: Answer): unknown[] => [status, json.error?.code];
    const agents = [
      await app.newKey({ actor_type: 'agent' }),
      await app.newKey({ actor_type: 'agent' }),
      await app.newKey({ scope: 'propose' }),
    ].map(({ key }) => key);

    const { proposal_id: id } = await proposed(one, agents[0] as string);
    for (const mode of ['read_only', 'propose', 'read_write']) {
      await app.request('PATCH', '/api/v1/settings/mcp', { body: { mode } });
      for (const key of [...agents, app.readOnlyKey]) {
        for (const verb of ['approve', 'reject']) {
          expect(code(await decide(id, verb, key))).toEqual([403, 'FORBIDDEN']);
        }
      }
    }
    const { key: mine } = await app.newKey({ name: 'Script' });
    const { proposal_id: own } = await proposed(two, mine);
    for (const verb of ['approve', 'reject']) expect(code(await decide(own, verb, mine))).toEqual([403, 'FORBIDDEN']);
    expect((await decide(own, 'reject', app.key)).json.status).toBe('rejected');
    expect((await decide(id, 'approve', mine)).json.status).toBe('applied');
  });
});
