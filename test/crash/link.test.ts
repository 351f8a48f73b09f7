import { expect, test } from 'vitest';

import { LIMITS } from '../../src/kernel/limits.ts';
import { eventually } from '../harness/eventually.ts';
import { runProgram } from '../harness/programs/program.ts';
import {
  allSynced,
  listenAndSync,
  openBeforeBanks,
  plaidBody,
  runningClock,
  storedNames,
} from '../harness/banks/simulated-banks.ts';
import { useSimulators } from '../harness/banks/simulators.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

const PATH = '/api/v1/connections';
const KEY = 'once';
const ENOUGH_MS = 60_000;

const simulators = useSimulators();

interface Killed {
  app: TestApp;
  body: object;
  itemId: string;
}

forEachDatabase((database) => {
  /** A process that links a bank of one transaction, and dies on the way. */
  async function linkAndDie(point: string): Promise<Killed> {
    const { app, member } = await openBeforeBanks(database, simulators);
    const { control } = simulators.plaid;
    const { item_id: itemId, public_token: token } = control.addItem();
    control.changeTransactions(itemId, { added: [{ name: 'Rent', amount: 800 }] });
    await app.close();
    const body = plaidBody(member, token);
    const words = ['test/crash/send-request.ts', point, '0', app.key, KEY, PATH, JSON.stringify(body)];
    const { signal, out, err } = await runProgram(words, { env: app.env });
    expect([point, signal, out], err).toEqual([point, 'SIGKILL', '']);
    return { app, body, itemId };
  }

  async function restart({ app }: Killed, aheadMs = 0): Promise<TestApp> {
    const later = await app.again({ clock: runningClock(aheadMs) });
    await listenAndSync(later);
    return later;
  }

  /** A server database notices the end of a killed process when it next looks; until then the answer says to try again. */
  const retry = async (app: TestApp, body: object): Promise<Answer> =>
    eventually(async () => {
      const answer = await app.request('POST', PATH, { body, headers: { 'idempotency-key': KEY } });
      expect([answer.status, answer.json.error?.code]).not.toEqual([409, 'CONFLICT']);
      return answer;
    });

  const count = async ({ app }: TestApp, table: string): Promise<number> =>
    (await rowsOf(app.instance.database, `select 1 as n from ${table}`)).length;
  const calls = (path: string): number =>
    simulators.plaid.control.requests().filter((request) => request.path === path).length;

  test.for(['link:opened', 'link:before-commit', 'link:committed'])(
    'a link killed at %s is whole after its retry, with one exchange',
    { timeout: ENOUGH_MS },
    async (point) => {
      const killed = await linkAndDie(point);
      const later = await restart(killed);
      const isLinked = point === 'link:committed' ? 1 : 0;
      expect([await count(later, 'connections'), await count(later, 'pending_links')]).toEqual([
        isLinked,
        1 - isLinked,
      ]);
      const answer = await retry(later, killed.body);
      expect(answer.status, answer.text).toBe(201);
      expect([await count(later, 'connections'), await count(later, 'pending_links')]).toEqual([1, 0]);
      expect([calls('/item/public_token/exchange'), calls('/item/remove')]).toEqual([1, 0]);
      await allSynced(later);
      expect(await storedNames(later)).toEqual(['Rent']);
      expect((await later.request('GET', '/api/v1/sync/logs')).json.sync_logs).toMatchObject([
        { status: 'success', trigger: 'initial', added_count: 1 },
      ]);
    },
  );

  test(
    'a link that nobody retries is revoked when its time is over',
    async () => {
      const killed = await linkAndDie('link:kept');
      const soon = await restart(killed);
      expect(await count(soon, 'pending_links')).toBe(1);
      await soon.close();
      const later = await restart(killed, LIMITS.pendingLinkMs);
      await eventually(async () => expect(await count(later, 'pending_links')).toBe(0), ENOUGH_MS);
      expect([await count(later, 'connections'), calls('/item/remove')]).toEqual([0, 1]);
    },
    ENOUGH_MS,
  );

  test(
    'a link killed before anything was stored leaves nothing, and its retry says what the bank says',
    async () => {
      const killed = await linkAndDie('link:exchanged');
      const later = await restart(killed);
      expect([await count(later, 'connections'), await count(later, 'pending_links')]).toEqual([0, 0]);
      const { status, json } = await retry(later, killed.body);
      expect([status, json.error.code]).toEqual([502, 'PROVIDER_ERROR']);
      expect(await count(later, 'accounts')).toBe(0);
    },
    ENOUGH_MS,
  );
});
