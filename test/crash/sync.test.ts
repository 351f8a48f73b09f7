import { describe, expect, test } from 'vitest';

import { eventually } from '../harness/eventually.ts';
import { runProgram } from '../harness/programs/program.ts';
import {
  allSynced,
  endings,
  endLeases,
  listenAndSync,
  openWithTwoBanks,
  runningClock,
  serve,
  spools,
  storedNames,
  type SimulatedBanks,
} from '../harness/banks/simulated-banks.ts';
import { useSimulators } from '../harness/banks/simulators.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';

const BEFORE_COMMIT = ['sync:begun', 'sync:fetched', 'sync:collapsed', 'sync:planned', 'sync:rows-written'];
const POINTS: readonly [point: string, endings: string[]][] = [
  ...[...BEFORE_COMMIT, 'sync:before-commit'].map((point): [string, string[]] => [point, ['INTERRUPTED', 'success']]),
  ['sync:committed', ['success']],
  ['sync:finished', ['success']],
];
const KILLS = 2;
const ENOUGH_MS = 60_000;

const simulators = useSimulators();

async function dieAt(point: string, { app }: SimulatedBanks, workers = 0): Promise<void> {
  const { signal, err } = await runProgram(['test/crash/serve-syncs.ts', point, String(workers)], { env: app.env });
  expect([point, signal], err).toEqual([point, 'SIGKILL']);
  await endLeases(app);
}

async function restart({ app }: SimulatedBanks): Promise<TestApp> {
  const later = await app.again({ clock: runningClock() });
  await listenAndSync(later);
  return later;
}

/** Each row is there once, and the next sync finds nothing new. */
async function expectWhole(app: TestApp, { names, connections }: SimulatedBanks): Promise<void> {
  await allSynced(app);
  expect(await storedNames(app)).toEqual(names());
  for (const { id } of connections) {
    expect((await app.request('POST', `/api/v1/connections/${id}/sync`)).status).toBe(202);
  }
  await allSynced(app);
  const { sync_logs: logs } = (await app.request('GET', '/api/v1/sync/logs', { query: { limit: 2 } })).json;
  const unchanged = { status: 'success', added_count: 0, modified_count: 0, removed_count: 0 };
  expect(logs).toMatchObject([unchanged, unchanged]);
  expect(await storedNames(app)).toEqual(names());
  expect(spools(app)).toEqual([]);
}

forEachDatabase((database) => {
  describe('syncs of a process that is killed', { timeout: ENOUGH_MS }, () => {
    test.for(POINTS)('at %s are done once after a restart, as is the one that waits', async ([point, ended]) => {
      // Each provider meets each point on one of the databases.
      const isPlaid = POINTS.findIndex(([one]) => one === point) % 2 === (database.name === 'SQLite' ? 0 : 1);
      const banks = await openWithTwoBanks(database, simulators, isPlaid ? 'plaid' : 'teller');
      await dieAt(point, banks);
      const later = await restart(banks);
      await allSynced(later);
      expect(await endings(later, banks.connections)).toEqual([ended, ['success']]);
      await expectWhole(later, banks);
    });

    test('in a thread are done once after a restart', async () => {
      const banks = await openWithTwoBanks(database, simulators);
      await dieAt('sync:before-commit', banks, 1);
      const later = await restart(banks);
      await allSynced(later);
      expect(await endings(later, banks.connections)).toEqual([['INTERRUPTED', 'success'], ['success']]);
      await expectWhole(later, banks);
    });

    test('at any moment leave nothing behind that hinders the next', async () => {
      const banks = await openWithTwoBanks(database, simulators);
      const asked = (): number =>
        simulators.plaid.control.requests().length + simulators.teller.control.requests().length;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        banks.addRows(kill, kill);
        const { program, send } = await serve(banks.app);
        const enough = asked() + kill;
        const sent = banks.connections.map(async ({ id }) => send('POST', `/connections/${id}/sync`));
        expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([202, 202]);
        await eventually(() => expect(asked()).toBeGreaterThanOrEqual(enough), ENOUGH_MS);
        program.kill('SIGKILL');
        await program.ended;
        await endLeases(banks.app);
      }
      const later = await restart(banks);
      for (const { id } of banks.connections) await later.request('POST', `/api/v1/connections/${id}/sync`);
      await expectWhole(later, banks);
      const ended = new Set((await endings(later, banks.connections)).flat());
      expect([...ended].filter((one) => one !== 'INTERRUPTED')).toEqual(['success']);
    });
  });

  test(
    'an awaited provider holds up neither a write nor the end of the service',
    async () => {
      const banks = await openWithTwoBanks(database, simulators);
      const { control } = simulators.plaid;
      control.addFault({ path: '/transactions/sync', delay_ms: 2 * ENOUGH_MS });
      const { program, send } = await serve(banks.app);
      await eventually(() => expect(control.requests().map(({ path }) => path)).toContain('/transactions/sync'));
      expect((await send('POST', '/tags', { name: 'Coffee' })).status).toBe(201);
      const running = await send('GET', '/sync/logs?status=in_progress');
      expect(await running.json()).toMatchObject({ total: 1 });
      program.kill('SIGTERM');
      expect(await program.ended, program.err()).toEqual({ code: 0, signal: null });

      const later = await restart(banks);
      await allSynced(later);
      expect(await endings(later, banks.connections)).toEqual([['INTERRUPTED', 'success'], ['success']]);
      await expectWhole(later, banks);
    },
    ENOUGH_MS,
  );
});
