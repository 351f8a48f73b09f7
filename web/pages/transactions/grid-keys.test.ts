import { expect, test } from 'vitest';

import { afterEnding, CELLS, commandOf, rowCommandOf } from './grid-keys.ts';

const ended = (via: 'enter' | 'tab' | 'pointer' | 'escape' | 'leave', isShift = false) => ({ via, isShift });

test('Enter saves and goes down, with Shift up', () => {
  expect(afterEnding('category', ended('enter'), CELLS)).toEqual({ what: 'edit', step: 1, cell: 'category' });
  expect(afterEnding('category', ended('enter', true), CELLS)).toEqual({ what: 'edit', step: -1, cell: 'category' });
});

test('Tab goes through the cells that are shown, and on to the next row', () => {
  const cells = ['category', 'note'] as const;
  expect(afterEnding('category', ended('tab'), cells)).toEqual({ what: 'edit', step: 0, cell: 'note' });
  expect(afterEnding('note', ended('tab'), cells)).toEqual({ what: 'edit', step: 1, cell: 'category' });
  expect(afterEnding('note', ended('tab', true), cells)).toEqual({ what: 'edit', step: 0, cell: 'category' });
  expect(afterEnding('category', ended('tab', true), cells)).toEqual({ what: 'edit', step: -1, cell: 'note' });
});

test('Escape gives the focus back; leaving takes nothing from where the person went', () => {
  expect(afterEnding('tags', ended('escape'), CELLS)).toEqual({ what: 'focus' });
  expect(afterEnding('tags', ended('pointer'), CELLS)).toEqual({ what: 'focus' });
  expect(afterEnding('tags', ended('leave'), CELLS)).toEqual({ what: 'nothing' });
});

test('arrows belong to a row that has the focus', () => {
  expect(commandOf('Enter')).toBeUndefined();
  expect(rowCommandOf('ArrowDown', true)).toEqual({ what: 'move', step: 1, isRange: true });
  expect(commandOf('j')).toEqual({ what: 'move', step: 1, isRange: false });
});
