import type { Made } from '../harness/ledger.ts';
import type { TestApp } from '../harness/test-app.ts';
import { fileBody, type Prepared } from './live-calls.ts';

async function someMember(app: TestApp): Promise<string> {
  const [member] = (await app.request('GET', '/api/v1/users')).json as Made[];
  return (member as Made).short_id;
}

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  createConnection: async () => ({ body: { provider: 'csv', credentials: fileBody('Savings') } }),
  async disableProvider(app) {
    await app.request('PUT', '/api/v1/settings/providers/plaid', { body: { client_id: 'client', secret: 'secret' } });
    return { params: { name: 'plaid' } };
  },
  createLinkSession: async (app) => ({ params: { name: 'csv' }, body: { user_id: await someMember(app) } }),
};
