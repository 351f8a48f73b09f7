import { readdirSync } from 'node:fs';

import { expect, test } from 'vitest';

import type { EntityUndo } from '../journal/undo.ts';
import { undos } from './undos.ts';

/** The undo of every entity that a `*.entity.ts` of a feature defines. */
async function definedUndos(): Promise<EntityUndo[]> {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const found: EntityUndo[] = [];
  for (const file of files.filter((one) => one.endsWith('.entity.ts'))) {
    const module = (await import(/* @vite-ignore */ `./${file}`)) as Record<string, { undo?: EntityUndo } | undefined>;
    for (const value of Object.values(module)) if (value?.undo) found.push(value.undo);
  }
  return found;
}

test('every entity that can be undone is listed, so that its changes can be reverted', async () => {
  const defined = await definedUndos();
  expect(defined.length).toBeGreaterThanOrEqual(8);
  const isListed = (undo: EntityUndo): boolean => {
    let listed = undos.get(undo.entityType);
    while (listed && listed !== undo) listed = listed.extended;
    return listed === undo;
  };
  expect(defined.filter((undo) => !isListed(undo)).map((undo) => undo.entityType)).toEqual([]);
});
