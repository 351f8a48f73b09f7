import { expect, test } from 'vitest';

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
} from '../harness/banks/simulated-banks.ts';
import { useSimulators } from '../harness/banks/simulators.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';

const CONNECTIONS = 50;
const CONCURRENCY = 4;
const DUE = '2000-01-01T00:00:00.000Z';
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

/** Makes every connection due at that instant; null: none is, and no sync waits. */
async function setDue(app: TestApp, at: string | null): Promise<void> {
  await app.write('test.due', async (tx) => {
    tx.journal.allowUnjournaled('connection');
    await tx.q.updateTable('connections').set({ next_sync_at: at }).execute();
    if (at === null) await tx.q.deleteFrom('sync_turns').execute();
  });
}

/** The name under which a server holds its leases. */
async function holderIn(app: TestApp, { program }: Awaited<ReturnType<typeof serve>>): Promise<string> {
  const name = `server:process ${program.pid} on %`;
  const [lease] = await rowsOf<{ holder: string }>(
    app.app.instance.database,
    `select holder from leases where name like '${name}'`,
  );
  if (!lease) throw new Error('The server has not announced itself.');
  return lease.holder;
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
        await setDue(app, null);
        const faults = { path: '*', times: 10 * CONNECTIONS };
        simulators.plaid.control.addFault({ ...faults, delay_ms: PLAID_ANSWER_MS });
        simulators.teller.control.addFault({ ...faults, delay_ms: TELLER_ANSWER_MS });

        const holderOf = new Map<string, string>();
        const holders = (): string[] => [...new Set(holderOf.values())];
        const succeeded = async (): Promise<{ id: string }[]> =>
          rowsOf(app.app.instance.database, `select id from sync_logs where status = 'success'`);
        // Both are there before anything is due: however busy the machine, there is enough for each.
        const doomed = await serve(app);
        await serve(app);
        const doomedHolder = await holderIn(app, doomed);
        await setDue(app, DUE);
        await eventually(async () => {
          // While it is stopped it can end no sync. One of two may just be committed: the other surely is interrupted.
          doomed.program.kill('SIGSTOP');
          try {
            const busy = await look(app, holderOf);
            const done = new Set((await succeeded()).flatMap(({ id }) => holderOf.get(id) ?? []));
            expect([done.size, busy.filter((holder) => holder === doomedHolder).length > 1]).toEqual([2, true]);
          } catch (error) {
            doomed.program.kill('SIGCONT');
            throw error;
          }
        }, ENOUGH_MS);
        expect((await succeeded()).length).toBeLessThan(CONNECTIONS - CONCURRENCY);
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
        expect([others.length <= CONCURRENCY, new Set(others)]).toEqual([true, new Set(['INTERRUPTED'])]);
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
