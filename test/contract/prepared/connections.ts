import { addBankConnection, configureProviders } from '../../harness/banks/bank-connection.ts';
import type { Made } from '../../harness/ledger.ts';
import type { TestApp } from '../../harness/test-app.ts';
import { fileBody, type LiveCall, type Prepared } from '../live-calls.ts';

async function someMember(app: TestApp): Promise<Made> {
  const [member] = (await app.request('GET', '/api/v1/users')).json as Made[];
  return member as Made;
}

/** A connection of its own for a call. */
async function onOwn(app: TestApp, columns: Parameters<typeof addBankConnection>[2] = {}): Promise<LiveCall> {
  return { params: { id: (await addBankConnection(app, await someMember(app), columns)).short_id } };
}

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  createConnection: async () => ({ body: { provider: 'csv', credentials: fileBody('Savings') } }),
  updateConnection: (app) => onOwn(app),
  pauseConnection: (app) => onOwn(app),
  deleteConnection: (app) => onOwn(app),
  completeReauthentication: async (app) => onOwn(app, { status: 'pending_reauth' }),
  async reauthenticateConnection(app) {
    await configureProviders(app);
    return onOwn(app, { provider: 'teller' });
  },
  async disableProvider(app) {
    await configureProviders(app);
    return { params: { name: 'plaid' } };
  },
  createLinkSession: async (app) => ({ params: { name: 'csv' }, body: { user_id: (await someMember(app)).short_id } }),
};
