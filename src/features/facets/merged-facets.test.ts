import { expect, test } from 'vitest';

import { blankFacets, type Facets } from './facets.ts';
import { mergedFacets } from './merged-facets.ts';

const facets = (values: Partial<Facets>): Facets => ({ ...blankFacets, ...values });

test('what somebody set on the newer one wins, else the survivor keeps its own, else the newer one counts', () => {
  const byRule = facets({ categoryId: 'rule', categorySource: 'rule', seriesId: 'newer' });
  const byHand = facets({ categoryId: 'hand', categorySource: 'person', locks: new Set(['category']) });
  const none = facets({});
  const categoryOf = (survivor: Facets, newer: Facets) => mergedFacets(survivor, newer).categoryId;
  expect(categoryOf(byRule, byHand)).toBe('hand');
  expect(categoryOf(byHand, byRule)).toBe('hand');
  expect(categoryOf(none, byRule)).toBe('rule');
  expect(categoryOf(byRule, none)).toBe('rule');
  const cleared = facets({ categorySource: 'person', locks: new Set(['category']) });
  expect([categoryOf(cleared, byRule), categoryOf(byRule, cleared)]).toEqual([null, null]);
  expect(mergedFacets(none, byRule).seriesId).toBe('newer');
  expect([...mergedFacets(byRule, byHand).locks]).toEqual(['category']);
});

test('tags are united, metadata of the newer one wins, and the flag stays if either has it', () => {
  const survivor = facets({
    tags: new Set(['a']),
    metadata: new Map([
      ['shop', 'old'],
      ['km', '1'],
    ]),
    locks: new Set(['tag:a', 'metadata.shop', 'metadata.km']),
    flaggedAt: '2026-01-01T00:00:00.000Z',
  });
  const newer = facets({ tags: new Set(['b']), metadata: new Map([['shop', 'new']]), locks: new Set(['flag']) });
  const merged = mergedFacets(survivor, newer);
  expect([...merged.tags]).toEqual(['a', 'b']);
  expect(Object.fromEntries(merged.metadata)).toEqual({ shop: 'new', km: '1' });
  expect([...merged.locks].sort()).toEqual(['metadata.km', 'tag:a']);
  expect(merged.flaggedAt).toBe('2026-01-01T00:00:00.000Z');
  expect(mergedFacets(newer, survivor).flaggedAt).toBe('2026-01-01T00:00:00.000Z');
});
