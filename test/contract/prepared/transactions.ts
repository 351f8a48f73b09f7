import { addTag, addTransactions, type Made, type NewTransaction } from '../../harness/ledger.ts';
import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

/** A transaction of its own for a call, in the first account of the household. */
export async function freshTransaction(app: TestApp, extra: Partial<NewTransaction> = {}): Promise<Made> {
  const [account] = (await app.request('GET', '/api/v1/accounts')).json as Made[];
  const row = { account: account as Made, date: '2026-04-25', amount_cents: 2_340, name: 'Corner Cafe', ...extra };
  return (await addTransactions(app, [row]))[0] as Made;
}

const onFresh =
  (extra: Partial<NewTransaction> = {}, more: Readonly<Record<string, string>> = {}) =>
  async (app: TestApp) => ({ params: { id: (await freshTransaction(app, extra)).short_id, ...more } });

const columns = (values: NewTransaction['columns'] & object) => ({ columns: values });
const withMetadata = columns({ metadata: '{"invoice":"B-18","draft":true}' });
const deleted = columns({ deleted_at: '2026-04-26T06:00:00.000Z', deleted_cause: 'person' });
const chosenByHand = columns({ category_source: 'person', locks: '["category"]' });

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  async createTransaction(app) {
    const [account] = (await app.request('GET', '/api/v1/accounts')).json as Made[];
    return { body: { account_id: account?.short_id, date: '2026-04-25', amount: '23.40', name: 'Corner Cafe' } };
  },
  deleteTransaction: onFresh(),
  restoreTransaction: onFresh(deleted),
  setTransactionCategory: onFresh(),
  resetTransactionCategory: onFresh(chosenByHand),
  flagTransaction: onFresh(),
  unflagTransaction: onFresh(columns({ flagged_at: '2026-04-26T06:00:00.000Z' })),
  addTransactionTag: onFresh(),
  async removeTransactionTag(app) {
    const slug = 'to-take-off';
    const { id } = await freshTransaction(app, { tags: [await addTag(app, slug)] });
    return { params: { id, slug } };
  },
  replaceTransactionMetadata: onFresh(),
  updateTransactionMetadata: onFresh(withMetadata),
  clearTransactionMetadata: onFresh(withMetadata),
  setTransactionMetadataKey: onFresh(withMetadata, { key: 'invoice' }),
  unsetTransactionMetadataKey: onFresh(withMetadata, { key: 'invoice' }),
};
