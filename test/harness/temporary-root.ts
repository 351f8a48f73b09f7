import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory above every directory a test asks for; removed when the run ends. */
    temporaryRoot: string;
  }
}

export default function setup(project: TestProject): () => void {
  const root = mkdtempSync(join(tmpdir(), 'homeledger-tests-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', remove);
  project.provide('temporaryRoot', root);
  return remove;
}
