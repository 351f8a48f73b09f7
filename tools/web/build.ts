import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { build, type Plugin } from 'vite';

import {
  builtFolder,
  describeBuild,
  isCurrent,
  readBuilt,
  writeBuilt,
} from '../../src/surfaces/http/pages/dashboard-sources.ts';
import { REST, ROOT, SOURCES, viteConfig } from './config.ts';
import { measureFirstLoad } from './first-load.ts';
import { writeServiceWorker } from './service-worker.ts';

/**
 * `npm run build`: builds the dashboard into `web/dist/<hash of its sources>/`, compresses it, and measures its first
 * load. With `--if-needed` it does nothing if the sources are the same; a build that is too large fails after it is
 * written only with `--check`, so that a server still serves it.
 */

// Tests and shells set it to other values, and React then is the larger one for development.
process.env['NODE_ENV'] = 'production';

const KEPT_BUILDS = 3;
const COMPRESSED = /\.(js|css|html|svg|txt|webmanifest)$/;
const dist = join(ROOT, 'web/dist');

const before = readBuilt(ROOT);
const hash =
  process.argv.includes('--if-needed') && before && isCurrent(ROOT, before) ? before.hash : await buildOnce();
const { report, problem } = measureFirstLoad(builtFolder(ROOT, hash));
process.stdout.write(`${report}\n`);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  if (process.argv.includes('--check')) process.exitCode = 1;
}

/** Builds into a folder of its own and renames it, so that nobody ever sees half a build. */
async function buildOnce(): Promise<string> {
  const startedMs = statClock();
  const temporary = join(dist, `.building-${process.pid}`);
  const remove = (): void => rmSync(temporary, { recursive: true, force: true });
  remove();
  // The server that asked for the build is stopping.
  process.once('SIGTERM', () => {
    remove();
    process.exit(1);
  });
  try {
    const imported = new Set<string>();
    const config = viteConfig(temporary);
    await build({ ...config, plugins: [...(config.plugins ?? []), noteImports(imported)] });
    const built = describeBuild(ROOT, [...imported]);
    const changed = Object.entries(built.sources).find(([, [, modifiedMs]]) => modifiedMs > startedMs);
    if (changed) throw new Error(`${changed[0]} changed during the build. Build again.`);
    writeServiceWorker(SOURCES, temporary);
    compress(temporary);
    putInPlace(temporary, builtFolder(ROOT, built.hash));
    writeBuilt(ROOT, built);
    removeOldBuilds(built.hash);
    return built.hash;
  } finally {
    remove();
  }
}

/** Another start may have built the same meanwhile, and be serving it already: that one stays. */
function putInPlace(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'index.html'))) throw error;
  }
}

/** The time by the clock of the file system, which is not always that of the process. */
function statClock(): number {
  mkdirSync(dist, { recursive: true });
  const probe = join(dist, `.clock-${process.pid}`);
  writeFileSync(probe, '');
  const { mtimeMs } = statSync(probe);
  rmSync(probe);
  return mtimeMs;
}

/** Collects the files outside `web/` that the dashboard is made of. */
function noteImports(imported: Set<string>): Plugin {
  return {
    name: 'note-imports',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const path = relative(ROOT, (id.split('?')[0] as string).replace(REST, '.ts'));
        if (/^(src|docs)\//.test(path)) imported.add(path);
      }
    },
  };
}

function compress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSED.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** A few stay, because another server may still be serving them. */
function removeOldBuilds(hash: string): void {
  const builds = readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name) && entry.name !== hash)
    .map((entry) => ({ path: join(dist, entry.name), modifiedMs: statSync(join(dist, entry.name)).mtimeMs }))
    .toSorted((a, b) => b.modifiedMs - a.modifiedMs);
  for (const { path } of builds.slice(KEPT_BUILDS - 1)) rmSync(path, { recursive: true, force: true });
}
