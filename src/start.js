#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=262144 node --min-semi-space-size=2 --max-semi-space-size=2 --max-old-space-size=1024 --v8-pool-size=2
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

// The same as `engines` in package.json: an older Node would only complain about the first file it cannot parse.
const OLDEST_NODE = 24;
const ROOT = join(import.meta.dirname, '..');
/** Under this name threads learn which build the main thread runs; they run the same, or the sources. */
const BUILT = 'homeledger.built';
/** Why there is none to run, for whoever started a server. */
const UNBUILT = 'homeledger.unbuilt';
const NOTE = join(ROOT, 'dist/server.json');
const UNLESS_MISSING = { throwIfNoEntry: false };

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `error: Homeledger needs Node ${OLDEST_NODE} or newer; ${process.execPath} is ${process.version}. ` +
      'Run `npm ci` (without --omit=dev) to get the right version, or install it yourself.\n',
  );
  process.exit(1);
}

// JavaScript, and before everything else: with code cached by earlier starts, no types have to be stripped, and the
// compiler for that (17 MiB per thread) is not loaded.
module.enableCompileCache();
if (isMainThread) setEnvironmentData(BUILT, findBuild());

const built = getEnvironmentData(BUILT);
const program = isMainThread ? 'main' : 'worker';
if (built === undefined) await import(`./${program}.ts`);
else module.createRequire(import.meta.url)(join(ROOT, built, `${program}.cjs`));

/** The folder of the newest build if it was made from the sources as they are (docs/decisions/0024-a-build-for-the-next-start.md). */
function findBuild() {
  let note;
  try {
    note = JSON.parse(readFileSync(NOTE, 'utf8'));
    if (!statSync(join(ROOT, note.folder, 'worker.cjs')).isFile()) throw new Error();
  } catch {
    return isUnbuilt('there is no build of them');
  }
  try {
    let isNoteOld = false;
    for (const source of note.sources) {
      const [path, size, modifiedMs, hash] = source;
      // A thousand files: without `join` and an error to build, this takes two thirds of the time.
      const found = statSync(`${ROOT}/${path}`, UNLESS_MISSING);
      if (found?.size === size && found.mtimeMs === modifiedMs) continue;
      // A copy has other times, so the content decides.
      if (found?.size !== size || hashOf(path) !== hash)
        return isUnbuilt(`${path} is not as it was when dist/ was built`);
      source[2] = found.mtimeMs;
      isNoteOld = true;
    }
    if (isNoteOld) renew(note);
    return note.folder;
  } catch (error) {
    return isUnbuilt(`the build cannot be compared with them (${error.code ?? error.message})`);
  }
}

function isUnbuilt(reason) {
  setEnvironmentData(UNBUILT, reason);
  return undefined;
}

function hashOf(path) {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256')
    .update(readFileSync(`${ROOT}/${path}`))
    .digest('base64url');
}

/** Spares the next start the reading. Where nobody may write, each start reads. */
function renew(note) {
  const temporary = `${NOTE}-${process.pid}`;
  try {
    writeFileSync(temporary, JSON.stringify(note));
    renameSync(temporary, NOTE);
  } catch {
    // The build is current all the same.
    rmSync(temporary, { force: true });
  }
}
