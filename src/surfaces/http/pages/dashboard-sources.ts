import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `web/dist/built.json` says about the newest build. */
export interface BuiltDashboard {
  /** Of the content it was built from; also the name of its folder. */
  hash: string;
  /** Size and modification time of each source, by path: while they stay, no content has to be read. */
  sources: Readonly<Record<string, readonly [size: number, modifiedMs: number]>>;
}

const BUILT = 'web/dist/built.json';
/** Besides `web/` itself: how it is built, and with which packages. */
const ALWAYS = [
  'tools/web/build.ts',
  'tools/web/config.ts',
  'tools/web/first-paint.ts',
  'tools/web/licences.ts',
  'tools/web/service-worker.ts',
  'tools/web/slim-contracts.ts',
  'package-lock.json',
];

export function builtFolder(root: string, hash: string): string {
  return join(root, 'web/dist', hash);
}

/** The newest build, whatever it was made from; undefined if there is none. */
export function readBuilt(root: string): BuiltDashboard | undefined {
  try {
    const built = JSON.parse(readFileSync(join(root, BUILT), 'utf8')) as BuiltDashboard;
    return existsSync(join(builtFolder(root, built.hash), 'index.html')) ? built : undefined;
  } catch {
    return undefined;
  }
}

/** A release carries the built dashboard only. */
export function hasSources(root: string): boolean {
  return existsSync(join(root, 'web/index.html')) && ALWAYS.every((path) => existsSync(join(root, path)));
}

/** Whether a build was made from the sources as they are. Reads content only where size or time differ. */
export function isCurrent(root: string, built: BuiltDashboard): boolean {
  const imported = Object.keys(built.sources).filter((path) => /^(src|docs)\//.test(path));
  const sources = statSources(root, imported);
  if (sources === undefined) return false;
  if (JSON.stringify(sources) === JSON.stringify(built.sources)) return true;
  if (hashSources(root, sources) !== built.hash) return false;
  try {
    writeBuilt(root, { hash: built.hash, sources });
  } catch {
    // Only a short cut: an installation that nobody may write to is read again at each start.
  }
  return true;
}

/** Notes a finished build; `imported` are the files outside `web/` that it was made from. */
export function describeBuild(root: string, imported: readonly string[]): BuiltDashboard {
  const sources = statSources(root, imported);
  if (sources === undefined) throw new Error('A source of the dashboard has been deleted. Build it again.');
  return { hash: hashSources(root, sources), sources };
}

/** Replaced as a whole, so that a reader never sees half of it. */
export function writeBuilt(root: string, built: BuiltDashboard): void {
  const temporary = join(root, `${BUILT}.${process.pid}`);
  writeFileSync(temporary, JSON.stringify(built));
  renameSync(temporary, join(root, BUILT));
}

function statSources(root: string, imported: readonly string[]): BuiltDashboard['sources'] | undefined {
  const sources: Record<string, [number, number]> = {};
  for (const path of [...listWeb(root), ...ALWAYS, ...imported].toSorted()) {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (!found) return undefined;
    sources[path] = [found.size, found.mtimeMs];
  }
  return sources;
}

function listWeb(root: string): string[] {
  return readdirSync(join(root, 'web'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('web/dist/'));
}

function hashSources(root: string, sources: BuiltDashboard['sources']): string {
  const hash = createHash('sha256');
  for (const path of Object.keys(sources)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
