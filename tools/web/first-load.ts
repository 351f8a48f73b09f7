import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One chunk in the manifest of Vite. */
interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  imports?: readonly string[];
  dynamicImports?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

const FIRST_LOAD_BYTES = 200 * 1024;
const WITH_HEAVIEST_PAGE_BYTES = 250 * 1024;

/**
 * The compressed script that a browser loads before any page shows: the entry, and with the heaviest page on top of it.
 * Counted as gzip, which is what browsers accept over plain http.
 */
export function measureFirstLoad(folder: string): { report: string; problem?: string } {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry === true) ?? '';
  const shared = graphOf(manifest, entry);
  const sizeOf = (keys: Iterable<string>): number => {
    let bytes = 0;
    for (const key of keys) bytes += statSync(join(folder, `${manifest[key]?.file}.gz`)).size;
    return bytes;
  };
  const base = sizeOf(shared);
  // What the entry loads when an address asks for it; a page loads the rest, such as a sheet of filters, once it is shown.
  const pages = [...shared]
    .flatMap((key) => manifest[key]?.dynamicImports ?? [])
    .filter((key) => key.startsWith('pages/'))
    .map((key) => ({ key, bytes: sizeOf(graphOf(manifest, key).difference(shared)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const [heaviest] = pages;
  const total = base + (heaviest?.bytes ?? 0);
  const report = `Dashboard: ${kib(base)} of compressed script, ${kib(total)} with its heaviest page (${heaviest?.key ?? 'none'}).`;
  const problem =
    base > FIRST_LOAD_BYTES
      ? `The first load is ${kib(base)}; at most ${kib(FIRST_LOAD_BYTES)} are allowed.`
      : total > WITH_HEAVIEST_PAGE_BYTES
        ? `The first load with ${heaviest?.key} is ${kib(total)}; at most ${kib(WITH_HEAVIEST_PAGE_BYTES)} are allowed.`
        : undefined;
  return problem === undefined ? { report } : { report, problem };
}

function graphOf(manifest: Manifest, start: string): Set<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (!chunk || found.has(key)) continue;
    found.add(key);
    waiting.push(...(chunk.imports ?? []));
  }
  return found;
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
