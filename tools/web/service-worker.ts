import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Not needed to show a page, and pictures, which a page can do without while the server is away. */
const LEFT_OUT = /\.(txt|webp)$/;

/** Writes the service worker of a build: the names of its files, and the script that keeps them on the device. */
export function writeServiceWorker(sources: string, folder: string): void {
  const files = readdirSync(join(folder, 'assets'))
    .filter((name) => !LEFT_OUT.test(name))
    .map((name) => `/assets/${name}`)
    .toSorted();
  const script = readFileSync(join(sources, 'service-worker.js'), 'utf8');
  const version = createHash('sha256').update(JSON.stringify(files)).update(script).digest('hex').slice(0, 16);
  const head = `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files)};\n`;
  writeFileSync(join(folder, 'service-worker.js'), head + script);
}
