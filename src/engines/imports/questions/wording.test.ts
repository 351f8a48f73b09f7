import { describe, expect, test } from 'vitest';

import { AppError } from '../../../kernel/errors.ts';
import type { Blocker, FileAnalysis, ReadOptions } from '../analysis.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };
/** Names of fields and their values, which a person who uploads a file does not know. */
const JARGON = /[a-z]+_[a-z]+|\bsend\b|\bparameter\b|\bheader\b/i;

function analyse(content: string | Uint8Array, options: ReadOptions = {}): FileAnalysis {
  return analyseCsv(typeof content === 'string' ? new TextEncoder().encode(content) : content, options, CONTEXT);
}

function refusal(content: string, options: ReadOptions = {}): AppError {
  try {
    analyse(content, options);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the file was read');
}

function first(content: string | Uint8Array, options: ReadOptions = {}): Blocker {
  const [blocker] = analyse(content, options).blockers;
  if (!blocker) throw new Error('nothing stops the file');
  return blocker;
}

const CYRILLIC = Uint8Array.from('Date,Text,Amount\n2025-01-02,', (one) => one.charCodeAt(0));
const SIGNLESS =
  'Date,Text,Amount,Balance,Type\n2025-01-02,a,-1.00,9.00,Refund\n2025-01-03,b,-2.00,7.00,Refund\n' +
  '2025-01-04,c,-3.00,4.00,Refund\n2025-01-05,d,6.00,10.00,Purchase\n';
const NO_DATES = 'Shop,City,Sum\nBaker,Rome,1.00\nCafe,Oslo,2.50\n';
const NO_NAMES = 'Baker,Rome,1.00\nCafe,Oslo,2.50\n';

describe('what a person is asked', () => {
  test.each<[string, string | Uint8Array, ReadOptions, string]>([
    ['the letters', Uint8Array.of(...CYRILLIC, 0xd5, 0xeb, 0xe5, 0xe1, 0x2c, 0x2d, 0x31, 0x0a), {}, 'encoding'],
    ['the dates', 'Date,Text,Amount\n03/04/2025,x,-1.00\n', {}, 'date_format'],
    ['the decimals', 'Date,Text,Amount\n2025-01-02,x,-1.000\n', {}, 'decimal_separator'],
    ['two decimals', 'Date;Description;Amount\n2025-01-02;x;-1.234,56\n2025-01-03;x;-12.50\n', {}, 'decimal_separator'],
    ['the sign', SIGNLESS, {}, 'sign'],
    ['the fee', 'Date,Text,Amount,Fee\n2025-01-02,x,-1.00,0.10\n2025-01-03,x,-2.00,0.20\n', {}, 'fee_mode'],
    ['what is assumed', 'Date,Text,Amount\n2025-01-02,x,-1.00\n', { refuse_assumptions: true }, 'sign'],
    ['rows', 'Date,Text,Amount\n2025-01-02,x,-1.00\n2025-02-30,y,-2.00\n', { sign: 'positive_is_in' }, 'skip_invalid'],
    ['balances', 'Date,Text,Amount,Balance\n2025-01-02,x,-1.00,9.00\n2025-01-03,y,-2.00,6.00\n', {}, 'accept_unproved'],
    [
      'another reading',
      'Date,Text,Amount,Balance\n2025-01-02,x,-1.00,9.00\n2025-01-03,y,-2.00,7.00\n2025-01-04,z,5.00,12.00\n',
      { sign: 'positive_is_out', account_type: 'depository' },
      'sign',
    ],
    ['columns', NO_DATES, { has_header: true }, 'column_mapping'],
  ])('%s: in plain words, the field stands beside them', (_, content, options, parameter) => {
    const blocker = first(content, options);
    expect(blocker.parameter).toBe(parameter);
    expect(blocker.message).not.toMatch(JARGON);
    if (parameter !== 'skip_invalid' && parameter !== 'column_mapping')
      expect(blocker.details.some((one) => one.path === parameter && one.message.startsWith('Send '))).toBe(true);
  });

  test('every reading that is offered shows a row of the file', () => {
    for (const content of [
      'Date,Text,Amount\n03/04/2025,x,-1.00\n',
      SIGNLESS,
      'Date,Text,Amount\n2025-01-02,x,-1.000\n',
      NO_DATES,
    ]) {
      const { candidates } = first(content, content === NO_DATES ? { has_header: true } : {});
      expect(candidates.length).toBeGreaterThan(1);
      for (const one of candidates) {
        expect(one.line).toBe(2);
        expect(one.raw).not.toBe('');
        expect(one.read_as).not.toBe('');
      }
    }
  });
});

describe('a file whose columns are not known', () => {
  test('lists them all with what each could be', () => {
    const { message, candidates, details } = first(NO_DATES, { has_header: true });
    expect(message).toBe('We could not find the column with the date. Choose it from the columns of the file.');
    expect(candidates).toEqual([
      { value: 'Shop', line: 2, raw: 'Baker', read_as: 'column 1: could be text' },
      { value: 'City', line: 2, raw: 'Rome', read_as: 'column 2: could be text' },
      { value: 'Sum', line: 2, raw: '1.00', read_as: 'column 3: could be an amount or a balance' },
    ]);
    expect(details).toEqual([{ path: 'column_mapping.date', message: 'Which column is the date?' }]);
  });

  test('names those that fit', () => {
    const file = 'Eins,Zwei,Drei\n2025-01-02,2025-01-03,x\n2025-01-03,2025-01-04,y\n';
    expect(first(file, { has_header: true, column_mapping: { date: null } }).details[0]?.message).toBe(
      'Which column is the date? It could be "Eins" or "Zwei".',
    );
  });

  test('without names lists them by their numbers', () => {
    const { code, message, extra } = refusal(NO_NAMES);
    expect(code).toBe('NO_HEADER');
    expect(message).not.toMatch(JARGON);
    expect(extra.details?.slice(2)).toEqual([
      { path: 'column_1', message: 'column 1: could be text, such as "Baker" on line 1' },
      { path: 'column_2', message: 'column 2: could be text, such as "Rome" on line 1' },
      { path: 'column_3', message: 'column 3: could be an amount or a balance, such as "1.00" on line 1' },
    ]);
  });

  test('of very many columns lists a hundred', () => {
    const row = (text: string): string => `${Array.from({ length: 300 }, (_, i) => `${text}${i}`).join(',')}\n`;
    const { candidates } = first(row('name') + row('x') + row('y'), { has_header: true });
    expect(candidates.length).toBe(100);
  });
});
