import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { LIMITS } from '../../src/kernel/limits.ts';
import { LIMIT_MEANINGS } from '../../tools/limit-meanings.ts';

const REFERENCE = new URL('../../docs/reference/limits.md', import.meta.url);

test('the reference of limits says in a sentence what each means, in their order', () => {
  const rows = readFileSync(REFERENCE, 'utf8').split('\n').slice(6).filter(Boolean);
  const shown = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  expect(shown.map(([, name]) => name)).toEqual(Object.keys(LIMITS));
  for (const [, name, , meaning] of shown)
    expect([name, meaning]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/)]);
  const meanings = Object.values(LIMIT_MEANINGS);
  expect(new Set(meanings).size).toBe(meanings.length);
});
