import { addAccount, addTransactions, type Made } from '../../harness/ledger.ts';
import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

/** Two accounts of a member that nothing links yet. */
async function freshPair(app: TestApp) {
  const [member] = (await app.request('GET', '/api/v1/users')).json as [Made];
  const [primary, dependent] = [await addAccount(app, member), await addAccount(app, member)];
  return { primary_account_id: primary.short_id, dependent_account_id: dependent.short_id };
}

/** A link with a purchase that nobody has looked at since. */
async function withNewRows(app: TestApp) {
  const accounts = await freshPair(app);
  const { json: link } = await app.request('POST', '/api/v1/account-links', { body: accounts });
  for (const id of [link.primary_account_id, link.dependent_account_id] as string[]) {
    const account = { id, short_id: '' };
    await addTransactions(app, [{ account, date: '2026-04-20', amount_cents: 1_250, name: 'Cafe' }]);
  }
  return { params: { id: link.short_id as string } };
}

const onFresh = async (app: TestApp) => {
  const { json } = await app.request('POST', '/api/v1/account-links', { body: await freshPair(app) });
  return { params: { id: json.short_id as string } };
};

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getAccountLink: onFresh,
  createAccountLink: async (app) => ({ body: await freshPair(app) }),
  replaceAccountLink: onFresh,
  updateAccountLink: onFresh,
  deleteAccountLink: onFresh,
  reconcileAccountLink: withNewRows,
  listLinkMatches: onFresh,
  listUnmatched: onFresh,
};
