import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, test } from 'vitest';

import { sha256Hex } from '../../src/kernel/crypto.ts';
import { createPostgresDatabase, temporaryDirectory } from '../harness/databases/databases.ts';
import { flip, foreignDatabase, overwrite, sizeOf } from '../harness/databases/database-file.ts';
import { runProgram } from '../harness/programs/program.ts';

const KEY = 'cd'.repeat(32);
const RUNNING = /^homeledger\.sqlite-(wal|shm)$/;
let original: Promise<string> | undefined;

interface Home {
  folder: string;
  file: string;
  keyFile: string;
  run: (more?: Readonly<Record<string, string>>, ...words: string[]) => ReturnType<typeof runProgram>;
}

function emptyHome(): Home {
  const { path: folder } = temporaryDirectory();
  const env = { HOMELEDGER_DATA_DIR: folder, PORT: '0', LOG_FORMAT: 'json' };
  return {
    folder,
    file: join(folder, 'homeledger.sqlite'),
    keyFile: join(folder, 'encryption.key'),
    run: (more = {}, ...words) =>
      runProgram(['src/start.js', ...(words.length > 0 ? words : ['keys', 'create', '--name', 'Test'])], {
        env: { ...env, ...more },
      }),
  };
}

/** An installation that has started once. */
async function usedHome(): Promise<Home> {
  original ??= startedOnce();
  const [from, home] = [await original, emptyHome()];
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(home.folder, name));
  return home;
}

async function startedOnce(): Promise<string> {
  const home = emptyHome();
  expect((await home.run()).code).toBe(0);
  return home.folder;
}

interface Fault {
  name: string;
  make: (home: Home) => void;
  says: readonly RegExp[];
}

const LOST = [/its encryption key exists: .*encryption\.key/, /Put your newest copy/, /move the key file away/];
const DAMAGED = [/homeledger\.sqlite is damaged/, /Nothing was changed/, /Put your newest copy/];

const FAULTS: Fault[] = [
  { name: 'without its database', make: ({ file }) => rmSync(file), says: [/is missing/, ...LOST] },
  { name: 'with an empty file', make: ({ file }) => truncateSync(file), says: [/is empty/, ...LOST] },
  {
    name: 'with a database that has no table',
    make: ({ folder, file }) => {
      rmSync(file);
      foreignDatabase(join(folder, 'x'));
      copyFileSync(join(folder, 'x'), file);
      rmSync(join(folder, 'x'));
      dropTables(file);
    },
    says: [/has no tables/, ...LOST],
  },
  {
    name: 'with the log of a database that is missing',
    make: ({ file, keyFile }) => {
      rmSync(file);
      rmSync(keyFile);
      writeFileSync(`${file}-wal`, 'what was written last');
    },
    says: [/is missing, but its log .*-wal exists/, /move the log away/],
  },
  {
    name: 'with the database of another program',
    make: ({ file }) => {
      rmSync(file);
      foreignDatabase(file);
    },
    says: [/belongs to another program\. Nothing was changed/],
  },
  { name: 'with garbage', make: ({ file }) => writeFileSync(file, 'no database '.repeat(2_000)), says: DAMAGED },
  { name: 'with a damaged header', make: ({ file }) => flip(file, 0, 100), says: DAMAGED },
  { name: 'with a damaged page of the schema', make: ({ file }) => flip(file, 100, 3_000), says: DAMAGED },
  { name: 'with zeros', make: ({ file }) => overwrite(file, 0, new Uint8Array(sizeOf(file))), says: DAMAGED },
  { name: 'with the first page alone', make: ({ file }) => truncateSync(file, 4_096), says: DAMAGED },
  { name: 'with half a page', make: ({ file }) => truncateSync(file, 2_000), says: DAMAGED },
  {
    name: 'with a directory in the place of the database',
    make: ({ file }) => {
      rmSync(file);
      mkdirSync(file);
    },
    says: [/homeledger\.sqlite is not a file/],
  },
];

for (const { name, make, says } of FAULTS) {
  test(`a start ${name} is refused in one line, and changes nothing`, async () => {
    const home = await usedHome();
    make(home);
    const before = contentOf(home.folder);
    const { code, err, out } = await home.run({}, 'serve');
    expect([code, out]).toEqual([1, '']);
    for (const words of says) expect(err).toMatch(words);
    expect(err).toMatch(/^error: [^\n]*\n$/);
    expect(err).not.toMatch(/DATABASE_URL|\.ts:\d/);
    expect(contentOf(home.folder)).toEqual(before);
  });
}

