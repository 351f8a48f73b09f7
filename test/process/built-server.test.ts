import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { temporaryDirectory } from '../harness/databases/databases.ts';
import { eventually } from '../harness/eventually.ts';
import { runProgram, startProgram } from '../harness/programs/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const SAID = 'Self-hosted household financial data';

interface Clone {
  path: string;
  build: () => Promise<void>;
  /** What its program says it is. */
  says: () => Promise<string>;
  /** Replaces what the program says it is. */
  edit: (file: string, text: string) => void;
}

/** A clone with its packages, in a folder of its own. */
function clone(): Clone {
  const directory = temporaryDirectory();
  onTestFinished(() => directory.remove());
  const { path } = directory;
  for (const name of ['src', 'simulators', 'tools/server', 'package.json', 'package-lock.json']) {
    cpSync(join(ROOT, name), join(path, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const run = (file: string, ...words: string[]) => runProgram([inClone(path, file), ...words], { cwd: path });
  return {
    path,
    async build() {
      expect(await run('tools/server/build.ts')).toMatchObject({ code: 0 });
    },
    says: async () => (await run('src/start.js', '--help')).out,
    edit: (file, text) => writeFileSync(file, readFileSync(file, 'utf8').replaceAll(SAID, text)),
  };
}

/** `runProgram` starts from the root of this repository. */
function inClone(path: string, file: string): string {
  return relative(ROOT, join(path, file));
}

function builtFiles(path: string): string[] {
  const { folder } = JSON.parse(readFileSync(join(path, 'dist/server.json'), 'utf8')) as { folder: string };
  return readdirSync(join(path, folder)).map((name) => join(path, folder, name));
}

/** The file of the build that says what the program is. */
function builtFile(path: string): string {
  return builtFiles(path).find((file) => readFileSync(file, 'utf8').includes(SAID)) as string;
}

/** V8 keeps the text of a file in twice the memory if one letter is beyond ASCII. */
function isAscii(file: string): boolean {
  return readFileSync(file).every((byte) => byte < 0x80);
}

describe('a build of the server', { timeout: 90_000 }, () => {
  test('is what runs while the sources stay as they are; after an edit the sources run', async () => {
    const { path, build, says, edit } = clone();
    expect(await says()).toContain(SAID);
    await build();
    expect(builtFiles(path).filter((file) => !isAscii(file))).toEqual([]);
    edit(builtFile(path), 'This is the build');
    expect(await says()).toContain('This is the build');
    edit(join(path, 'src/surfaces/cli/program.ts'), 'This is the edit');
    expect(await says()).toContain('This is the edit');
    await build();
    expect(await says()).toContain('This is the edit');
  });

  test('is what runs in a copy, whose files have other times, and says so', async () => {
    const { path, build, says, edit } = clone();
    await build();
    edit(builtFile(path), 'This is the build');
    const program = join(path, 'src/surfaces/cli/program.ts');
    utimesSync(program, 1, 1);
    const note = join(path, 'dist/server.json');
    const before = readFileSync(note, 'utf8');
    expect(await says()).toContain('This is the build');
    // The next start does not read what this one has read.
    expect(readFileSync(note, 'utf8')).not.toBe(before);
    writeFileSync(program, `${readFileSync(program, 'utf8').slice(0, -1)} `);
    utimesSync(program, 2, 2);
    expect(await says()).toContain(SAID);

    const data = temporaryDirectory();
    const env = { PORT: '0', HOMELEDGER_DATA_DIR: data.path, HOMELEDGER_DASHBOARD: 'off', LOG_FORMAT: 'json' };
    const server = startProgram([inClone(path, 'src/start.js'), 'serve'], { env, cwd: path });
    await server.says(/listens on (http:\S+)/);
    await eventually(() =>
      expect(server.err() + server.out()).toContain(
        'Runs the sources: src/surfaces/cli/program.ts is not as it was when dist/ was built.',
      ),
    );
    server.kill('SIGTERM');
    await server.ended;
    data.remove();
  });

  test('is passed over where it is incomplete', async () => {
    const { path, says } = clone();
    mkdirSync(join(path, 'dist'));
    writeFileSync(join(path, 'dist/server.json'), '{"folder":"dist/gone","sources":[]}');
    expect(await says()).toContain(SAID);
    writeFileSync(join(path, 'dist/server.json'), '{"folder":');
    expect(await says()).toContain(SAID);
  });

  test('is made by a server that runs the sources, for its next start', async () => {
    const { path } = clone();
    const data = temporaryDirectory();
    const env = { PORT: '0', HOMELEDGER_DATA_DIR: data.path, HOMELEDGER_DASHBOARD: 'off' };
    const start = () => startProgram([inClone(path, 'src/start.js'), 'serve'], { env, cwd: path });
    const server = start();
    await eventually(() => expect(existsSync(join(path, 'dist/server.json'))).toBe(true), 60_000);
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });

    // The bundler drops calls that it takes for harmless, such as of what decodes an address only to see whether it can.
    const next = start();
    const [, address = ''] = await next.says(/listens on (http:\S+)/);
    const answers = ['/%FF', '/%41', '/health/live'].map(async (place) => (await fetch(`${address}${place}`)).status);
    expect(await Promise.all(answers)).toEqual([404, 404, 200]);
    next.kill('SIGTERM');
    expect(await next.ended).toMatchObject({ code: 0 });
    data.remove();
  });
});
