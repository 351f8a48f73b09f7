import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';

import { processEnvironment } from '../../../kernel/config.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { builtFolder, hasSources, isCurrent, readBuilt } from './dashboard-sources.ts';

export type DashboardState =
  | { readonly is: 'ready'; readonly folder: string }
  | { readonly is: 'building' }
  | { readonly is: 'failed'; readonly reason: string };

/** The files of the dashboard, which are built from their sources when there is no build of these yet. */
export interface Dashboard {
  /** Looks for a build at the first call, and starts one if it must. */
  state(): DashboardState;
  /** Ends a build that is still running. */
  close(): void;
}

export interface DashboardOptions {
  logger: Logger;
  /** A build that another process takes care of. */
  folder?: string;
  /** Where the program is: a clone or a release. */
  root?: string;
  /** Tells the person who started the program that it takes a while. */
  say?: (line: string) => void;
}

const ROOT = join(import.meta.dirname, '../../../..');
const BUILD = 'tools/web/build.ts';
const LOW_PRIORITY = 5;
const REASON_CHARS = 2_000;

export function createDashboard({ logger, folder, root = ROOT, say = () => undefined }: DashboardOptions): Dashboard {
  let state: DashboardState | undefined = folder === undefined ? undefined : { is: 'ready', folder };
  let child: ChildProcess | undefined;
  let isClosed = false;

  function look(): DashboardState {
    const built = readBuilt(root);
    const isUsable = built !== undefined && (!hasSources(root) || isCurrent(root, built));
    if (isUsable) return { is: 'ready', folder: builtFolder(root, built.hash) };
    if (!hasSources(root)) return fail('It is not part of this installation. Install a complete release.');
    if (!existsSync(join(root, 'node_modules/vite'))) {
      return fail('The packages needed to build it are missing. Run `npm ci` without --omit=dev, then start again.');
    }
    say('Building the dashboard, once for this version. The API is already available.');
    void build();
    return { is: 'building' };
  }

  /** In a process of its own: the compiler would stay in the memory of this one. */
  async function build(): Promise<void> {
    const { spawn } = await import('node:child_process');
    if (isClosed) return;
    const env = { ...environmentOfBuild(), NO_COLOR: '1' };
    child = spawn(process.execPath, [join(root, BUILD)], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-REASON_CHARS)));
    child.on('spawn', () => lowerPriority(child?.pid));
    child.on('error', (error) => (state = fail(error.message)));
    child.on('close', (code) => {
      child = undefined;
      const built = readBuilt(root);
      if (code === 0 && built) state = { is: 'ready', folder: builtFolder(root, built.hash) };
      else if (!isClosed) state = fail(`Run \`npm run build\` to see the full output.\n${output.trim()}`);
    });
  }

  function fail(reason: string): DashboardState {
    logger.error(`The dashboard cannot be shown. ${reason}`);
    return { is: 'failed', reason };
  }

  return {
    state: () => (state ??= look()),
    close() {
      isClosed = true;
      child?.kill();
    },
  };
}

/** No more than a compiler needs: it has no business with keys and passwords. */
function environmentOfBuild(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR, SystemRoot } = processEnvironment();
  return { PATH, HOME, TMPDIR, SystemRoot };
}

/** Requests come first; where this is not allowed, the build takes its share. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    // Not allowed, or already over.
  }
}