test('the newest copy made before an upgrade is named', async () => {
  const home = await usedHome();
  mkdirSync(join(home.folder, 'backups'));
  copyFileSync(home.file, join(home.folder, 'backups/homeledger-20260101-000000-pre_migration.sqlite'));
  flip(home.file, 0, 100);
  const { err } = await home.run();
  expect(err).toContain(join(home.folder, 'backups/homeledger-20260101-000000-pre_migration.sqlite'));
});

test('an upgrade that cannot copy the database first says where and what is needed, and changes nothing', async () => {
  const home = await usedHome();
  const upgrade = () => runProgram(['test/crash/next-version.ts', home.file]);
  const backups = join(home.folder, 'backups');
  writeFileSync(backups, '');
  const before = contentOf(home.folder);
  const { code, err } = await upgrade();
  expect(code).toBe(1);
  expect(err).toMatch(/The database could not be copied to \S+backups before the migration \(.+\)\. [^\n]+\n/);
  expect(err).toMatch(/Nothing was changed.*writable.*free space/);
  expect(contentOf(home.folder)).toEqual(before);
  rmSync(backups);
  expect((await upgrade()).code).toBe(0);
  expect(readdirSync(backups)).toHaveLength(1);
});

test('following the advice helps: the copy put back, or the key moved away', async () => {
  const home = await usedHome();
  renameSync(home.file, `${home.file}.copy`);
  expect((await home.run()).code).toBe(1);
  renameSync(`${home.file}.copy`, home.file);
  expect((await home.run()).code).toBe(0);
  rmSync(home.file);
  renameSync(home.keyFile, `${home.keyFile}.old`);
  expect((await home.run()).code).toBe(0);
});

test('a first start that was killed between its key and its row starts again', async () => {
  const home = emptyHome();
  const env = { HOMELEDGER_DATA_DIR: home.folder };
  const killed = await runProgram(['test/crash/start-app.ts', 'key:made'], { env });
  expect([killed.signal, existsSync(home.keyFile)]).toEqual(['SIGKILL', true]);
  const key = readFileSync(home.keyFile, 'utf8');
  const again = await home.run();
  expect([again.code, readFileSync(home.keyFile, 'utf8')]).toEqual([0, key]);
});

test('with a key from the environment the key file is none of its business', async () => {
  const home = emptyHome();
  writeFileSync(home.keyFile, `${KEY}\n`);
  const refused = await home.run();
  expect([refused.code, existsSync(home.file)]).toEqual([1, false]);
  expect((await home.run({ ENCRYPTION_KEY: KEY })).code).toBe(0);
});

test('a key file beside an empty server database is a sign of loss too', async () => {
  const database = await createPostgresDatabase();
  const home = await usedHome();
  const { code, err } = await home.run({ DATABASE_URL: database.url });
  expect(code).toBe(1);
  expect(err).toMatch(/DATABASE_URL names has no tables, but its encryption key exists/);
  expect(err).not.toContain('homeledger.sqlite');
  await database.drop();
});

test('only what may make a household makes one, and says where', async () => {
  const home = emptyHome();
  const folder = join(home.folder, 'new');
  const listed = await home.run({ HOMELEDGER_DATA_DIR: folder }, 'keys', 'list');
  expect([listed.code, listed.err]).toEqual([1, expect.stringContaining(join(folder, 'homeledger.sqlite'))]);
  expect((await home.run({ HOMELEDGER_DATA_DIR: folder }, 'keys', 'revoke', 'x', '--yes')).code).toBe(1);
  expect(existsSync(folder)).toBe(false);
  const made = await home.run({ HOMELEDGER_DATA_DIR: folder });
  expect([made.code, made.err]).toEqual([0, `Created the database ${join(folder, 'homeledger.sqlite')}.\n`]);
  expect((await home.run({ HOMELEDGER_DATA_DIR: folder })).err).toBe('');
  expect((await home.run({ HOMELEDGER_DATA_DIR: folder }, 'keys', 'list')).code).toBe(0);
});

function dropTables(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('drop table photos');
  database.close();
}

/** Every file with the hash of its content; what SQLite makes beside an open database does not count. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !RUNNING.test(name));
  return Object.fromEntries(
    names.map((entry) => [
      entry.name,
      entry.isFile() ? sha256Hex(readFileSync(join(folder, entry.name))) : 'a directory',
    ]),
  );
}

test('no household is begun in a server database that cannot hold every text', async () => {
  const database = await createPostgresDatabase({ encoding: 'LATIN1' });
  const home = emptyHome();
  const { code, err } = await home.run({ DATABASE_URL: database.url });
  expect(code).toBe(1);
  expect(err).toMatch(/^error: The database that DATABASE_URL names has the encoding LATIN1, [^\n]+ UTF8[^\n]+\n$/);
  expect(existsSync(home.keyFile)).toBe(false);
});
