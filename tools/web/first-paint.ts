import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

/** The manifest of the app: its icons are the only ones that systems take for an installed one. */
const ICONS = [
  { file: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { file: 'icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
] as const;
const TOUCH_ICON = 'icon-180.png';

/** What a browser shows and knows before it has the code: the style of the frame, the theme, and the manifest of the app. */
export function firstPaint(sources: string): Plugin {
  const script = readFileSync(join(sources, 'first-paint.js'), 'utf8');
  const scriptName = hashed('first-paint.js', script);
  // The colours of the theme, and what the frame needs of them.
  const [theme = ''] = readFileSync(join(sources, 'styles/theme.css'), 'utf8').split('@theme');
  const style = slim(theme + readFileSync(join(sources, 'first-paint.css'), 'utf8'));
  const icons = [...ICONS.map(({ file }) => file), TOUCH_ICON].map((file) => {
    const source = readFileSync(join(sources, 'icons', file));
    return { file, source, name: hashed(file, source) };
  });
  const addressOf = (file: string): string => `/${icons.find((icon) => icon.file === file)?.name}`;
  const manifest = JSON.stringify({
    id: '/',
    name: 'Homeledger',
    short_name: 'Homeledger',
    description: 'The finances of your household, on your own server',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#f6f4ef',
    theme_color: '#0d5c4b',
    icons: ICONS.map(({ file, sizes, purpose }) => ({ src: addressOf(file), sizes, type: 'image/png', purpose })),
  });
  const manifestName = hashed('manifest.webmanifest', manifest);
  return {
    name: 'first-paint',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: scriptName, source: `(() => {\n${script}})();\n` });
      this.emitFile({ type: 'asset', fileName: manifestName, source: manifest });
      for (const { name, source } of icons) this.emitFile({ type: 'asset', fileName: name, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => ({
        html: afterFirstPaint(html),
        tags: [
          { tag: 'style', children: style, injectTo: 'head-prepend' },
          { tag: 'script', attrs: { src: `/${scriptName}` }, injectTo: 'head-prepend' },
          { tag: 'link', attrs: { rel: 'manifest', href: `/${manifestName}` }, injectTo: 'head' },
          { tag: 'link', attrs: { rel: 'apple-touch-icon', href: addressOf(TOUCH_ICON) }, injectTo: 'head' },
        ],
      }),
    },
  };
}

/** A style sheet in the head would hold up the first paint, which needs none of it. */
function afterFirstPaint(html: string): string {
  const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  return sheets.reduce((page, sheet) => page.replace(sheet, ''), html).replace('</body>', `${sheets.join('')}</body>`);
}

function hashed(file: string, source: string | Buffer): string {
  const [base, extension] = file.split('.');
  return `assets/${base}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.${extension}`;
}

function slim(css: string): string {
  return css.replace(/\/\*.*?\*\//gs, '').replace(/\s*\n\s*/g, '');
}
