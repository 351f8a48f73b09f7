import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import tailwindcss from '@tailwindcss/vite';
import { parseSync, type ESTree, type InlineConfig, type Plugin } from 'vite';

import { licences } from './licences.ts';

export const ROOT = join(import.meta.dirname, '../..');
const ENTITIES = 'decode-named-character-reference';
const SOURCES = join(ROOT, 'web');

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
    plugins: [tailwindcss(), separableDeclarations(), firstPaint(), ofPage],
    worker: { format: 'es', plugins: () => [separableDeclarations(), ofWorkers] },
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
          codeSplitting: { groups: [{ name: 'zod', test: /node_modules\/zod\/|web\/lib\/zod-without-eval/ }] },
        },
      },
    },
  };
}

/** Puts `first-paint.js` into the page as a plain script with a hashed name; Vite itself only knows modules. */
function firstPaint(): Plugin {
  const source = readFileSync(join(SOURCES, 'first-paint.js'), 'utf8');
  const fileName = `assets/first-paint-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  return {
    name: 'first-paint',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: `(() => {\n${source}})();\n` });
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }],
  };
}

/**
 * A page that uses one operation of a contract need not load the others: each declaration becomes a call that is marked
 * as free of side effects, `const x = (() => …)()`, and is left out when nothing uses it.
 */
function separableDeclarations(): Plugin {
  return {
    name: 'separable-declarations',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/contract\/\w+\.ts$|\.contract\.ts$/ },
      handler(code, id) {
        const inits = parseSync(id, code).program.body.flatMap(declaredValues);
        let result = code;
        for (const { start, end } of inits.toReversed()) {
          result = `${result.slice(0, start)}/* @__PURE__ */ (() => (${code.slice(start, end)}))()${result.slice(end)}`;
        }
        return { code: result, map: null };
      },
    },
  };
}

/** Without side effects anyway. */
const SIMPLE: ReadonlySet<string> = new Set(['Literal', 'Identifier', 'ArrowFunctionExpression', 'FunctionExpression']);

function declaredValues(statement: ESTree.Statement | ESTree.Directive): ESTree.Expression[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declared?.type !== 'VariableDeclaration') return [];
  return declared.declarations.flatMap(({ init }) => (init && !SIMPLE.has(init.type) ? [init] : []));
}
