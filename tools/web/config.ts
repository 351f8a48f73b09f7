import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import tailwindcss from '@tailwindcss/vite';
import type { InlineConfig, Plugin } from 'vite';

import { firstPaint } from './first-paint.ts';
import { licences } from './licences.ts';
import { namedParts, slimContract } from './slim-contracts.ts';

export const ROOT = join(import.meta.dirname, '../..');
const ENTITIES = 'decode-named-character-reference';
/** `tags.contract.rest.ts`, which is no file: the part of `tags.contract.ts` that needs schemas. */
export const REST = '.rest.ts';
export const SOURCES = join(ROOT, 'web');

/** How the dashboard is built. JSX needs no plugin: the compiler of Vite knows it. */
export function viteConfig(outDir: string, production = true): InlineConfig {
  const { ofPage, ofWorkers } = licences();
  return {
    root: SOURCES,
    configFile: false,
    publicDir: false,
    // Packages mark their modules for servers; the warnings that this means nothing here fill screens.
    logLevel: 'error',
    mode: production ? 'production' : 'development',
    plugins: [tailwindcss(), slimContracts(), firstPaint(SOURCES), ofPage],
    worker: { format: 'es', plugins: () => [slimContracts(), ofWorkers] },
    // Its version for browsers asks the document what an entity means, and a worker has none.
    resolve: { alias: { [ENTITIES]: fileURLToPath(import.meta.resolve(ENTITIES)) } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'baseline-widely-available',
      // A data: address would need an exception in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      manifest: 'manifest.json',
      rolldownOptions: {
        output: {
          codeSplitting: { groups: [{ name: 'zod', test: /node_modules\/zod\// }] },
        },
      },
    },
  };
}

/** Leaves out of the contracts what only the reference needs (`slim-contracts.ts`). */
function slimContracts(): Plugin {
  let named: ReadonlySet<string> = new Set();
  return {
    name: 'slim-contracts',
    enforce: 'pre',
    buildStart() {
      named = namedParts(sourcesOfPages());
    },
    resolveId: {
      filter: { id: new RegExp(`${REST}$`) },
      handler: (source, importer) => join(dirname(importer ?? ''), source),
    },
    load: {
      filter: { id: new RegExp(`${REST}$`) },
      handler(id) {
        const path = id.replace(REST, '.ts');
        const { rest } = slimContract(path, readFileSync(path, 'utf8'), named);
        return { code: rest, moduleSideEffects: false };
      },
    },
    transform: {
      filter: { id: /\/src\/contract\/[\w-]+\.ts$|\.contract\.ts$/ },
      handler(code, id) {
        const { calls, rest } = slimContract(id, code, named);
        // A module goes into one file: what the frame calls must not bring schemas that only a form needs.
        const slim = calls === '' ? rest : `${calls}\nexport * from './${basename(id, '.ts')}${REST}';`;
        return { code: slim, map: null, moduleSideEffects: false };
      },
    },
  };
}

function sourcesOfPages(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith('dist/'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'));
}
