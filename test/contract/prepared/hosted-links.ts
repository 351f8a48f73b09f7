import { addBankConnection, configureProviders } from '../../harness/banks/bank-connection.ts';
import { addMember } from '../../harness/ledger.ts';
import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  createHostedLink: async (app) => ({ body: await linkFor(app) }),
  createHostedRelink: async (app) => {
    await configureProviders(app);
    const { id } = await addBankConnection(app, await addMember(app, 'Ana'));
    return { params: { id } };
  },
  getHostedLink: async (app) => ({ params: { id: await mint(app) } }),
  cancelHostedLink: async (app) => ({ params: { id: await mint(app) } }),
};

async function linkFor(app: TestApp): Promise<object> {
  await configureProviders(app);
  return { user_id: (await addMember(app, 'Ana')).id, provider: 'plaid' };
}

async function mint(app: TestApp): Promise<string> {
  const minted = await app.request('POST', '/api/v1/connections/link', { body: await linkFor(app) });
  return minted.json.id as string;
}
