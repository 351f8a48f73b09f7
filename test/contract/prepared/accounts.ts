import { addAccount, type Made } from '../../harness/ledger.ts';
import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

let made = 0;

/** A name that no account has yet. */
function freshName(): string {
  made += 1;
  return `Wallet ${made}`;
}

/** An account of its own for a call, without rows, of the first member of the household. */
async function freshAccount(app: TestApp): Promise<Made> {
  const [member] = (await app.request('GET', '/api/v1/users')).json as Made[];
  return addAccount(app, member as Made, { name: freshName() });
}

const DAY = '2026-04-26';
const onDay = async (app: TestApp) => ({ params: { id: (await freshAccount(app)).short_id, date: DAY } });

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  async createAccount(app) {
    const [member] = (await app.request('GET', '/api/v1/users')).json as Made[];
    return { body: { name: freshName(), iso_currency_code: 'USD', user_id: member?.short_id } };
  },
  deleteAccount: async (app) => ({ params: { id: (await freshAccount(app)).short_id } }),
  setAccountBalance: onDay,
  async deleteAccountBalance(app) {
    const { params } = await onDay(app);
    await app.request('PUT', `/api/v1/accounts/${params.id}/balances/${DAY}`, { body: { balance_current: '10.00' } });
    return { params };
  },
};
