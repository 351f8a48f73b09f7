import { expect, test } from 'vitest';

import { layOut, piecesOf, stretchesOf, topOf, visibleBetween, type Period } from './months.ts';

const HEIGHTS = { row: 40, day: 20 };
const always = (): boolean => true;

function periods(counts: Readonly<Record<string, number>>): Period[] {
  return Object.entries(counts).map(([key, count]) => ({ key, count, counted: count, totals: [] }));
}

test('months of few rows are read together, and one of many alone', () => {
  const found = stretchesOf(periods({ '2026-04': 30, '2026-03': 60, '2026-02': 20, '2026-01': 900, '2025-12': 1 }));
  const few = { from: '2026-03-01', to: '2026-04-30', count: 90 };
  expect([...found.values()]).toEqual([
    few,
    few,
    { from: '2026-02-01', to: '2026-02-28', count: 20 },
    { from: '2026-01-01', to: '2026-01-31', count: 900 },
    { from: '2025-12-01', to: '2025-12-31', count: 1 },
  ]);
});

test('pieces cover each row once, whole days where they can', () => {
  const days = periods({ '2026-04-30': 60, '2026-04-29': 40, '2026-04-28': 1, '2026-04-27': 250, '2026-04-26': 5 });
  const pieces = piecesOf(days);
  expect(pieces.map(({ from, to, page, count }) => [from, to, page, count])).toEqual([
    ['2026-04-29', '2026-04-30', 0, 100],
    ['2026-04-28', '2026-04-28', 0, 1],
    ['2026-04-27', '2026-04-27', 0, 100],
    ['2026-04-27', '2026-04-27', 1, 100],
    ['2026-04-27', '2026-04-27', 2, 50],
    ['2026-04-26', '2026-04-26', 0, 5],
  ]);
  expect(pieces.map(({ start }) => start)).toEqual([0, 100, 101, 201, 301, 351]);
});

test('rows are found by their height, and heights by their row', () => {
  const layout = layOut(periods({ c: 3, b: 1, a: 100 }), HEIGHTS, always);
  expect(layout.height).toBe(3 * 20 + 104 * 40);
  for (let index = 0; index < layout.count; index++) {
    const top = topOf(layout, HEIGHTS, index);
    const visible = visibleBetween(layout, HEIGHTS, top, top + HEIGHTS.row);
    expect(visible.map(({ at, from, to }) => [at.start + from, at.start + to])).toEqual([[index, index + 1]]);
  }
  const all = visibleBetween(layout, HEIGHTS, 0, layout.height);
  expect(all.map(({ at, from, to }) => [at.day.key, from, to])).toEqual([
    ['c', 0, 3],
    ['b', 0, 1],
    ['a', 0, 100],
  ]);
  expect(visibleBetween(layout, HEIGHTS, -500, -100)).toEqual([]);
});

test('a day that is closed has no room for its rows, and keeps its heading', () => {
  const layout = layOut(periods({ c: 300, b: 200, a: 100 }), HEIGHTS, (day) => day === 'b');
  expect(layout.height).toBe(3 * 20 + 200 * 40);
  expect(topOf(layout, HEIGHTS, 300)).toBe(40);
  const visible = visibleBetween(layout, HEIGHTS, 0, 2 * 20 + 400);
  expect(visible.map(({ at, from, to }) => [at.day.key, from, to])).toEqual([
    ['c', 0, 0],
    ['b', 0, 10],
  ]);
});
