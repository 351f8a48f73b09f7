import fc from 'fast-check';
import { expect, test } from 'vitest';

import { operations } from '../../src/contract/registry.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { beginRun, endRun, propose, type ProposingRun } from '../harness/agents/proposals.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../harness/test-app.ts';
import { command, play, visibleState, type Household } from './household-commands.ts';

const RUNS = 3;
const COMMANDS = 30;

/** What a proposal cannot contain: accounts, imports, and rows that are entered, merged or deleted by hand. */
const NOT_PROPOSED =
  /^(merge|deleteTransaction|restoreTransaction|\w*Account|(un)?stateBalance|enterTransaction|importFile|\w*Reports?)$/;
const proposable = command.filter(({ kind }) => !NOT_PROPOSED.test(kind));
const someCommands = fc.array(fc.record({ command: proposable, chance: fc.nat(9) }), {
  minLength: 5,
  maxLength: COMMANDS,
  size: 'max',
});

async function newHousehold(app: TestApp): Promise<Household> {
  const account = await addAccount(app, await addMember(app, 'Ada'));
  const transactions = await addTransactions(
    app,
    ['Corner Cafe', 'Grocer', 'Rent', 'Bakery 1', 'Fuel', 'Cinema'].map((name, index) => ({
      account,
      date: `2026-04-0${index + 1}`,
      amount_cents: 1_000 + index,
      name,
    })),
  );
  return { app, accounts: [account], transactions };
}

type Result = Record<string, unknown>;

/** The app as somebody sees it who may only propose; `then` is told what each call was answered. */
function proposing(
  app: TestApp,
  as: { key: string } | { run: ProposingRun },
  then: (result: Result, method: string, target: string, body: unknown) => Promise<void>,
): TestApp {
  const request = async (method: string, target: string, options: RequestOptions = {}): Promise<Answer> => {
    if (method === 'GET') return app.request(method, target, options);
    const { pathname, searchParams } = new URL(target, 'http://localhost');
    for (const operation of operations) {
      const pattern = new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
      const found = operation.method === method ? pattern.exec(pathname) : null;
      if (!found) continue;
      const params = found.groups ?? {};
      const { body } = options;
      const result = await propose(app, operation, { ...as, params, query: Object.fromEntries(searchParams), body });
      await then(result as Result, method, target, body);
      return { status: 'error' in result ? 400 : 200, headers: {}, text: '', json: result };
    }
    throw new Error(`No operation for ${method} ${pathname}.`);
  };
  return { ...app, request };
}

/** Without what differs from one installation to another, and who wrote: ids become their place. */
function comparable(value: unknown, places = new Map<unknown, string>()): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, places));
  if (typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(value)) return placeOf(value, places);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]: [string, unknown]) => {
      if (name.startsWith('author_') || (name === 'deleted_at' && held !== null)) return [];
      if (name === 'short_id' || name.endsWith('_short_id')) return [];
      // A short id, of a member of the one household or the other.
      if (name === 'attributed_user_id' && held !== null) return [[name, placeOf(held as string, places)]];
      return [[name, name === 'user_id' ? null : comparable(held, places)]];
    }),
  );
}

function placeOf(id: string, places: Map<unknown, string>): string {
  const place = places.get(id) ?? `#${places.size}`;
  places.set(id, place);
  return place;
}

const locks = async ({ app }: TestApp): Promise<unknown[]> =>
  rowsOf(app.instance.database, 'select name, locks, category_source from transactions order by id');

async function decide(app: TestApp, id: string, verb: 'approve' | 'reject'): Promise<Answer> {
  const decided = await app.request('POST', `/api/v1/proposals/${id}/${verb}`, { body: {} });
  expect(decided.status, decided.text).toBe(200);
  return decided;
}

/** What comments that were taken back leave behind is not part of what a plan does. */
function lasting(state: unknown): unknown {
  const { comments, ...rest } = state as { comments: [string, { is_deleted: boolean }[]][] };
  return comparable({ ...rest, comments: comments.map(([id, all]) => [id, all.filter((one) => !one.is_deleted)]) });
}

forEachDatabase((database) => {
  test('what is proposed and approved leaves the ledger as if it had been done; what is rejected leaves it as it was', async () => {
    const [direct, planned] = [await database.open(), await database.open()];
    const { key } = await planned.newKey({ name: 'Reviewer', actor_type: 'agent' });
    const deciding = (verb: 'approve' | 'reject'): TestApp =>
      proposing(planned, { key }, async ({ proposal_id: id }) => {
        if (typeof id === 'string') await decide(planned, id, verb);
      });
    await fc.assert(
      fc.asyncProperty(someCommands, async (commands) => {
        const [one, two] = [await newHousehold(direct), await newHousehold(planned)];
        for (const { command: wanted, chance } of commands) {
          if (chance === 0) {
            const before = await visibleState(two);
            await play({ ...two, app: deciding('reject') }, wanted);
            expect(await visibleState(two)).toEqual(before);
            // A refused change is not proposed again for a while.
            await planned.write('test.forget', async (tx) => {
              await tx.q.deleteFrom('proposals').where('status', '=', 'rejected').execute();
            });
          }
          await play(one, wanted);
          await play({ ...two, app: deciding('approve') }, wanted);
        }
        expect(comparable(await visibleState(two))).toEqual(comparable(await visibleState(one)));
        expect(await locks(planned)).toEqual(await locks(direct));
      }),
      { numRuns: RUNS, seed: 20_260_426 },
    );
  }, 120_000);

  test('the plan of a run, approved at once, does what its calls would have done one after the other', async () => {
    const app = await database.open();
    await fc.assert(
      fc.asyncProperty(fc.array(proposable, { minLength: 5, maxLength: 20, size: 'max' }), async (commands) => {
        const household = await newHousehold(app);
        const before = [await visibleState(household), await locks(app)];
        const run = await beginRun(app, 'Reviewer');
        const calls: { method: string; target: string; body: unknown; error: unknown }[] = [];
        const planning = proposing(app, { run }, async ({ error }, method, target, body) => {
          calls.push({ method, target, body, error });
        });
        for (const wanted of commands) await play({ ...household, app: planning }, wanted);
        await endRun(app, run);
        expect([await visibleState(household), await locks(app)]).toEqual(before);

        const { proposals } = (await app.request('GET', `/api/v1/proposals?run_id=${run.id}`)).json;
        let planned = before[0];
        if (proposals.length > 0) {
          const { json } = await decide(app, proposals[0].id, 'approve');
          planned = await visibleState(household);
          const undone = await app.request('POST', `/api/v1/change-sets/${json.change_set_id}/revert`, { body: {} });
          expect([undone.status, undone.json.skipped_count], undone.text).toEqual([200, 0]);
          expect([lasting(await visibleState(household)), await locks(app)]).toEqual([lasting(before[0]), before[1]]);
        }
        for (const { method, target, body, error } of calls) {
          const { json } = await app.request(method, target, { body });
          expect([method, target, json?.error?.code]).toEqual([method, target, error]);
        }
        // Not locks: what a call changes and a later one changes back is not part of the plan, and is locked otherwise.
        expect(lasting(await visibleState(household))).toEqual(lasting(planned));
      }),
      { numRuns: RUNS, seed: 20_261_123 },
    );
  }, 120_000);
});
