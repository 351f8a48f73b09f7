import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { temporaryDirectory } from '../harness/databases/databases.ts';
import { startPostgres } from '../harness/runner/postgres-server.ts';
import { runProgram, startProgram, type Program } from '../harness/programs/program.ts';
import { startLoad, type Load } from './load.ts';

const BREAKS = 20;
const STOPS = 2;
const ENOUGH_MS = 180_000;

/** A service as a process of its own, on a database server of its own that the test may break. */
async function serve(): Promise<{ load: Load; program: Program; database: Awaited<ReturnType<typeof startPostgres>> }> {
  const database = await startPostgres();
  onTestFinished(() => database.stop());
  const env = {
    HOMELEDGER_DATA_DIR: temporaryDirectory().path,
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_FORMAT: 'json',
    API_RATE_LIMIT_RPM: '1000000',
    API_RATE_LIMIT_BURST: '1000000',
  };
  const made = await runProgram(['src/start.js', 'keys', 'create', '--name', 'Load', '--scope', 'full_access'], {
    env,
  });
  const program = startProgram(['src/start.js', 'serve'], { env });
  const [, address = ''] = await program.says(/listens on (http:\S+)/);
  return { load: await startLoad(address, made.out.trim(), program.ended), program, database };
}

async function breakAll(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`);
  await client.end();
}

test(
  'connections that break at any moment cost no write, double none, and never end the service',
  async () => {
    const { load, program, database } = await serve();
    for (let n = 1; n <= BREAKS; n += 1) {
      // Another moment each time: after some answers, whatever they were, and at least one success.
      await load.untilAnswers(1 + ((n * 7) % 11));
      await breakAll(database.url);
    }
    await load.end();
    await load.check();
    expect(program.err()).not.toMatch(/"level":(50|60)/);
  },
  ENOUGH_MS,
);

test(
  'a database server that is stopped and started again is used again without intervention',
  async () => {
    const { load, program, database } = await serve();
    for (let n = 0; n < STOPS; n += 1) {
      await load.untilAnswers(5);
      await database.pause();
      await load.untilRefusals(10);
      await database.resume();
    }
    await load.end();
    await load.check();
    expect(program.err()).not.toMatch(/"level":(50|60)/);
  },
  ENOUGH_MS,
);
