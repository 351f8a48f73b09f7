import fc from 'fast-check';
import { expect, test } from 'vitest';

import { startCollapse, type CollapsiblePart, type Collapsed } from './collapse.ts';

type Part = CollapsiblePart<{ externalId: string }>;

function page(rows: string, removed = ''): Part {
  return {
    kind: 'rows',
    rows: [...rows].map((externalId) => ({ externalId: externalId === '-' ? null : externalId })),
    removed: [...removed].map((externalId) => ({ externalId })),
  };
}

function collapse(parts: readonly Part[], rowIds: 'lasting' | 'none' = 'lasting'): Collapsed<{ externalId: string }> {
  const collapsing = startCollapse<{ externalId: string }>(rowIds);
  for (const part of parts) collapsing.take(part);
  return collapsing.finish();
}

const ids = ({ removed }: Collapsed<{ externalId: string }>): string =>
  removed.map(({ externalId }) => externalId).join('');

test('the last word about an id counts, over all pages', () => {
  const found = collapse([page('abac', 'c'), page('cd', 'b')]);
  expect([found.kept, ids(found)]).toEqual([[2, 4, 5], 'b']);
});

test('what is removed and comes again is a row, what comes and is removed is removed', () => {
  expect(ids(collapse([page('', 'a'), page('a')]))).toBe('');
  expect(ids(collapse([page('a'), page('', 'a')]))).toBe('a');
});

test('a restart voids everything before it', () => {
  const found = collapse([page('ab', 'c'), { kind: 'restart' }, page('x')]);
  expect([found.kept, ids(found)]).toEqual([[0], '']);
});

test('rows without ids, or whose ids do not last, are all kept', () => {
  expect(collapse([page('-a-a')]).kept).toEqual([0, 2, 3]);
  expect(collapse([page('aaa')], 'none').kept).toEqual([0, 1, 2]);
});

test('it makes no difference where pages are cut', () => {
  const word = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), isRemoval: fc.boolean() });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.infiniteStream(fc.boolean()), (words, cuts) => {
      const single = words.map(({ id, isRemoval }) => (isRemoval ? page('', id) : page(id)));
      const last = new Map(words.map(({ id, isRemoval }) => [id, isRemoval]));
      const merged: Part[] = [];
      for (const [at, { id, isRemoval }] of words.entries()) {
        const open = merged.at(-1);
        // Within a page rows come before removals.
        const mayJoin = open?.kind === 'rows' && !(open.removed.length > 0 && !isRemoval) && !cuts.next().value;
        if (open?.kind !== 'rows' || !mayJoin) merged.push(single[at] as Part);
        else if (isRemoval) merged[merged.length - 1] = { ...open, removed: [...open.removed, { externalId: id }] };
        else merged[merged.length - 1] = { ...open, rows: [...open.rows, { externalId: id }] };
      }
      const found = collapse(merged);
      expect(found).toEqual(collapse(single));
      expect([...ids(found)].toSorted()).toEqual(
        [...last.entries()]
          .filter(([, is]) => is)
          .map(([id]) => id)
          .toSorted(),
      );
      expect(found.kept).toHaveLength([...last.values()].filter((is) => !is).length);
    }),
    { numRuns: 300 },
  );
});
