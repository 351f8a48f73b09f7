import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import tailwindcss from '@tailwindcss/vite';
import type { InlineConfig, Plugin } from 'vite';

export const ROOT = join(import.meta.dirname, '../..');
export const SOURCES = join(ROOT, 'web');

/** Declares schemas and operations: without a use of the result, a call is left out of the bundle. */
const PURE = ['defineOperation', 'describedAs', 'exactlyOne', 'page', 'text', 'name', 'clearableText', 'queryList'];

/** How the dashboard is built. JSX needs no plugin: the compiler of Vite knows it. */
export function viteConfig(outDir: string, production = true): InlineConfig {
  return {
    root: SOURCES,
    configFile: false,
    publicDir: false,
    // Packages mark their modules for servers; the warnings that this means nothing here fill screens.
    logLevel: 'error',
    mode: production ? 'production' : 'development',
    plugins: [tailwindcss(), firstPaint()],
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
        treeshake: { manualPureFunctions: PURE },
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
