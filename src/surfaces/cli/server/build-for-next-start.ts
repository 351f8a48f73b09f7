import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { getEnvironmentData } from 'node:worker_threads';

import { processEnvironment } from '../../../kernel/config.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const BUILD = join(ROOT, 'tools/server/build.ts');
/** Whoever starts the server wants answers first. */
const AFTER_START_MS = 1_000;
const LOW_PRIORITY = 10;

/**
 * Starts a build of the server if this process runs its sources, so that the next start is fast. It takes two seconds
 * and outlives a server that is stopped meanwhile. Where it cannot be built, the sources keep running.
 */
export function buildForNextStart(): void {
  if (built() !== undefined) return;
  if (!existsSync(BUILD) || !existsSync(join(ROOT, 'node_modules/rolldown'))) return;
  setTimeout(() => void build(), AFTER_START_MS).unref();
}

/** Which of the two this process runs, as `start.js` has found. */
export function whatRuns(): string {
  const folder = built();
  if (folder !== undefined) return `Runs the build in ${folder}.`;
  const reason = getEnvironmentData('homeledger.unbuilt');
  return `Runs the sources${typeof reason === 'string' ? `: ${reason}` : ''}.`;
}

function built(): string | undefined {
  return getEnvironmentData('homeledger.built') as string | undefined;
}

async function build(): Promise<void> {
  const { spawn } = await import('node:child_process');
  const { PATH, HOME, TMPDIR, SystemRoot } = processEnvironment();
  const env = { PATH, HOME, TMPDIR, SystemRoot } as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, [BUILD], { cwd: ROOT, env, stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.on('spawn', () => {
    try {
      if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
    } catch {
      // Not allowed, or already over.
    }
  });
  child.unref();
}
