import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';
import { freshTransaction } from './transactions.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getSeries: async (app) => ({ params: { id: await newSeries(app) } }),
  listSeriesPrices: async (app) => ({ params: { id: await newSeries(app) } }),
  updateSeries: async (app) => ({ params: { id: await newSeries(app) } }),
  deleteSeries: async (app) => ({ params: { id: await newSeries(app, [(await freshTransaction(app)).id]) } }),
  linkSeriesTransactions: async (app) => ({
    params: { id: await newSeries(app) },
    body: { transaction_ids: [(await freshTransaction(app)).id] },
  }),
  async unlinkSeriesTransaction(app) {
    const transaction = (await freshTransaction(app)).id;
    return { params: { id: await newSeries(app, [transaction]), txid: transaction } };
  },
};

async function newSeries(app: TestApp, transactionIds: readonly string[] = []): Promise<string> {
  const body = { name: `Series ${crypto.randomUUID()}`, transaction_ids: transactionIds };
  return (await app.request('POST', '/api/v1/series', { body })).json.id as string;
}
