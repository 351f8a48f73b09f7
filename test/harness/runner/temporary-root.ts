import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory above every directory a test asks for; removed when the run ends. */
    temporaryRoot: string;
  }
}

/** Far more than the tests ever hold at once. */
const PLENTY_BYTES = 4 * 1024 ** 3;
const MEMORY = '/dev/shm';

export default function setup(project: TestProject): () => void {
  const root = inMemory() ?? mkdtempSync(join(tmpdir(), 'homeledger-tests-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', remove);
  project.provide('temporaryRoot', root);
  return remove;
}

/**
 * A directory in memory, where a commit waits for no disk: no test pulls the plug, and a killed process loses nothing
 * there. Undefined where TMPDIR chooses the place, room is short or programs may not run.
 */
function inMemory(): string | undefined {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(bavail * bsize, process.availableMemory()) < PLENTY_BYTES) return undefined;
  let directory: string | undefined;
  try {
    directory = mkdtempSync(join(MEMORY, 'homeledger-tests-'));
    const program = join(directory, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    rmSync(program);
    return directory;
  } catch {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
}
