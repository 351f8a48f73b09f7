import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { expect } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const GOLDEN = join(ROOT, 'test/golden');

/** Compares a value with the golden file of this name under test/golden. A golden file is written only on request. */
export function expectGolden(name: string, found: unknown): void {
  const text = `${JSON.stringify(found, null, 2)}\n`;
  const golden = openGolden(name, text);
  expect(found, golden.hint).toEqual(JSON.parse(golden.text));
}

/** The same for text, which is compared as it stands. */
export function expectGoldenText(name: string, found: string): void {
  const golden = openGolden(name, found);
  expect(found, golden.hint).toBe(golden.text);
}

/** The golden file as committed, or as just written where the run asks for that. */
function openGolden(name: string, found: string): { text: string; hint: string } {
  const path = join(GOLDEN, name);
  const shown = relative(ROOT, path);
  const test = relative(ROOT, expect.getState().testPath ?? 'path of the test');
  const command = `UPDATE_GOLDEN=1 npm test -- ${test}`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, found);
  }
  if (!existsSync(path)) throw new Error(`${shown} does not exist. Write it with: ${command}`);
  return {
    text: readFileSync(path, 'utf8'),
    hint: `${shown} differs. If that is intended, run ${command} and review the diff.`,
  };
}
