import { assert, jsonValue, property, string } from 'fast-check';
import { expect, test } from 'vitest';

import { cutPage, decodeCursor, encodeCursor, fingerprintOf, positionAfter, wholeNumber } from './cursor.ts';
import { AppError } from './errors.ts';

const FILTERS = fingerprintOf({ search: 'x' });

test('a cursor remembers its place, whatever the text', () => {
  assert(
    property(string({ unit: 'grapheme' }), string(), (key, id) => {
      const cursor = encodeCursor(FILTERS, { key, id });
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(decodeCursor(cursor, FILTERS)).toEqual({ key, id });
    }),
  );
});

test('a page ends where the next one begins, and the last one has no cursor', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id, key: id.toUpperCase() }));
  const { shown, end } = cutPage(rows, 2, FILTERS, (last) => last);
  expect(shown.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(end).toMatchObject({ has_more: true, limit: 2 });
  expect(decodeCursor(end.next_cursor, FILTERS)).toEqual({ key: 'B', id: 'b' });
  for (const few of [rows.slice(0, 2), []]) {
    expect(cutPage(few, 2, FILTERS, (last) => last)).toEqual({
      shown: few,
      end: { next_cursor: '', has_more: false, limit: 2 },
    });
  }
});

test('the next page begins after a row that still exists, and the first one at the top', async () => {
  const cursor = encodeCursor(FILTERS, { key: 'B', id: 'b' });
  const rowsNow = (...ids: string[]) => positionAfter(cursor, FILTERS, async (id) => ids.includes(id));
  expect(await rowsNow('a', 'b')).toEqual({ key: 'B', id: 'b' });
  await expect(rowsNow('a')).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  expect(await positionAfter(undefined, FILTERS, async () => false)).toBeNull();
});

test('a position that is a number is nothing else', () => {
  expect(['0', '-12', '999999999999999'].map(wholeNumber)).toEqual([0, -12, 999_999_999_999_999]);
  for (const part of ['', ' 1', '1.5', '1e3', '0x1', 'NaN', '9'.repeat(16)]) {
    expect([part, codeOf(() => wholeNumber(part))]).toEqual([part, 'INVALID_CURSOR']);
  }
});

test('a cursor for other filters is refused', () => {
  const cursor = encodeCursor(FILTERS, { key: '2026-01-01', id: 'a' });
  for (const other of [{ search: 'y' }, {}, { search: 'x', tag: 'a' }, { search: ['x'] }]) {
    expect(codeOf(() => decodeCursor(cursor, fingerprintOf(other)))).toBe('INVALID_CURSOR');
  }
});

test('anything else is refused, never a crash', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url');
  for (const cursor of [
    '',
    'x',
    '====',
    'a b',
    encoded({}),
    encoded([FILTERS]),
    encoded([FILTERS, 1, 'a']),
    'x'.repeat(5_000),
  ]) {
    expect([cursor, codeOf(() => decodeCursor(cursor, FILTERS))]).toEqual([cursor, 'INVALID_CURSOR']);
  }
  assert(
    property(string(), (text) => {
      expect(codeOf(() => decodeCursor(text, FILTERS))).toBe('INVALID_CURSOR');
    }),
  );
  assert(
    property(jsonValue(), (value) => {
      expect(codeOf(() => decodeCursor(encoded(value), FILTERS))).toBe('INVALID_CURSOR');
    }),
  );
});

test('the fingerprint does not depend on the order of filters, nor on absent ones', () => {
  expect(fingerprintOf({ a: 1, b: ['x'] })).toBe(fingerprintOf({ b: ['x'], c: undefined, a: 1 }));
  expect(fingerprintOf({ a: 1 })).not.toBe(fingerprintOf({ a: '1' }));
});

function codeOf(fn: () => unknown): string {
  try {
    fn();
    return 'none';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}
