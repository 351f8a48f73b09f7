import { array, assert, constantFrom, integer, nat, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { anyCharacter } from '../../../../test/harness/any-character.ts';
import { Body, Code, Id, Money } from '../../../contract/common.ts';
import { maskNumbers } from './mask-numbers.ts';
import { cleanOutsideText } from './outside-text.ts';

const OPEN = { isMasked: false };
const MASKED = { isMasked: true };
const Metadata = z.object({ metadata: z.record(z.string(), z.unknown()) });

function cleanName(name: string, isMasked = false): string {
  return cleanOutsideText({ name }, z.object({ name: z.string() }), { isMasked }).result.name;
}

describe('Text from outside', () => {
  test.each([
    ['control characters', 'a\u0007b\u0085c', 'a b c'],
    ['changes of direction', 'a\u202eb\u2066c', 'a b c'],
    ['characters without width', 'a\u200bb\u2060c\ufeffd\u00ade', 'a b c d e'],
    ['tags', 'a\u{e0049}\u{e0067}b', 'a  b'],
    ['selectors that encode bytes', 'a\ufe00\ufe01\u{e0100}b', 'a   b'],
    ['selectors after an emoji', '❤\ufe0f\ufe01\ufe02', '❤   '],
    ['half a character', 'a\ud83db', 'a b'],
    ['lines', 'a\nb\u2028c\td', 'a b c d'],
  ])('%s become spaces', (_what, sent, shown) => {
    expect(cleanName(sent)).toBe(shown);
  });

  test('stays as it is where it is harmless', () => {
    for (const text of ['Café Zürich 1️⃣', 'I ❤️ Łódź', '東京 مرحبا', 'a • b — “c”']) expect(cleanName(text)).toBe(text);
  });

  test('keeps the lines of a body, and is longer there', () => {
    const body = `# Title\n\n\t- one\r\n${'x'.repeat(20_000)}`;
    const Reports = z.object({ reports: z.array(z.object({ body: Body, title: z.string() })) });
    const { result } = cleanOutsideText({ reports: [{ body, title: body }] }, Reports, OPEN);
    expect(result.reports[0]?.body).toBe(body.slice(0, 10_000));
    expect(result.reports[0]?.title).toBe(body.replace(/[\n\t\r]/g, ' ').slice(0, 500));
  });

  test('is all text but ids, words and values of ours, and objects without a schema are free-form', () => {
    const Row = z.object({
      id: Id,
      code: Code.nullable(),
      amount: Money.optional(),
      kind: z.enum(['a\u200bb']),
      name: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()),
      merchant_name: z.string().optional(),
    });
    const record = {
      id: 'a\u200bb',
      code: 'a\u200bb',
      amount: '1.00',
      kind: 'a\u200bb',
      name: 'c\u200bd',
      metadata: { 'e\u200bf': ['g\u200bh', 7] },
    };
    expect(cleanOutsideText({ rows: [record] }, z.object({ rows: z.array(Row) }), OPEN)).toEqual({
      result: { rows: [{ ...record, name: 'c d', metadata: { 'e f': ['g h', 7] } }] },
      found: ['rows[].name', 'rows[].metadata'],
    });
  });

  test('is what the schema does not name, too', () => {
    const added = { rows: [{ id: 'x', note: 'c\u200bd', more: { deep: ['e\u200bf'] } }] };
    expect(cleanOutsideText(added, z.object({ rows: z.array(z.object({ id: Id })) }), OPEN)).toEqual({
      result: { rows: [{ id: 'x', note: 'c d', more: { deep: ['e f'] } }] },
      found: ['rows[].note', 'rows[].more'],
    });
  });

  test('is found in whichever record of a union the value is', () => {
    const Either = z.object({
      one: z.union([z.object({ id: Id, name: z.string() }), z.object({ slug: Code, n: z.int() })]),
    });
    const shown = (one: object) => cleanOutsideText({ one }, Either, OPEN).found;
    expect(shown({ id: 'x', name: 'Shop' })).toEqual(['one.name']);
    expect(shown({ slug: 'shop', n: 1 })).toEqual([]);
  });

  test('never holds more than 500 characters, nor one that nobody sees', () => {
    assert(
      property(array(anyCharacter, { maxLength: 1_500 }), (characters) => {
        const clean = cleanName(characters.join(''));
        expect([...clean].length).toBeLessThanOrEqual(500);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2060-\u206f\u{e0000}-\u{e0fff}]/u);
        expect(cleanName(clean)).toBe(clean);
      }),
    );
  });
});

