import fc from 'fast-check';
import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';
import { command, importDays, play, visibleState, type Household } from './household-commands.ts';

const RUNS = 8;
const COMMANDS = 60;
const someCommands = fc.array(command, { minLength: 5, maxLength: COMMANDS, size: 'max' });

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
  test('random writes, reverted in reverse order, leave the household as it was; reverted again, as it had become', async () => {
    const app = await database.open();
    const household = await newHousehold(app);
    await fc.assert(
      fc.asyncProperty(someCommands, async (commands) => {
        const initial = await visibleState(household);
        const written: string[] = [];
        for (const one of commands) {
          const answer = await play(household, one);
          expect(answer?.status ?? 200, `${one.kind}: ${answer?.text}`).toBeLessThan(500);
          const id = answer?.headers['x-change-set-id'];
          if (id !== undefined) written.push(String(id));
        }
        const changed = await visibleState(household);
        const reverts = await revertSet(app, written.reverse());
        expect(await visibleState(household)).toEqual(initial);
        await revertSet(app, reverts.reverse());
        expect(await visibleState(household)).toEqual(changed);
        await revertSet(app, written);
        expect(await visibleState(household)).toEqual(initial);
      }),
      { numRuns: RUNS, seed: 20_260_426 },
    );
  }, 120_000);

  test('an import reverted by force leaves only what later imports changed, and returns with everything people added', async () => {
    const app = await database.open();
    const member = await addMember(app, 'Ada');
    await fc.assert(
      fc.asyncProperty(someCommands, fc.boolean(), async (commands, isSecond) => {
        const account = await addAccount(app, member);
        let { json: taken } = await importDays(app, account, 0, DAYS);
        if (isSecond) {
          await revertSet(app, [taken.import.change_set_id]);
          ({ json: taken } = await importDays(app, account, 0, DAYS));
        }
        const transactions = await liveRows(app, account);
        const household: Household = { app, accounts: [account], transactions };
        for (const one of commands) await play(household, one);
        const [worked, live] = [await visibleState(household), await liveRows(app, account)];
        const forced = await forceOut(app, taken.import.id, transactions, live);
        if (!forced) return;
        const redone = await app.request('POST', `/api/v1/change-sets/${forced}/revert`, { body: {} });
        expect([redone.status, redone.text.slice(0, 500)]).toEqual([200, expect.anything()]);
        expect(await visibleState(household)).toEqual(worked);
      }),
      { numRuns: RUNS, seed: 20_260_427 },
    );
  }, 120_000);
});

const DAYS = 6;

async function liveRows(app: TestApp, { id }: Made): Promise<Made[]> {
  const query = { account_id: id, limit: 500 };
  // A command may have deleted the account, which cannot be filtered by then.
  return ((await app.request('GET', '/api/v1/transactions', { query })).json.transactions ?? []) as Made[];
}

/**
 * Takes the import back by force: its rows go but for those that are told as left, the counts are exact, and a rehearsal
 * says the same. Answers the revert; null when there was nothing left to take out.
 */
async function forceOut(
  app: TestApp,
  importId: string,
  own: readonly Made[],
  before: readonly Made[],
): Promise<string | null> {
  const revert = (body: object): Promise<Answer> => app.request('POST', `/api/v1/imports/${importId}/revert`, { body });
  const isLive = (rows: readonly Made[]) => new Set(rows.map(({ id }) => id));
  const [was, rehearsed] = [isLive(before), await revert({ on_conflict: 'force', dry_run: true })];
  const done = await revert({ on_conflict: 'force' });
  if (own.every(({ id }) => !was.has(id))) return null;
  expect([done.status, done.text.slice(0, 500)]).toEqual([200, expect.anything()]);
  const { deleted_count, restored_count, kept_count, worked_on_count, skipped } = done.json;
  expect(rehearsed.json).toMatchObject({ deleted_count, restored_count, kept_count, worked_on_count, skipped });
  const after = new Set(
    (await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } })).json.transactions.map(
      (one: Made) => one.id,
    ),
  );
  const left = skipped.filter((one: { reason: string }) => one.reason === 'changed_since');
  const stayed = own.filter(({ id }) => after.has(id)).map(({ id }) => id);
  // The others stay because another import lists them.
  expect(stayed).toEqual(expect.arrayContaining(left.map((one: { entity_id: string }) => one.entity_id)));
  expect(stayed.length - left.length).toBe(kept_count);
  expect(deleted_count).toBe(own.filter(({ id }) => was.has(id) && !after.has(id)).length);
  return done.json.change_set?.id ?? null;
}

/** Reverts the sets in the order given; answers the reverts. */
async function revertSet(app: TestApp, ids: readonly string[]): Promise<string[]> {
  const reverts: string[] = [];
  for (const id of ids) {
    const answer = await app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });
    expect([id, answer.status, answer.text.slice(0, 500)]).toEqual([id, 200, expect.anything()]);
    if (answer.json.change_set !== null) reverts.push(answer.json.change_set.id as string);
  }
  return reverts;
}
