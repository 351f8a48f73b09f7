import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fakeOutside } from '../../test/harness/servers/scripted-server.ts';
import { latestDate, readAmount, readEssentials, readId, readRaw, readText } from './read-values.ts';

describe('amounts', () => {
  test('are the digits that were sent', () => {
    const sent: [unknown, number, boolean][] = [
      [JSON.parse('12.1'), 1_210, false],
      [JSON.parse('0.07'), 7, false],
      [JSON.parse('1e2'), 10_000, false],
      [JSON.parse('1234567.89'), 123_456_789, false],
      [JSON.parse('-5'), -500, false],
      [JSON.parse('-0'), 0, false],
      [JSON.parse('1.005'), 101, true],
      [JSON.parse('-1.005'), -101, true],
      [JSON.parse('1.0049999'), 100, true],
      [JSON.parse('0.995'), 100, true],
      [JSON.parse('1e-7'), 0, true],
      [JSON.parse('-4e-3'), 0, true],
      [JSON.parse('9999999999.99'), 999_999_999_999, false],
      ['86.46', 8_646, false],
      ['-0.10', -10, false],
      ['12.100', 1_210, false],
      ['12.345', 1_235, true],
    ];
    for (const [value, cents, isRounded] of sent) expect(readAmount(value)).toEqual({ cents, isRounded });
  });

  test('are none in any other form', () => {
    const others = [
      'abc',
      '',
      ' 1',
      '1,00',
      '--1',
      '.5',
      '1e999',
      1e12,
      9_999_999_999.995,
      NaN,
      Infinity,
      null,
      true,
      [],
      {},
    ];
    for (const value of [...others, '1'.repeat(1_000_000)]) expect(readAmount(value)).toBeUndefined();
  });

  test('of two decimals survive as a number of JSON', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), (cents) => {
        const text = `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
        expect(readAmount(JSON.parse(text))).toEqual({ cents, isRounded: false });
      }),
    );
  });
});

describe('text', () => {
  test('loses what no database stores, and what is too long', () => {
    expect(readText('a\0b')).toBe('ab');
    expect(readText('\ud800x')).toBe('\ufffdx');
    expect(readText('x'.repeat(501))).toHaveLength(500);
    expect([...(readText('😀'.repeat(501)) ?? '')]).toHaveLength(500);
    expect(readText(`${'\0'.repeat(2_000)}rest`)).toBe('rest');
    for (const none of ['', '  ', '\0', null, 5, {}]) expect(readText(none)).toBeNull();
  });

  test('of an id is taken as it is, or not at all', () => {
    expect(readId(' A ')).toBe(' A ');
    for (const none of ['', 'a\0', '\ud800', 'x'.repeat(501), null, 7]) expect(readId(none)).toBeNull();
  });
});

describe('rows', () => {
  const row = { id: 'r', accountId: 'a', date: '2026-03-01', amount: 1 };
  const read = (change: object): unknown => readEssentials(row, { ...row, ...change }, latestDate(fakeOutside()));

  test('that lack something essential are unreadable, and say what', () => {
    const wrong: [object, string][] = [
      [{ id: null }, 'it has no id'],
      [{ accountId: undefined }, 'it names no account'],
      [{ date: null }, 'it has no date'],
      [{ date: '2026-02-30' }, 'its date is not a day of the calendar'],
      [{ date: 20_260_301 }, 'its date is not a day of the calendar'],
      [{ date: '1969-12-31' }, 'its date is before 1970'],
      [{ date: '2027-03-04' }, 'its date is more than 366 days ahead'],
      [{ amount: undefined }, 'it has no amount'],
      [{ amount: 'abc' }, 'its amount is not a number'],
      [{ amount: {} }, 'its amount is not a number'],
      [{ amount: 1e12 }, 'its amount is too large'],
      [{ amount: '10000000000.00' }, 'its amount is too large'],
    ];
    for (const [change, problem] of wrong) expect(read(change)).toMatchObject({ problem });
    expect(read({ date: '2027-03-03' })).toMatchObject({ date: '2027-03-03' });
    expect(read({ date: '1970-01-01' })).toMatchObject({ amountCents: 100 });
  });

  test('that are nested without end are unreadable', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(readRaw({ nested: nested(63) })).toBe(`{"nested":${'['.repeat(63)}${']'.repeat(63)}}`);
    expect(readRaw({ nested: nested(64) }) === undefined).toBe(true);
    expect(readRaw({ nested: nested(100_000) }) === undefined).toBe(true);
  });
});