describe('Masked numbers', () => {
  test.each([
    ['Card 4111111111111111 used', 'Card •••1111 used'],
    ['4111 1111 1111 1111', '•••1111'],
    ['4111-1111-1111-1111', '•••1111'],
    ['IBAN DE89370400440532013000', 'IBAN •••3000'],
    ['to DE89 3704 0044 0532 0130 00 for rent', 'to •••3000 for rent'],
    ['mt84 malt 0110 0001 2345 mtlc ast0 01s thanks', '•••001S thanks'],
    ['GB29NWBK60161331926819', '•••6819'],
    ['GB29 NWBK 6016 1331 9268 19 NL91 ABNA 0417 1643 00', '•••6819 •••4300'],
    ['DE89370400440532013000 4111 1111 1111 1111', '•••3000 •••1111'],
    ['From 12345678 DE89 3704 0044 0532 0130 00 2026-06-01', 'From •••5678 •••3000 2026-06-01'],
    [
      'A bank\u2019s own \u2022\u2022\u20221234 5678 9012',
      'A bank\u2019s own \u2022\u2022\u2022\u2022\u2022\u20229012',
    ],
    ['No 12 NL91 ABNA 0417 1643 00', 'No 12 •••4300'],
    ['NL91\u00a0ABNA\u00a00417\u00a01643\u00a000, 4111\u20131111\u20131111\u20131111', '•••4300, •••1111'],
    ['Invoice 1234567 of 12.03.2026', 'Invoice 1234567 of 12.03.2026'],
    ['Call 030 123 456', 'Call 030 123 456'],
    ['DE12 shops are open every day', 'DE12 shops are open every day'],
  ])('%s', (sent, shown) => {
    expect(maskNumbers(sent)).toBe(shown);
  });

  test('cover keys and numbers of free-form values', () => {
    const { result } = cleanOutsideText({ metadata: { 'k 12345678': 4111111111111111, n: 12 } }, Metadata, MASKED);
    expect(result.metadata).toEqual({ 'k •••5678': '•••1111', n: 12 });
  });

  test('leave ids and amounts as they are', () => {
    const id = '01a21402-7abb-7000-bfe0-f12348204301';
    const at = '2026-03-01T09:00:00.123Z';
    const metadata = { series_id: id, ids: [id], amount: '-12345678.90', at, text: '123482043' };
    const { result } = cleanOutsideText({ metadata }, Metadata, MASKED);
    expect(result.metadata).toEqual({ ...metadata, text: '•••2043' });
  });

  test('are masked in the text of a bank, and in a card number, whatever they look like', () => {
    const { series_id, amount } = { series_id: '01a21402-7abb-7000-bfe0-f12348204301', amount: '12345678.90' };
    const texts = { name: amount, reference: series_id, payload: { card: '4111111111111111.00' } };
    const Texts = z.object({ name: z.string(), reference: z.string(), payload: z.object({ card: z.string() }) });
    const { result } = cleanOutsideText(texts, Texts, MASKED);
    expect(result).toEqual({
      name: '•••5678.90',
      reference: '01a21402-7abb-7000-bfe0-f•••4301',
      payload: { card: '•••1111.00' },
    });
  });

  test('leave no eight digits in a row, and no text that was masked before', () => {
    const piece = oneof(
      string({ maxLength: 6 }),
      nat().map(String),
      integer({ min: 10 ** 9 }).map(String),
      constantFrom(' ', '-', 'DE89 3704 0044 0532 0130 00', 'NL91 ABNA 0417 1643 00', 'No 12'),
    );
    assert(
      property(array(piece, { maxLength: 30 }), (pieces) => {
        const masked = maskNumbers(pieces.join(''));
        expect(masked).not.toMatch(/\d{8}/);
        expect(maskNumbers(masked)).toBe(masked);
      }),
    );
  });
});
