import fc from 'fast-check';
import { expect, test } from 'vitest';

import { NO_ROWS, RowList } from './row-list.ts';

interface Row {
  readonly place: number;
  readonly value: number;
}

const values = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 20 });
const step = fc.oneof(
  fc.constant('reverse' as const),
  fc.constant('sort' as const),
  fc.record({ keep: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ pick: fc.array(fc.nat(30), { maxLength: 8 }) }),
);

test('a list of rows is what an array of them would be', () => {
  fc.assert(
    fc.property(values, fc.array(step, { maxLength: 6 }), fc.nat(20), fc.nat(20), (stored, steps, from, to) => {
      const rowAt = (place: number): Row => ({ place, value: stored[place] as number });
      let list = new RowList(rowAt, stored.length);
      let model = stored.map((_, place) => rowAt(place));
      const byValue = (a: Row, b: Row): number => a.value - b.value;
      for (const one of steps) {
        if (one === 'reverse') [list, model] = [list.toReversed(), model.toReversed()];
        else if (one === 'sort') [list, model] = [list.toSorted(byValue), model.toSorted(byValue)];
        else if ('keep' in one) {
          const fits = ({ value }: Row): boolean => value >= one.keep;
          [list, model] = [list.filter(fits), model.filter(fits)];
        } else {
          const indexes = one.pick.filter((index) => index < model.length);
          [list, model] = [list.pick(indexes), indexes.map((index) => model[index] as Row)];
        }
      }
      expect([...list]).toEqual(model);
      expect(list.length).toBe(model.length);
      expect(list.slice(from, to)).toEqual(model.slice(from, to));
      expect(list.at(from)).toEqual(model[from]);
      expect(list.at(-1)).toBeUndefined();
      expect(list.every(({ value }) => value > 1)).toBe(model.every(({ value }) => value > 1));
      expect(list.some(({ value }) => value > 3)).toBe(model.some(({ value }) => value > 3));
      expect(list.filter((_, index) => index % 2 === 1).toArray()).toEqual(model.filter((_, index) => index % 2 === 1));
    }),
  );
});

test('a list without rows is empty', () => {
  expect(
    NO_ROWS.toReversed()
      .toSorted(() => 0)
      .toArray(),
  ).toEqual([]);
  expect(NO_ROWS.at(0)).toBeUndefined();
});
