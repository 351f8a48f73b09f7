import fc from 'fast-check';
import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../harness/ledger.ts';
import { allRows } from '../harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';
import { command, play, type Household } from './household-commands.ts';

const RUNS = 1;
const COMMANDS = 40;
const someCommands = fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS, size: 'max' });
/** In the names of what is wiped, and of nothing else. */
const MARK = 'xanaqz';

interface Half {
  member: Made;
  accounts: Made[];
  transactions: Made[];
}

async function addHalf(app: TestApp, memberName: string, name: string): Promise<Half> {
  const member = await addMember(app, memberName);
  const accounts = [
    await addAccount(app, member, { name: `Checking ${name}` }),
    await addAccount(app, member, { name: `Card ${name}` }),
  ];
  const transactions = await addTransactions(
    app,
    ['Cafe', 'Grocer', 'Rent', 'Bakery 1'].map((what, index) => ({
      account: accounts[index % 2] as Made,
      date: `2026-04-0${index + 1}`,
      amount_cents: 1_000 + index,
      name: `${what} ${name}`,
    })),
  );
  return { member, accounts, transactions };
}

/** What a person sees of one half, but for stamps. */
async function shownOf(app: TestApp, { member, transactions }: Half): Promise<unknown> {
  const get = async (path: string) => {
    const { status, json } = await app.request('GET', `/api/v1/${path}`);
    return status === 200 ? json : status;
  };
  const accounts = (await get(`accounts?user_id=${member.short_id}`)) as Made[];
  const ids = transactions.map(({ id }) => id);
  return [
    accounts,
    await get(`transactions?user_id=${member.short_id}&limit=500`),
    await get(`transactions/summary?user_id=${member.short_id}&group_by=month,category`),
    await Promise.all(accounts.map(({ id }) => get(`accounts/${id}/balances`))),
    await Promise.all(ids.map((id) => get(`transactions/${id}/comments?include_deleted=true`))),
    await Promise.all(ids.map((id) => get(`transactions/${id}/annotations`))),
  ];
}

forEachDatabase((database) => {
  test('after random writes, a wipe leaves nothing of one member and everything of another, whatever is reverted then', async () => {
    const app = await database.open();
    await fc.assert(
      fc.asyncProperty(someCommands, async (commands) => {
        const [ada, bea] = [await addHalf(app, 'Ada', MARK), await addHalf(app, 'Bea', 'Bea')];
        const household: Household = {
          app,
          accounts: [...ada.accounts, ...bea.accounts],
          transactions: [...ada.transactions, ...bea.transactions],
        };
        const written: string[] = [];
        for (const one of commands) {
          const id = (await play(household, one))?.headers['x-change-set-id'];
          if (id !== undefined) written.push(String(id));
        }
        const before = await shownOf(app, bea);
        const wiped = await app.request('POST', `/api/v1/users/${ada.member.id}/wipe-data`, { body: {} });
        expect([wiped.status, wiped.text]).toEqual([200, expect.stringContaining('"deleted_transactions":')]);
        expect(await shownOf(app, bea)).toEqual(before);
        await expectRevertsToEnd(app, written.reverse());
        for (const [table, rows] of Object.entries(await allRows(app.app.instance.database))) {
          expect([table, rows.filter((row) => row.toLowerCase().includes(MARK))]).toEqual([table, []]);
        }
      }),
      { numRuns: RUNS, seed: 20_260_428, endOnFailure: true },
    );
  }, 120_000);
});

/** Each is reverted, or the answer says why not. */
async function expectRevertsToEnd(app: TestApp, changeSets: readonly string[]): Promise<void> {
  for (const id of changeSets) {
    const body = { on_conflict: 'skip' };
    const answer = await app.request('POST', `/api/v1/change-sets/${id}/revert`, { body });
    expect(answer.status, answer.text).toBeLessThan(500);
  }
}
