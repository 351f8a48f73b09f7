import fc from 'fast-check';
import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';
import { command, play, visibleState, type Household } from './household-commands.ts';

const RUNS = 8;
const COMMANDS = 60;

async function newHousehold(app: TestApp): Promise<Household> {
  const member = await addMember(app, 'Ada');
  const accounts = [await addAccount(app, member), await addAccount(app, member, { name: 'Card' })];
  const transactions = await addTransactions(
    app,
    ['Corner Cafe', 'Grocer', 'Rent', 'Bakery 1', 'Fuel', 'Cinema'].map((name, index) => ({
      account: accounts[index % 2] as (typeof accounts)[number],
      date: `2026-04-0${index + 1}`,
      amount_cents: 1_000 + index,
      name,
    })),
  );
  return { app, accounts, transactions };
}

forEachDatabase((database) => {
  test('random writes, taken back in reverse order, leave the household as it was; taken back again, as it had become', async () => {
    const app = await database.open();
    const household = await newHousehold(app);
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: COMMANDS, size: 'max' }), async (commands) => {
        const initial = await visibleState(household);
        const written: string[] = [];
        for (const one of commands) {
          const answer = await play(household, one);
          expect(answer?.status ?? 200, `${one.kind}: ${answer?.text}`).toBeLessThan(500);
          const id = answer?.headers['x-change-set-id'];
          if (id !== undefined) written.push(String(id));
        }
        const changed = await visibleState(household);
        const reverts = await takeBack(app, written.reverse());
        expect(await visibleState(household)).toEqual(initial);
        await takeBack(app, reverts.reverse());
        expect(await visibleState(household)).toEqual(changed);
        await takeBack(app, written);
        expect(await visibleState(household)).toEqual(initial);
      }),
      { numRuns: RUNS, seed: 20_260_426 },
    );
  }, 120_000);
});

/** Reverts the sets in the order given; answers the reverts. */
async function takeBack(app: TestApp, ids: readonly string[]): Promise<string[]> {
  const reverts: string[] = [];
  for (const id of ids) {
    const answer = await app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });
    expect([id, answer.status, answer.text.slice(0, 500)]).toEqual([id, 200, expect.anything()]);
    if (answer.json.change_set !== null) reverts.push(answer.json.change_set.id as string);
  }
  return reverts;
}
