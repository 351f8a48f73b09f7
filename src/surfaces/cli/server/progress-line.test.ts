import { expect, test } from 'vitest';

import { progressLine } from './progress-line.ts';

function drawn(output: { isTTY: boolean; columns?: number }, TERM: string): string {
  let [text, now] = ['', 0];
  const write = (part: string | Uint8Array): boolean => {
    text += String(part);
    return true;
  };
  const stream = { columns: 80, ...output, write };
  const line = progressLine(12_000, stream, { TERM }, () => now);
  for (const [at, written] of [
    [500, 100],
    [1_000, 3_000],
    [1_050, 3_100],
    [1_100, 6_000],
    [6_000, 9_000],
  ] as const) {
    now = at;
    line.show(written);
  }
  line.end();
  return text;
}

test('progress stays on one line of a terminal, however narrow it is', () => {
  expect(drawn({ isTTY: true }, 'xterm')).toBe(
    '\rWriting the household: 25 %, 3,000 transactions\rWriting the household: 50 %, 6,000 transactions' +
      '\rWriting the household: 75 %, 9,000 transactions\r\u001b[K',
  );
  const narrow = drawn({ isTTY: true, columns: 40 }, 'xterm').split('\r');
  for (const line of narrow) expect(line.length).toBeLessThan(40);
  expect(narrow[1]).toBe('Writing the household: 25 %, 3,000 tran');
});

test('progress is a line every five seconds where none can be drawn again', () => {
  const lines = 'Writing the household: 25 %, 3,000 transactions\nWriting the household: 75 %, 9,000 transactions\n';
  expect(drawn({ isTTY: true }, 'dumb')).toBe(lines);
  expect(drawn({ isTTY: false }, 'xterm')).toBe(lines);
});
