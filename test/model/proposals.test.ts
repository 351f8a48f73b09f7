import fc from 'fast-check';
import { expect, test } from 'vitest';

import { operations } from '../../src/contract/registry.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { propose } from '../harness/proposals.ts';
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

/** The app as an agent sees it that may only propose; `decide` is asked what becomes of each proposal. */
function proposing(app: TestApp, key: string, decide: (id: string) => Promise<Answer>): TestApp {
  const request = async (method: string, target: string, options: RequestOptions = {}): Promise<Answer> => {
    if (method === 'GET') return app.request(method, target, options);
    const { pathname, searchParams } = new URL(target, 'http://localhost');
    for (const operation of operations) {
      const pattern = new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
      const found = operation.method === method ? pattern.exec(pathname) : null;
      if (!found) continue;
      const params = found.groups ?? {};
      const { body } = options;
      const result = await propose(app, operation, { key, params, query: Object.fromEntries(searchParams), body });
      const decided = typeof result.proposal_id === 'string' ? await decide(result.proposal_id as string) : null;
      if (decided) expect(decided.status, decided.text).toBe(200);
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

forEachDatabase((database) => {
  test('what is proposed and approved leaves the ledger as if it had been done; what is rejected leaves it as it was', async () => {
    const [direct, planned] = [await database.open(), await database.open()];
    const { key } = await planned.newKey({ name: 'Reviewer', actor_type: 'agent' });
    const decide = async (id: string, verb: string): Promise<Answer> =>
      planned.request('POST', `/api/v1/proposals/${id}/${verb}`, { body: {} });
    await fc.assert(
      fc.asyncProperty(someCommands, async (commands) => {
        const [one, two] = [await newHousehold(direct), await newHousehold(planned)];
        for (const { command: wanted, chance } of commands) {
          if (chance === 0) {
            const before = await visibleState(two);
            await play({ ...two, app: proposing(planned, key, (id) => decide(id, 'reject')) }, wanted);
            expect(await visibleState(two)).toEqual(before);
            // A refused change is not proposed again for a while.
            await planned.write('test.forget', async (tx) => {
              await tx.q.deleteFrom('proposals').where('status', '=', 'rejected').execute();
            });
          }
          await play(one, wanted);
          await play({ ...two, app: proposing(planned, key, (id) => decide(id, 'approve')) }, wanted);
        }
        expect(comparable(await visibleState(two))).toEqual(comparable(await visibleState(one)));
        expect(await locks(planned)).toEqual(await locks(direct));
      }),
      { numRuns: RUNS, seed: 20_260_426 },
    );
  }, 120_000);
});
