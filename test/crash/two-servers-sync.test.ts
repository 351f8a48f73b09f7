import { expect, test } from 'vitest';

import { dropRequest } from '../../src/features/sync/index.ts';
import { bookkeep } from '../../src/journal/write.ts';
import { eventually } from '../harness/eventually.ts';
import type { Made } from '../harness/ledger.ts';
import {
  allSynced,
  endings,
  endLeases,
  linkBank,
  openBeforeBanks,
  plaidBody,
  serve,
  storedNames,
  tellerBody,
} from '../harness/simulated-banks.ts';
import { useSimulators } from '../harness/simulators.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';

const CONNECTIONS = 50;
const CONCURRENCY = 4;
/** Each server still has plenty to do when one is killed. */
const DONE_AT_KILL = 12;
const PLAID_ANSWER_MS = 200;
const TELLER_ANSWER_MS = 100;
const ENOUGH_MS = 90_000;

const simulators = useSimulators();

/** Links a bank with two transactions, and tells their names. */
async function linkOne(app: TestApp, member: Made, n: number): Promise<{ connection: Made; names: string[] }> {
  const names = [`Rent ${n}`, `Bread ${n}`];
  const { plaid, teller } = simulators;
  if (n % 2 === 0) {
    const item = plaid.control.addItem();
    const added = names.map((name, row) => ({ name, amount: row + 1 }));
    plaid.control.changeTransactions(item.item_id, { added });
    return { connection: await linkBank(app, plaidBody(member, item.public_token)), names };
  }
  const enrollment = teller.control.addEnrollment();
  const put = names.map((description, row) => ({ description, amount: `-${row + 1}.00` }));
  teller.control.changeTransactions(enrollment.enrollment_id, { put });
  return { connection: await linkBank(app, tellerBody(member, enrollment)), names };
}

/** Notes whose syncs are seen, by log, and answers who has some now. No connection may ever have two that run. */
async function look(app: TestApp, holderOf: Map<string, string>): Promise<string[]> {
  const { database } = app.app.instance;
  const turns = await rowsOf<{ holder: string; sync_log_id: string }>(
    database,
    'select holder, sync_log_id from sync_turns where holder is not null',
  );
  for (const { holder, sync_log_id: logId } of turns) holderOf.set(logId, holder);
  const doubled = `select connection_id from sync_logs where status = 'in_progress'
    group by connection_id having count(*) > 1`;
  expect(await rowsOf(database, doubled)).toEqual([]);
  return turns.map(({ holder }) => holder);
}

forEachDatabase(
  (database) => {
    test(
      'two servers share the syncs that are due, and one takes over those of the other when it is killed',
      async () => {
        const { app, member } = await openBeforeBanks(database, simulators);
        const linked: Awaited<ReturnType<typeof linkOne>>[] = [];
        for (let n = 0; n < CONNECTIONS; n += 1) linked.push(await linkOne(app, member, n));
        const connections = linked.map(({ connection }) => connection);
        // They are due as well, by the schedule.
        await bookkeep(app.app.instance.database, async (tx) => {
          for (const { id } of connections) await dropRequest(tx, id);
        });
        const faults = { path: '*', times: 10 * CONNECTIONS };
        simulators.plaid.control.addFault({ ...faults, delay_ms: PLAID_ANSWER_MS });
        simulators.teller.control.addFault({ ...faults, delay_ms: TELLER_ANSWER_MS });

        const holderOf = new Map<string, string>();
        const holders = (): string[] => [...new Set(holderOf.values())];
        const succeeded = async (): Promise<{ id: string }[]> =>
          rowsOf(app.app.instance.database, `select id from sync_logs where status = 'success'`);
        const doomed = await serve(app);
        await eventually(async () => {
          await look(app, holderOf);
          expect(holders()).toHaveLength(1);
        }, ENOUGH_MS);
        const [doomedHolder = ''] = holders();
        await serve(app);
        await eventually(async () => {
          expect((await succeeded()).length).toBeGreaterThanOrEqual(DONE_AT_KILL);
          const busy = await look(app, holderOf);
          expect([holders().length, busy.includes(doomedHolder)]).toEqual([2, true]);
        }, ENOUGH_MS);
        doomed.program.kill('SIGKILL');
        await doomed.program.ended;
        await endLeases(app, doomedHolder);
        await eventually(async () => {
          await look(app, holderOf);
          expect(await succeeded()).toHaveLength(CONNECTIONS);
        }, ENOUGH_MS);
        await allSynced(app);

        const all = await endings(app, connections);
        expect(all.map((ended) => ended.at(-1))).toEqual(connections.map(() => 'success'));
        expect(all.flat().filter((ended) => ended === 'success')).toHaveLength(CONNECTIONS);
        const others = all.flat().filter((ended) => ended !== 'success');
        // A sync that was killed after its commit is a success that only had not returned its lease.
        expect([others.length <= CONCURRENCY, others.filter((ended) => ended !== 'INTERRUPTED')]).toEqual([true, []]);
        // Not every sync was seen while it ran.
        const seen = (await succeeded()).flatMap(({ id }) => holderOf.get(id) ?? []);
        expect([new Set(seen), holders().length]).toEqual([new Set(holders()), 2]);
        expect(await storedNames(app)).toEqual(linked.flatMap(({ names }) => names).toSorted());
      },
      ENOUGH_MS,
    );
  },
  ['PostgreSQL'],
);
