import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { rolldown, type Plugin } from 'rolldown';

import { CHUNKS, inAscii, lateOperations, lateRequires } from './late.ts';

/**
 * Builds the server, its threads and its commands into `dist/server-<time>/`, which `src/start.js` runs while the sources
 * stay as they are. Few files instead of more than a thousand: that is most of what a start takes. Why it is safe:
 * docs/decisions/0024-a-build-for-the-next-start.md.
 */

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
const KEPT_BUILDS = 3;
/** Which packages are installed, and how this is built, besides what the build was made from. */
const ALWAYS = [
  'package-lock.json',
  'package.json',
  'node_modules/.package-lock.json',
  'tools/server/build.ts',
  'tools/server/late.ts',
];
/** Loaded when first needed, from where they are: they look for files of their own, or are large and seldom used. */
const EXTERNAL = /^(ai|@ai-sdk\/.+|plaid|jose|undici|pg-native|pino-pretty|@scalar\/.+)$/;
/** What makes the handlers, background tasks and tools that `loadHandler` finds by name. */
const HANDLER = /\b(?:handle(?:Read|Write|Background)|define\w*(?:Task|Tool))\s*[<(]/;

await build();

async function build(): Promise<void> {
  mkdirSync(DIST, { recursive: true });
  const startedMs = statClock();
  const folder = `dist/server-${Math.round(startedMs)}-${process.pid}`;
  const temporary = join(DIST, `.building-${process.pid}`);
  try {
    const sources = await bundle(temporary, join(ROOT, folder));
    const changed = sources.find(([, , modifiedMs]) => modifiedMs >= startedMs);
    if (changed) throw new Error(`${changed[0]} changed during the build. Build again.`);
    renameSync(temporary, join(ROOT, folder));
    writeFileSync(join(DIST, `.json-${process.pid}`), JSON.stringify({ folder, sources }));
    renameSync(join(DIST, `.json-${process.pid}`), join(DIST, 'server.json'));
    removeOldBuilds();
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The hash is for copies, whose times are others. */
type Source = readonly [path: string, size: number, modifiedMs: number, hash: string];

/** Returns what the sources were like: while they stay so, the build is current. */
async function bundle(temporary: string, folder: string): Promise<Source[]> {
  const bundler = await rolldown({
    cwd: ROOT,
    input: { main: 'src/main.ts', worker: 'src/worker.ts' },
    platform: 'node',
    external: EXTERNAL,
    preserveEntrySignatures: false,
    // An import of ours is for what it brings: modules do nothing by being loaded, but the two that are entered.
    treeshake: {
      moduleSideEffects: [
        { test: /\/src\/(?!main\.ts$|worker\.ts$)/, sideEffects: false },
        { test: /./, sideEffects: true },
      ],
    },
    plugins: [
      sourcePlaces(folder),
      namedHandlers(),
      answersWithoutFetch(),
      lateOperations(ROOT),
      lateRequires(),
      inAscii(),
    ],
    checks: { ineffectiveDynamicImport: false },
  });
  try {
    await bundler.write({
      dir: temporary,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      comments: false,
      codeSplitting: { includeDependenciesRecursively: false, groups: CHUNKS },
    });
    const imported = (await bundler.watchFiles)
      .map((path) => relative(ROOT, path))
      .filter((path) => !path.startsWith('node_modules') && !path.startsWith('..'));
    return [...imported, ...ALWAYS].toSorted().flatMap(statSource);
  } finally {
    await bundler.close();
  }
}

/** Files that lie beside a source are found beside it, not beside the build. */
function sourcePlaces(folder: string): Plugin {
  return {
    name: 'source-places',
    transform(code, id) {
      if (relative(ROOT, id).includes('node_modules') || !code.includes('import.meta.')) return null;
      const path = (file: string): string =>
        `require('node:path').join(__dirname, ${JSON.stringify(relative(folder, file))})`;
      const url = (file: string): string => `require('node:url').pathToFileURL(${file}).href`;
      return code
        .replaceAll(/\bimport\.meta\.url\b/g, url(path(id)))
        .replaceAll(/\bimport\.meta\.dirname\b/g, path(dirname(id)))
        .replaceAll(/\bimport\.meta\.resolve\(('[^']+')\)/g, (_, name: string) => url(`require.resolve(${name})`));
    },
  };
}

/** `loadHandler` imports a file whose name it computes; a build has to know all of them. */
function namedHandlers(): Plugin {
  const features = join(ROOT, 'src/features');
  const computed = 'import(/* @vite-ignore */ `./${file}`)';
  return {
    name: 'named-handlers',
    transform(code, id) {
      if (id !== join(features, 'load-handler.ts')) return null;
      if (!code.includes(computed)) throw new Error(`src/features/load-handler.ts does not contain ${computed}.`);
      const files = readdirSync(features, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file.includes(sep))
        .filter((file) => HANDLER.test(readFileSync(join(features, file), 'utf8')))
        .map((file) => file.replaceAll(sep, '/'));
      const table = files.map((file) => `'${file}': () => import('./${file}')`).join(', ');
      return `${code.replace(computed, 'HANDLER_FILES[file]()')}\nconst HANDLER_FILES = { ${table} };\n`;
    },
  };
}

/** The first answer would load the whole `fetch` of Node only to find out that it is not one of its responses. */
function answersWithoutFetch(): Plugin {
  const checked = 'obj instanceof Response';
  return {
    name: 'answers-without-fetch',
    transform(code, id) {
      if (!id.endsWith('/@fastify/compress/lib/utils.js')) return null;
      if (!code.includes(checked)) throw new Error(`@fastify/compress does not contain ${checked}.`);
      return code.replace(checked, `Object.prototype.toString.call(obj) === '[object Response]'`);
    },
  };
}

function statSource(path: string): Source[] {
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!found) return [];
  const hash = createHash('sha256')
    .update(readFileSync(join(ROOT, path)))
    .digest('base64url');
  return [[path, found.size, found.mtimeMs, hash]];
}

/** The time by the clock of the file system, which is not always that of the process. */
function statClock(): number {
  const probe = join(DIST, `.clock-${process.pid}`);
  writeFileSync(probe, '');
  const { mtimeMs } = statSync(probe);
  rmSync(probe);
  return mtimeMs;
}

/** A few stay, because servers that are still running load from them. */
function removeOldBuilds(): void {
  const builds = readdirSync(DIST)
    .filter((name) => /^server-\d+-\d+$/.test(name))
    .toSorted()
    .toReversed();
  for (const name of builds.slice(KEPT_BUILDS)) rmSync(join(DIST, name), { recursive: true, force: true });
}
