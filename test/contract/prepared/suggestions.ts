import { type Made } from '../../harness/ledger.ts';
import { addBank, addBankAccount, deliver, suggest } from '../../harness/syncs/synced-ledger.ts';
import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

/** An open suggestion about two transactions of a bank account. */
async function freshSuggestion(app: TestApp): Promise<string> {
  const [member] = (await app.request('GET', '/api/v1/users')).json as Made[];
  const account = await addBankAccount(app, await addBank(app, member as Made));
  const row = { date: '2026-04-20', amount_cents: 1_250, name: 'Corner Cafe' };
  const [older, newer] = (await deliver(app, account, [row, { ...row, name: 'CORNER CAFE 12' }])) as [Made, Made];
  await suggest(app, [
    {
      kind: 'possible_duplicate',
      connectionId: account.bank.id,
      accountId: account.id,
      transactionId: newer.id,
      candidates: [{ transaction_id: older.id, reasons: ['same_amount', 'close_date'] }],
    },
  ]);
  const { json } = await app.request('GET', '/api/v1/sync/suggestions', { query: { account_id: account.id } });
  return json.suggestions[0].id as string;
}

const onFresh = async (app: TestApp) => ({ params: { id: await freshSuggestion(app) } });

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getSuggestion: onFresh,
  acceptSuggestion: onFresh,
  dismissSuggestion: onFresh,
};
