import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';
import { expect } from 'vitest';

import { systemClock } from '../../../src/kernel/clock.ts';
import { eventually } from '../eventually.ts';
import { fixedClock } from '../fixed-clock.ts';
import { addMember, type Made } from '../ledger.ts';
import { startProgram, type Program } from '../programs/program.ts';
import { rowsOf } from '../table-rows.ts';
import { TEST_START, type TestApp, type TestClock, type TestDatabase } from '../test-app.ts';
import { resetSimulators, type Simulators } from './simulators.ts';

/** Banks of the simulators in an installation that processes of their own serve, by the time of the machine. */

const ENOUGH_MS = 60_000;
/** More than one sync stores in place, so that it takes the way through a file. */
const PLAID_ROWS = 120;
const TELLER_ROWS = 4;

export interface SimulatedBanks {
  /** Closed: a database file has room for one process. */
  app: TestApp;
  member: Made;
  /** The one that was linked first, and the other. Their first syncs were asked for; one runs at a time. */
  connections: readonly [Made, Made];
  /** The banks tell of so many more transactions each. */
  addRows: (plaid: number, teller: number) => void;
  /** The names of all that they have told of. */
  names: () => string[];
}

/** The clock of the machine, or one that runs ahead of it. */
export function runningClock(aheadMs = 0): TestClock {
  return { ...fixedClock(TEST_START), now: () => systemClock.now() + aheadMs };
}

/** An installation with a member whose providers are the simulators; it is open. */
export async function openBeforeBanks(
  database: TestDatabase,
  simulators: Simulators,
): Promise<{ app: TestApp; member: Made }> {
  resetSimulators(simulators, new Date(systemClock.now()).toISOString());
  const bare = await database.open();
  const member = await addMember(bare, 'Ada');
  await bare.close();
  return { member, app: await bare.again({ env: { ...simulators.env, PORT: '0' }, clock: runningClock() }) };
}

export async function linkBank(app: TestApp, body: object): Promise<Made> {
  const { status, json, text } = await app.request('POST', '/api/v1/connections', { body });
  expect(status, text).toBe(201);
  return json;
}

/** A bank of each provider, which were just linked. */
export async function openWithTwoBanks(
  database: TestDatabase,
  simulators: Simulators,
  first: 'plaid' | 'teller' = 'plaid',
): Promise<SimulatedBanks> {
  const { app, member } = await openBeforeBanks(database, simulators);
  const { plaid, teller } = simulators;
  const item = plaid.control.addItem();
  const enrollment = teller.control.addEnrollment();
  const names: string[] = [];
  const newNames = (bank: string, count: number): string[] => {
    const made = Array.from({ length: count }, (_, n) => `${bank} ${names.length + n}`);
    names.push(...made);
    return made;
  };
  const addRows = (plaidRows: number, tellerRows: number): void => {
    const added = newNames('Cascade', plaidRows).map((name, n) => ({ name, amount: n + 1 }));
    const put = newNames('Harbor', tellerRows).map((description, n) => ({ description, amount: `-${n + 1}.00` }));
    plaid.control.changeTransactions(item.item_id, { added });
    teller.control.changeTransactions(enrollment.enrollment_id, { put });
  };
  addRows(PLAID_ROWS, TELLER_ROWS);
  await app.request('PUT', '/api/v1/config/sync_concurrency', { body: { value: 1 } });
  const bodies = [plaidBody(member, item.public_token), tellerBody(member, enrollment)] as const;
  const [one, other] = first === 'plaid' ? bodies : [bodies[1], bodies[0]];
  const connections = [await linkBank(app, one), await linkBank(app, other)] as const;
  await app.close();
  return { app, member, connections, addRows, names: () => names.toSorted() };
}

export function plaidBody(member: Made, publicToken: string): object {
  const credentials = {
    public_token: publicToken,
    institution_id: 'ins_109508',
    institution_name: 'First Platypus Bank',
  };
  return { provider: 'plaid', user_id: member.short_id, allow_duplicate: true, credentials };
}

export function tellerBody(member: Made, enrollment: { access_token: string; enrollment_id: string }): object {
  const { access_token, enrollment_id } = enrollment;
  const credentials = { access_token, enrollment_id, institution_name: 'Security CU' };
  return { provider: 'teller', user_id: member.short_id, allow_duplicate: true, credentials };
}

/** A running service in a process of its own. */
export interface ServingProgram {
  program: Program;
  send: (method: string, path: string, body?: object) => Promise<Response>;
}

export async function serve(app: TestApp): Promise<ServingProgram> {
  const program = startProgram(['src/start.js', 'serve'], { env: app.env });
  const [, address = ''] = await program.says(/listens on (http:\S+)/);
  const headers = { 'x-api-key': app.key, 'content-type': 'application/json' };
  return {
    program,
    send: (method, path, body = {}) =>
      fetch(`${address}/api/v1${path}`, {
        method,
        headers,
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

/**
 * Has the time pass after which the leases of a dead process end: those of this holder, or of all. Nothing is to be done
 * on a database file, whose next process knows that it is alone.
 */
export async function endLeases({ env }: TestApp, holder?: string): Promise<void> {
  const { DATABASE_URL: url } = env;
  if (url === undefined) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `update sync_turns set expires_at = '2000-01-01T00:00:00.000Z' where holder = coalesce($1, holder)`,
      [holder ?? null],
    );
  } finally {
    await client.end();
  }
}

/** Listens, and looks for syncs at once: a service leaves its first half second to the first requests. */
export async function listenAndSync({ app }: TestApp): Promise<void> {
  await app.listen();
  app.instance.syncs().start();
}

/** Waits until no sync runs or waits, and nothing is left to do after one. */
export async function allSynced({ app }: TestApp): Promise<void> {
  const { database } = app.instance;
  await eventually(async () => {
    const busy = 'select connection_id from sync_turns where holder is not null or requested_at is not null';
    expect(await rowsOf(database, busy)).toEqual([]);
    expect(await rowsOf(database, 'select * from after_sync_notes')).toEqual([]);
  }, ENOUGH_MS);
}

/** How the syncs of each connection ended, oldest first. */
export async function endings({ app }: TestApp, connections: readonly Made[]): Promise<string[][]> {
  const logs = await rowsOf<{ connection_id: string; status: string; error_code: string | null }>(
    app.instance.database,
    'select connection_id, status, error_code from sync_logs order by started_at, id',
  );
  return connections.map(({ id }) =>
    logs.filter((log) => log.connection_id === id).map(({ status, error_code: code }) => code ?? status),
  );
}

/** The names of all transactions in the ledger, sorted. */
export async function storedNames({ app }: TestApp): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    app.instance.database,
    'select t.name from transactions t where t.deleted_at is null',
  );
  return rows.map(({ name }) => name).toSorted();
}

/** Files that syncs keep what they fetched in. */
export function spools({ app }: TestApp): string[] {
  const folder = join(app.instance.config.dataDir, 'temp');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('sync-')) : [];
}
