import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../../test/harness/bank-files/csv-reading.ts';
import { normalisedText } from '../text/cell-text.ts';
import {
  IN,
  LEXICON,
  OUT,
  directionOfTypes,
  directionPair,
  textDirection,
  typeDirection,
  wordDirection,
} from './lexicon.ts';

describe('the lexicon of directions', () => {
  test('no term means both money out and money in, whatever its place and language', () => {
    const said = new Map<string, Set<string>>();
    for (const { text, way } of LEXICON) {
      if (way !== 'out' && way !== 'in') continue;
      const key = normalisedText(text);
      said.set(key, (said.get(key) ?? new Set()).add(way));
    }
    expect([...said].filter(([, ways]) => ways.size > 1)).toEqual([]);
  });

  test('a type that names an instrument or can be either never has a direction as well', () => {
    const isType = (where: string): boolean => where.endsWith('type');
    const either = new Set(
      LEXICON.filter(({ where, way }) => isType(where) && way === 'either').map(({ text }) => normalisedText(text)),
    );
    const both = LEXICON.filter(
      ({ text, where, way }) => isType(where) && (way === 'out' || way === 'in') && either.has(normalisedText(text)),
    );
    expect(both).toEqual([]);
  });

  test.each([
    ['sale|purchase|fee|withdrawal|debit|ATM|POS|check|Card Payment|SEPA Direct Debit|Debit card payment', OUT],
    [
      'Folgelastschrift|Kartenzahlung|Kontoführungsgebühr|Prélèvement SEPA|Addebito diretto|Adeudo|Kortköp|Betaalautomaat',
      OUT,
    ],
    ['payment received|return|refund|deposit|credit|cashback|Daily Cash|Direct Deposit|Check deposit', IN],
    ['Überweisungsgutschrift|SEPA-Gutschrift|Virement reçu|Bonifico ricevuto|Příchozí úhrada|Nómina', IN],
    [
      'Credit card|Debit card|credit transfer|SEPA Credit Transfer|Direct Debit Reversal|transfer|standing order|card',
      0,
    ],
    [
      'Überweisung|SEPA-Überweisung|Dauerauftrag|Kreditkarte|virement|Virement SEPA|Carte de crédit|Carta di credito',
      0,
    ],
    ['bonifico|transferencia|Tarjeta de crédito|overboeking|Creditcard|Przelew|Karta kredytowa|Kreditní karta', 0],
    ['Rücklastschrift|Rücküberweisung|Stornogutschrift|Remboursement achat|Devolución compra|Zwrot płatności', 0],
    ['Purchase return|Refund of fee|Credit card payment|Term deposit|Visa Debit|Átutalás|Hitelkártya|Överföring', 0],
  ])('type words beside a signed amount: %s', (types, direction) => {
    const found = types.split('|').map((type) => [type, typeDirection(type, false)]);
    expect(found).toEqual(types.split('|').map((type) => [type, direction]));
  });

  test('a payment is money in on a credit account only', () => {
    expect([typeDirection('Payment', true), typeDirection('Payment', false)]).toEqual([IN, 0]);
    expect([typeDirection('Credit card payment', true), typeDirection('Card payment', true)]).toEqual([IN, OUT]);
  });

  test('without signs, one type whose direction depends on the point of view leaves all rows without one', () => {
    expect(directionOfTypes(['Purchase', 'Refund'])).toEqual(
      new Map([
        ['purchase', OUT],
        ['refund', IN],
      ]),
    );
    for (const other of ['Sale', 'Return', 'SEPA Credit Transfer', 'Debit card', 'Dauerauftrag', 'Chargeback'])
      expect([other, directionOfTypes(['Purchase', 'Refund', other])]).toEqual([other, undefined]);
  });

  test('words of two different pairs do not form a pair', () => {
    expect(directionPair(['Soll', 'Haben'])).toEqual(
      new Map([
        ['haben', IN],
        ['soll', OUT],
      ]),
    );
    expect([directionPair(['S', 'D']), directionPair(['Af', 'Haben']), directionPair([])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a suffix is a short mark, not a letter with another meaning', () => {
    expect(['DR', 'db', 'CR', 'H', 'k', 'o', 'debit'].map((word) => wordDirection(word, 'suffix'))).toEqual([
      OUT,
      OUT,
      IN,
      IN,
      0,
      0,
      0,
    ]);
  });

  test('a term occurs only once for its place and language', () => {
    const times = new Map<string, number>();
    for (const { text, where, lang, opposite = '' } of LEXICON) {
      const key = [lang, where, text.replace(/[^*]/gu, ''), normalisedText(text), normalisedText(opposite)].join(' ');
      times.set(key, (times.get(key) ?? 0) + 1);
    }
    expect([...times].filter(([, count]) => count > 1)).toEqual([]);
    expect(
      LEXICON.filter(({ text }) => text.includes('*') && normalisedText(text).replaceAll('*', '').length < 2),
    ).toEqual([]);
  });

  test('a type that means a reversal means it in a description too', () => {
    const reversals = LEXICON.filter(({ where, way }) => where === 'type' && way === 'reversal');
    const read = reversals.map(({ text }) => `${text.replaceAll('*', '')} card purchase`);
    expect(read.filter((text) => textDirection(text) !== 0)).toEqual([]);
    expect(textDirection('card purchase')).toBe(OUT);
  });

  test('a single refund described as a card payment does not flip the signs of its file', () => {
    const file = 'Date,Description,Amount\n2025-03-10,Shop,-12.50\n2025-03-11,Zwrot płatność kartą Shop,12.50\n';
    expect(readingOf(file, 'utf-8')).toEqual([
      '2025-03-10 12.50 - Shop',
      '2025-03-11 -12.50 - Zwrot płatność kartą Shop',
    ]);
  });

  test('the description of a reversal shows no direction', () => {
    expect(['KARTENZAHLUNG REWE', 'Storno Kartenzahlung REWE', 'Virement reçu de Paul'].map(textDirection)).toEqual([
      OUT,
      0,
      IN,
    ]);
  });
});

const NAMES = 'Date,Description,Type,Amount\n';
const rows = (...types: readonly [type: string, amount: string][]): string =>
  types.map(([type, amount], i) => `2025-03-${10 + i},Shop ${i},${type},${amount}\n`).join('');

describe('type words beside signed amounts', () => {
  test.each(['SEPA Credit Transfer', 'Credit card', 'Debit card', 'Transfer', 'Direct debit reversal', 'Kreditkarte'])(
    '%s does not flip the signs',
    (type) => {
      const file = NAMES + rows([type, '-12.50'], [type, '-20.00'], [type, '-30.00'], [type, '500.00']);
      expect(readingOf(file, 'utf-8')).toEqual([
        '2025-03-10 12.50 - Shop 0',
        '2025-03-11 20.00 - Shop 1',
        '2025-03-12 30.00 - Shop 2',
        '2025-03-13 -500.00 - Shop 3',
      ]);
    },
  );

  test.each([
    ['Lastschrift', 'Gutschrift'],
    ['Prélèvement', 'Virement reçu'],
    ['Compra con tarjeta', 'Abono'],
    ['Purchase', 'Refund'],
  ])('%s and %s show which sign is money out', (out, into) => {
    const file = (outSign: string, inSign: string): string =>
      NAMES + rows([out, `${outSign}12.50`], [out, `${outSign}20.00`], [into, `${inSign}500.00`]);
    const expected = ['2025-03-10 12.50 - Shop 0', '2025-03-11 20.00 - Shop 1', '2025-03-12 -500.00 - Shop 2'];
    expect(readingOf(file('-', ''), 'utf-8')).toEqual(expected);
    expect(readingOf(file('', '-'), 'utf-8')).toEqual(expected);
  });

  test('words that contradict each other are asked about', () => {
    const file = NAMES + rows(['Debit', '-12.50'], ['Debit', '20.00'], ['Debit', '-30.00'], ['Credit', '-500.00']);
    expect(readingOf(file, 'utf-8')).toEqual(['AMBIGUOUS_FORMAT sign']);
  });

  test('one refund among ten debits is a refund', () => {
    const debits = Array.from({ length: 9 }, (_, i): [string, string] => ['Debit', `-${i + 10}.00`]);
    expect(readingOf(NAMES + rows(...debits, ['Debit', '25.00']), 'utf-8').at(-1)).toBe('2025-03-19 -25.00 - Shop 9');
  });
});
