import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { CACHE } from './ledgers.ts';

const LOCK = 'package-lock.json';

/**
 * The files of a commit with what they need to run, in the cache. They are exported rather than checked out, so that
 * the repository knows nothing of them and an interrupted run leaves nothing in it.
 */
export function checkOut(commit: string): { root: string; name: string } {
  const hash = git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`).trim();
  const name = hash.slice(0, 8);
  const root = join(CACHE, `commit-${hash.slice(0, 12)}`);
  if (existsSync(root)) return { root, name };
  const part = `${root}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part);
  const archive = join(part, 'commit.tar');
  git('archive', `--output=${archive}`, hash);
  execFileSync('tar', ['-xf', archive, '-C', part]);
  rmSync(archive);
  if (readFileSync(join(part, LOCK), 'utf8') === readFileSync(LOCK, 'utf8')) {
    symlinkSync(resolve('node_modules'), join(part, 'node_modules'));
  } else {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: part, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  renameSync(part, root);
  return { root, name };
}

/** A start that has to build the dashboard, or itself, would be measured together with its compiler. */
export function buildBefore(root: string): void {
  execFileSync(process.execPath, ['tools/web/build.ts', '--if-needed'], { cwd: root, stdio: 'ignore' });
  const server = 'tools/server/build.ts';
  if (existsSync(join(root, server))) execFileSync(process.execPath, [server], { cwd: root, stdio: 'ignore' });
}

function git(...given: string[]): string {
  return execFileSync('git', given, { encoding: 'utf8' });
}
