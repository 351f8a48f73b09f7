#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=262144 node --min-semi-space-size=2 --max-semi-space-size=2 --max-old-space-size=1024 --v8-pool-size=2
import { readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

// The same as `engines` in package.json: an older Node would only complain about the first file it cannot parse.
const OLDEST_NODE = 24;
const ROOT = join(import.meta.dirname, '..');
/** Under this name threads learn which build the main thread runs; they run the same, or the sources. */
const BUILT = 'homeledger.built';
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

/** The folder of the newest build if its sources are as they were (docs/decisions/0024-a-build-for-the-next-start.md). */
function findBuild() {
  try {
    const { folder, sources } = JSON.parse(readFileSync(join(ROOT, 'dist/server.json'), 'utf8'));
    const isCurrent = sources.every(([path, size, modifiedMs]) => {
      // A thousand files: without `join` and an error to build, this takes two thirds of the time.
      const found = statSync(`${ROOT}/${path}`, UNLESS_MISSING);
      return found?.size === size && found.mtimeMs === modifiedMs;
    });
    return isCurrent && statSync(join(ROOT, folder, 'worker.cjs')).isFile() ? folder : undefined;
  } catch {
    return undefined;
  }
}
