/** What the keys of the list mean. Pure: whoever listens to them does it. */

/** The cells that are edited in place, in the order in which Tab goes through them. */
export const CELLS = ['counterparty', 'category', 'tags', 'note'] as const;
export type Cell = (typeof CELLS)[number];

export type Command =
  | { what: 'move'; step: 1 | -1; isRange: boolean }
  | { what: 'month'; step: 1 | -1 }
  | { what: 'edit'; cell: Cell }
  | { what: 'flag' | 'looked-at' | 'select' | 'everything' | 'undo' | 'new-rule' };

const COMMANDS: Readonly<Record<string, Command>> = {
  j: { what: 'move', step: 1, isRange: false },
  k: { what: 'move', step: -1, isRange: false },
  J: { what: 'move', step: 1, isRange: true },
  K: { what: 'move', step: -1, isRange: true },
  ']': { what: 'month', step: 1 },
  '[': { what: 'month', step: -1 },
  c: { what: 'edit', cell: 'category' },
  t: { what: 'edit', cell: 'tags' },
  m: { what: 'edit', cell: 'note' },
  f: { what: 'flag' },
  r: { what: 'looked-at' },
  x: { what: 'select' },
  e: { what: 'everything' },
  z: { what: 'undo' },
  n: { what: 'new-rule' },
};

/** Keys that work only while a row has the focus. */
const OF_ROWS: Readonly<Record<string, Command>> = {
  ArrowDown: { what: 'move', step: 1, isRange: false },
  ArrowUp: { what: 'move', step: -1, isRange: false },
};
const OF_ROWS_WITH_SHIFT: Readonly<Record<string, Command>> = {
  ArrowDown: { what: 'move', step: 1, isRange: true },
  ArrowUp: { what: 'move', step: -1, isRange: true },
};

export const KEYS: readonly string[] = Object.keys(COMMANDS);

export function commandOf(key: string): Command | undefined {
  return COMMANDS[key];
}

export function rowCommandOf(key: string, isShift: boolean): Command | undefined {
  return (isShift ? OF_ROWS_WITH_SHIFT : OF_ROWS)[key];
}

/** How the editing of a cell ended. */
export interface Ending {
  via: 'enter' | 'tab' | 'pointer' | 'escape' | 'leave';
  isShift: boolean;
}

/** What is edited, or has the focus, next. */
export type Next =
  | { what: 'edit'; step: -1 | 0 | 1; cell: Cell }
  | { what: 'focus' }
  /** The person has gone elsewhere already. */
  | { what: 'nothing' };

/**
 * Enter goes to the same cell of the row below, with Shift above; Tab to the next cell of the row, and from the last one to
 * the first of the row below. Everything else ends it.
 */
export function afterEnding(cell: Cell, { via, isShift }: Ending, cells: readonly Cell[]): Next {
  if (via === 'enter') return { what: 'edit', step: isShift ? -1 : 1, cell };
  if (via === 'leave') return { what: 'nothing' };
  if (via !== 'tab') return { what: 'focus' };
  const step = isShift ? -1 : 1;
  const next = cells[cells.indexOf(cell) + step];
  if (next !== undefined) return { what: 'edit', step: 0, cell: next };
  const other = cells.at(isShift ? -1 : 0);
  return other === undefined ? { what: 'focus' } : { what: 'edit', step, cell: other };
}
