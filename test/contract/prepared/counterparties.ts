import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';
import { freshTransaction } from './transactions.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getCounterparty: async (app) => ({ params: { id: await newCounterparty(app) } }),
  updateCounterparty: async (app) => ({ params: { id: await newCounterparty(app) } }),
  deleteCounterparty: async (app) => ({ params: { id: await newCounterparty(app) } }),
  linkCounterpartyTransactions: async (app) => ({
    params: { id: await newCounterparty(app) },
    body: { transaction_ids: [(await freshTransaction(app)).id] },
  }),
  async unlinkCounterpartyTransaction(app) {
    const transaction = (await freshTransaction(app)).id;
    return { params: { id: await newCounterparty(app, [transaction]), txid: transaction } };
  },
  mergeCounterparties: async (app) => ({
    params: { id: await newCounterparty(app) },
    body: { from_counterparty_id: await newCounterparty(app) },
  }),
};

async function newCounterparty(app: TestApp, transactionIds: readonly string[] = []): Promise<string> {
  const body = { name: `Shop ${crypto.randomUUID()}`, transaction_ids: transactionIds };
  return (await app.request('POST', '/api/v1/counterparties', { body })).json.id as string;
}
