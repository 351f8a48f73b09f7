import { expect, test } from 'vitest';

import { labelled, roundScale } from './scale.ts';

test('an axis has round ticks around all values, also around equal, negative and no ones', () => {
  expect(roundScale([4_898.4, 5_210]).ticks).toEqual([4_800, 4_900, 5_000, 5_100, 5_200, 5_300]);
  expect(roundScale([120, 900], { fromZero: true }).ticks).toEqual([0, 250, 500, 750, 1_000]);
  expect(roundScale([-300, -20], { fromZero: true }).ticks).toEqual([-300, -200, -100, 0]);
  for (const values of [[], [0, 0], [5], [-7.25, -7.25], [1e12, -1e12], [0.01, 0.02]]) {
    const { ticks, at } = roundScale(values);
    expect(ticks.length).toBeGreaterThan(2);
    expect(ticks.length).toBeLessThan(8);
    for (const value of values) {
      expect(at(value)).toBeGreaterThanOrEqual(0);
      expect(at(value)).toBeLessThanOrEqual(1);
    }
  }
});

test('labels have their room, and the last one is written', () => {
  expect([...labelled(12, 1_200, 60)]).toHaveLength(12);
  expect([...labelled(12, 320, 60)]).toEqual([2, 5, 8, 11]);
  expect([...labelled(1, 0, 60)]).toEqual([0]);
});
