import { describe, expect, test } from 'vitest';

import { fileOf, SAMPLES, type Sample } from '../../../../test/harness/bank-files/built-in-samples.ts';
import { readTwice } from '../../../../test/harness/bank-files/csv-reading.ts';

import type { FileAnalysis, ReadOptions } from '../analysis.ts';
import { BUILT_IN_PROFILES } from './built-in-profiles.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

function analyse(content: string, options: ReadOptions = {}): FileAnalysis {
  return analyseCsv(new TextEncoder().encode(content), options, CONTEXT);
}

describe('built-in profiles', () => {
  test('each strong profile with a header has a sample here', () => {
    const sampled = new Set(SAMPLES.map((sample) => sample.slug));
    const missing = BUILT_IN_PROFILES.filter(
      ({ strength, headers, refusal, slug }) =>
        strength === 'strong' && headers.length > 0 && refusal === undefined && !sampled.has(slug),
    );
    expect(missing.map((profile) => profile.slug)).toEqual([]);
  });

  test.each(SAMPLES.map((sample) => [sample.slug, sample] as const))(
    '%s reads a purchase as money out and a payment as money in',
    (slug, sample) => {
      const file = analyse(fileOf(sample));
      expect(file.profile?.slug).toBe(slug);
      expect(file.blockers).toEqual([]);
      expect([...file.rows()].map((row) => [row.outcome, row.amount_cents])).toEqual([
        ['row', 2_500],
        ['row', -100_000],
      ]);
      expect(['proved', 'not_available']).toContain(file.balance_proof.status);
    },
  );

  test.each(SAMPLES.map((sample) => [sample.slug, sample] as const))(
    '%s is recognised padded, in capitals and with further columns',
    (slug, sample) => {
      const [head, ...rest] = fileOf(sample)
        .slice(sample.preamble?.length ?? 0)
        .split('\n') as [string, ...string[]];
      const delimiter = sample.delimiter ?? ',';
      const padded = `${head.toUpperCase()}${delimiter}EXTRA  COLUMN`;
      expect(analyse([`${sample.preamble ?? ''}${padded}`, ...rest].join('\n')).profile?.slug).toBe(slug);
    },
  );

  test.each(SAMPLES.map((sample) => [sample.slug, sample] as const))(
    '%s is read the same once its reading is remembered',
    (_slug, sample) => {
      const { first, again } = readTwice(new TextEncoder().encode(fileOf(sample)), sample.options);
      expect(again).toEqual(first);
    },
  );

  test('a missing column defeats the match and the generic steps read the file', () => {
    const file = analyse(
      'Posted Date,Reference Number,Payee,Amount\n01/15/2025,1,CAFE,-25.00\n01/16/2025,2,PAY,30.00\n',
    );
    expect(file.profile).toBeNull();
    expect(file.row_count).toBe(2);
  });

  test('three plain columns never get the sign of a card by name alone', () => {
    const file = analyse('Date,Description,Amount\n01/15/2025,CAFE,-25.00\n');
    expect([file.profile?.strength, file.detection.sign.confidence, [...file.rows()][0]?.amount_cents]).toEqual([
      'weak',
      'assumed',
      2_500,
    ]);
  });

  test.each([
    ['wells_fargo', '"01/15/2025","-25.00","*","","CAFE"\n"01/16/2025","1000.00","*","","PAY"\n'],
    ['td_ca', '01/15/2025,CAFE,25.00,,975.00\n01/16/2025,PAY,,1000.00,1975.00\n01/17/2025,X,75.00,,1900.00\n'],
    ['au_plain', '15/01/2025,-25.00,CAFE,975.00\n16/01/2025,1000.00,PAY,1975.00\n'],
    ['usaa_legacy', 'posted,,01/15/2025,,CAFE,Food,-25.00\nposted,,01/16/2025,,PAY,,1000.00\n'],
  ])('%s is recognised by the shape of its columns', (slug, content) => {
    const file = analyse(content);
    expect([file.profile?.slug, file.detection.header.value]).toEqual([slug, null]);
    expect([...file.rows()].slice(0, 2).map((row) => row.amount_cents)).toEqual([2_500, -100_000]);
  });

  test('pending and ignored states, types and export escapes of single banks', () => {
    const revolut = SAMPLES.find((sample) => sample.slug === 'revolut') as Sample;
    const states = analyse(
      `${fileOf(revolut)}CARD_PAYMENT,Current,2025-01-17 10:00:00,,Shop,-5.00,0.00,EUR,PENDING,\nCARD_PAYMENT,Current,2025-01-17 10:00:00,,Shop,-5.00,0.00,EUR,REVERTED,\n`,
    );
    expect([...states.rows()].map((row) => row.reason)).toEqual([null, null, 'PENDING', 'STATUS_IGNORED']);
    const taken = analyse(
      `${fileOf(revolut)}CARD_PAYMENT,Current,2025-01-17 10:00:00,,Shop,-5.00,0.00,EUR,PENDING,\n`,
      { pending: 'import' },
    );
    expect([...taken.rows()].at(-1)).toMatchObject({ pending: true, date: '2025-01-17', account_value: 'Current EUR' });
    const apple = SAMPLES.find((sample) => sample.slug === 'apple_card') as Sample;
    expect(
      [...analyse(fileOf({ ...apple, incoming: apple.incoming.replace('-1000', '1000') })).rows()][1]?.amount_cents,
    ).toBe(-100_000);
    const own = SAMPLES.find((sample) => sample.slug === 'homeledger') as Sample;
    expect([...analyse(fileOf(own)).rows()][0]).toMatchObject({
      description: '=cafe',
      bank_id: 'u1',
      account_value: 'Main',
      tags: 'a;b',
    });
    const amex = SAMPLES.find((sample) => sample.slug === 'amex_long') as Sample;
    expect([...analyse(fileOf(amex)).rows()].map((row) => [row.line, row.bank_id])).toEqual([
      [2, '32025'],
      [4, '32026'],
    ]);
    const checking = SAMPLES.find((sample) => sample.slug === 'chase_checking') as Sample;
    expect([...analyse(fileOf(checking).replace('1975.00', ' ')).rows()][0]?.reason).toBe('PENDING');
  });

  test.each([
    'user_id,group_id,journal_id,created_at,updated_at,group_title,type,currency_code,amount,foreign_currency_code,foreign_amount,primary_currency_code,pc_amount,pc_foreign_amount,description,date,source_name,source_iban,source_type,destination_name,destination_iban,destination_type,reconciled,category,budget,bill,tags,notes',
    'journal_id,date,description,Destination_Type,destination_name,source_type,source_name, AMOUNT ,type',
  ])('the export of Firefly III is refused by name, however its columns are ordered', (head) => {
    const names = head.split(',').map((name) => name.trim().toLowerCase());
    const cells: Record<string, string> = {
      date: '2025-01-15T00:00:00+01:00',
      amount: '-25.00',
      type: 'Withdrawal',
      description: 'Cafe',
    };
    const file = `${head}\n${names.map((name) => cells[name] ?? '').join(',')}\n`;
    for (const options of [{}, { header_line: 1 }, { has_header: false }, { profile: 'amex' }]) {
      expect(() => analyse(file, options), JSON.stringify(options)).toThrow(/Firefly III/);
    }
    expect(analyse(file, { profile: 'none' }).row_count).toBe(1);
  });

  test('the sum of a split transaction in Actual is no row beside its parts', () => {
    const file = analyse(
      [
        'Account,Date,Payee,Notes,Category,Amount,Split_Amount,Cleared',
        'Checking,2025-01-15,Market,(SPLIT INTO 2) ,,0,-30,Cleared',
        'Checking,2025-01-15,Market,(SPLIT 1 OF 2) ,Food,-20,0,Cleared',
        'Checking,2025-01-15,Market,(SPLIT 2 OF 2) ,Home,-10,0,Cleared',
      ].join('\n'),
    );
    expect([...file.rows()].map((row) => [row.reason, row.amount_cents])).toEqual([
      ['STATUS_IGNORED', 0],
      [null, 2_000],
      [null, 1_000],
    ]);
  });
});
