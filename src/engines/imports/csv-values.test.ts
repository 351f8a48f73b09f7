import { describe, expect, test } from 'vitest';

import type { AccountKnowledge, AnalysedRow, FileAnalysis, ReadContext, ReadOptions } from './analysis.ts';
import { analyseCsv } from './csv.ts';

const CONTEXT: ReadContext = { today: '2025-06-30', profiles: [], account: null, file_name: null };

function analyse(
  content: string | Uint8Array,
  options: ReadOptions = {},
  context: Partial<ReadContext> = {},
): FileAnalysis {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return analyseCsv(bytes, options, { ...CONTEXT, ...context });
}

function rows(file: FileAnalysis): AnalysedRow[] {
  return [...file.rows()].filter((row) => row.outcome === 'row');
}

function amounts(file: FileAnalysis): (number | null)[] {
  return rows(file).map((row) => row.amount_cents);
}

function outcomes(file: FileAnalysis): string[] {
  return [...file.rows()].map((row) => `${row.line} ${row.reason ?? row.outcome}`);
}

function codes(file: FileAnalysis): string[] {
  return file.blockers.map((blocker) => `${blocker.code} ${blocker.parameter ?? ''}`.trim());
}

function account(type: string, ledger: [string, number, string][] = []): AccountKnowledge {
  return {
    account_id: 'a',
    type,
    iso_currency_code: 'EUR',
    ledgerRows: () => ledger.map(([date, amount_cents, name]) => ({ date, amount_cents, name })),
  };
}

describe('dates', () => {
  const table = (...dates: string[]): string =>
    `Date,Description,Amount\n${dates.map((date, i) => `${date},t${i},-${i + 1}.00\n`).join('')}`;
  const dated = (file: FileAnalysis): unknown => rows(file).map((row) => row.date);

  test('one date that reads both ways is asked about', () => {
    const file = analyse(table('03/04/2025'));
    expect(codes(file)).toEqual(['AMBIGUOUS_FORMAT date_format']);
    expect(file.blockers[0]?.candidates).toEqual([
      { value: 'DD/MM/YYYY', line: 2, raw: '03/04/2025', read_as: '2025-04-03' },
      { value: 'MM/DD/YYYY', line: 2, raw: '03/04/2025', read_as: '2025-03-04' },
    ]);
    expect(dated(analyse(table('03/04/2025'), { date_format: 'MM/DD/YYYY' }))).toEqual(['2025-03-04']);
  });

  test.each<[string, string[], string, string]>([
    ['any day over 12', ['01/02/2025', '13/02/2025'], 'DD/MM/YYYY', 'certain'],
    ['the same both ways', ['05/05/2025'], 'DD/MM/YYYY', 'certain'],
    ['span', ['01/02/2025', '01/03/2025', '01/05/2025'], 'MM/DD/YYYY', 'likely'],
    ['row order', ['11/01/2024', '02/02/2024', '03/02/2024', '04/02/2024'], 'DD/MM/YYYY', 'likely'],
    ['future', ['03/12/2025'], 'MM/DD/YYYY', 'certain'],
    ['year first', ['2025-02-01'], 'YYYY-MM-DD', 'certain'],
    ['unpadded', ['2/8/25', '2/24/25'], 'M/D/YY', 'certain'],
  ])('%s decides', (_, dates, format, confidence) => {
    const file = analyse(table(...dates));
    expect([file.detection.date_format.value, file.detection.date_format.confidence]).toEqual([format, confidence]);
  });

  test('a second column of unambiguous dates decides', () => {
    const file = analyse(
      'Posting date,Transaction date,Text,Amount\n03/04/2025,2025-04-02,a,-1\n05/04/2025,2025-04-03,b,-2\n',
    );
    expect(file.detection.date_format).toMatchObject({
      value: 'DD/MM/YYYY',
      confidence: 'certain',
      evidence: ['second_date_column'],
    });
    expect(rows(file).map((row) => row.authorized_date)).toEqual(['2025-04-02', '2025-04-03']);
  });

  test('balances decide', () => {
    const file = analyse(
      'Date,Text,Amount,Balance\n01/02/2025,a,-1.00,99.00\n02/01/2025,b,-2.00,97.00\n03/01/2025,c,-4.00,93.00\n',
    );
    expect(file.detection.date_format).toMatchObject({ value: 'MM/DD/YYYY', confidence: 'proved' });
  });

  test('rows of the ledger decide', () => {
    const ledger = account('depository', [
      ['2025-04-03', 100, 'x'],
      ['2025-04-03', 200, 'x'],
      ['2025-04-03', 300, 'x'],
    ]);
    const file = analyse(
      table('03/04/2025', '03/04/2025', '03/04/2025'),
      { sign: 'positive_is_in' },
      { account: ledger },
    );
    expect(file.detection.date_format).toMatchObject({
      value: 'DD/MM/YYYY',
      confidence: 'likely',
      evidence: ['ledger_overlap'],
    });
  });

  test('a bad date is an invalid row with its line; skip_invalid imports the rest', () => {
    const content = table('2025-01-02', '2025-02-30', '2025-01-04');
    expect(codes(analyse(content))).toEqual(['INVALID_ROWS skip_invalid']);
    const file = analyse(content, { skip_invalid: true });
    expect([codes(file), file.row_count, file.invalid_count]).toEqual([[], 2, 1]);
    expect(file.problems[0]).toMatchObject({
      line: 3,
      reason: 'DATE_INVALID',
      message: '"2025-02-30" is not a date',
      raw: '2025-02-30,t1,-2.00',
    });
  });

  test('250 bad rows list 100 and count all', () => {
    const file = analyse(table(...Array.from({ length: 300 }, (_, i) => (i < 250 ? '99/99/2025' : '13/01/2025'))));
    expect(file.blockers[0]?.details).toHaveLength(100);
    expect(file.blockers[0]?.message).toContain('250');
  });

  test('a file of bad rows alone is refused even with skip_invalid', () => {
    expect(codes(analyse(table('2025-13-01', '2025-14-01'), { skip_invalid: true }))).toEqual(['INVALID_ROWS']);
  });

  test('dates long ago or far ahead are invalid, near ones warn', () => {
    const file = analyse(table('1969-12-31', '2025-08-01', '2025-07-31'), { skip_invalid: true });
    expect(outcomes(file)).toEqual(['2 DATE_OUT_OF_RANGE', '3 DATE_OUT_OF_RANGE', '4 row']);
    expect(file.warnings.map((warning) => warning.code)).toContain('FUTURE_DATE');
  });

  test('a zone never moves the date and gives the instant', () => {
    const [row] = rows(analyse('Created,Text,Amount\n2025-01-31T23:30:00-08:00,a,-1\n'));
    expect([row?.date, row?.datetime, row?.time]).toEqual(['2025-01-31', '2025-02-01T07:30:00.000Z', '23:30:00']);
  });
});

describe('amounts', () => {
  const numbers = (...cells: string[]): string =>
    `Date;Text;Amount\n${cells.map((cell) => `2025-01-02;a;${cell}\n`).join('')}`;

  test('only thousands are asked about; the caller, a chain or a currency without decimals decide', () => {
    expect(codes(analyse(numbers('1.000', '-2.500')))).toEqual(['AMBIGUOUS_FORMAT decimal_separator']);
    expect(amounts(analyse(numbers('1.000', '2.500'), { decimal_separator: ',', sign: 'positive_is_out' }))).toEqual([
      100_000, 250_000,
    ]);
    const chained = analyse(
      'Date;Text;Amount;Balance\n2025-01-02;a;-1.000;9.000\n2025-01-03;b;-2.500;6.500\n2025-01-04;c;500;7.000\n',
    );
    expect(chained.detection.decimal_separator).toMatchObject({ value: ',', confidence: 'proved' });
    expect(analyse(numbers('1,000', '2,500'), { iso_currency_code: 'JPY' }).detection.decimal_separator).toMatchObject({
      value: '.',
      confidence: 'likely',
      evidence: ['minor_unit'],
    });
  });

  test('both separators as decimals are asked about', () => {
    const file = analyse(numbers('1.234,56', '12.50'));
    expect(codes(file)[0]).toBe('AMBIGUOUS_FORMAT decimal_separator');
    expect(file.blockers[0]?.candidates.map((one) => one.line)).toEqual([3, 2].sort((a, b) => b - a));
  });

  test('a third decimal is never rounded', () => {
    expect(outcomes(analyse(numbers('12.345', '1.50')))).toEqual(['2 AMOUNT_PRECISION', '3 row']);
  });

  test('debit and credit: negative credits are money in, reversals count against their column', () => {
    const file = analyse(
      'Date,Text,Debit,Credit\n2025-01-02,a,,-500.00\n2025-01-03,b,20.00,\n2025-01-03,c,30.00,\n2025-01-04,d,-5.00,\n',
      { positive_is_debit: false },
    );
    expect(amounts(file)).toEqual([-50_000, 2_000, 3_000, -500]);
    expect([file.has_debit_credit, file.positive_is_debit, file.detection.sign.value]).toEqual([
      true,
      null,
      'debit_credit',
    ]);
  });

  test.each([
    ['Af', 'Bij'],
    ['IN', 'OUT'],
    ['Debit', 'Credit'],
    ['S', 'H'],
    ['-', '+'],
  ])('a column of %s and %s gives the direction', (one, other) => {
    const file = analyse(`Date,Text,Amount,Which\n2025-01-02,a,5.00,${one}\n2025-01-03,b,7.00,${other}\n`);
    const [first] = amounts(file);
    expect(file.detection.sign.value).toBe('direction');
    expect(first).toBe(one === 'IN' ? -500 : 500);
  });

  test('a word outside of the pair is DIRECTION_UNKNOWN', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `2025-01-02,t${i},5.00,${i === 7 ? 'Maybe' : 'Debit'}\n`).join(
      '',
    );
    expect(outcomes(analyse(`Date,Text,Amount,Debit/Credit\n${lines}`))[7]).toBe('9 DIRECTION_UNKNOWN');
  });

  test('a suffix on every number gives the direction', () => {
    expect(amounts(analyse(numbers('5.00 DR', '7.00 CR')))).toEqual([500, -700]);
  });

  test('a refund that a bank with signed amounts calls a debit comes in, also where nothing has a minus', () => {
    const header = 'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #';
    const file = analyse(`${header}\nDEBIT,01/15/2025,REFUND SHOP,20.00,DEBIT_CARD,120.00,,\n`);
    expect([file.profile?.slug, codes(file), amounts(file)]).toEqual(['chase_checking', [], [-2_000]]);
    const card = 'Transaction Date,Post Date,Description,Category,Type,Amount,Memo';
    expect(codes(analyse(`${card}\n01/15/2025,01/16/2025,SHOP,Home,Purchase,20.00,\n`))).toEqual([
      'AMBIGUOUS_FORMAT sign',
    ]);
  });

  test('a caller can say that no column gives the direction', () => {
    const content = 'Date,Description,Type,Amount\n2025-01-02,a,Debit,5.00\n2025-01-20,b,Credit,6.00\n';
    expect(amounts(analyse(content))).toEqual([500, -600]);
    const file = analyse(content, { column_mapping: { direction: null }, sign: 'positive_is_in' });
    expect([file.detection.sign.value, amounts(file)]).toEqual(['positive_is_in', [-500, -600]]);
  });

  test('beside signed amounts a direction column changes no sign', () => {
    const file = analyse(
      'Date,Text,Amount,Type\n2025-01-02,a,-5.00,DEBIT\n2025-01-03,b,25.00,DEBIT\n2025-01-04,c,-7.00,DEBIT\n',
      { sign: 'positive_is_in' },
    );
    expect(amounts(file)).toEqual([500, -2_500, 700]);
  });

  test('three plain columns without a minus are purchases or deposits: both readings are shown', () => {
    const file = analyse(numbers('5.00', '7.00'));
    expect(codes(file)).toEqual(['AMBIGUOUS_FORMAT sign']);
    expect(file.detection.sign.candidates).toMatchObject([
      { value: 'positive_is_out', raw: '5.00', read_as: 'money out' },
      { value: 'positive_is_in', raw: '5.00', read_as: 'money in' },
    ]);
    expect(amounts(analyse(numbers('5.00', '7.00'), { sign: 'positive_is_in' }))).toEqual([-500, -700]);
  });

  test('balances without a minus are asked about, and the right answer proves', () => {
    const content = 'Date,Text,Amount,Balance\n2025-01-02,a,10.00,110.00\n2025-01-03,b,20.00,130.00\n';
    expect(codes(analyse(content))[0]).toBe('AMBIGUOUS_FORMAT sign');
    const answered = analyse(content, { sign: 'positive_is_in' });
    expect([codes(answered), answered.balance_proof.status]).toEqual([[], 'proved']);
  });

  test('a file that hides the direction is asked about', () => {
    const content = 'Date,Text,Amount,Kind\n2025-01-02,a,5.00,x\n2025-01-03,b,7.00,y\n2025-01-03,b,7.00,y\n';
    expect(codes(analyse(content))).toEqual(['AMBIGUOUS_FORMAT sign']);
  });

  test('words, the account type and the ledger speak for a sign', () => {
    const typed = 'Date,Text,Amount,Type\n2025-01-02,a,5.00,Sale\n2025-01-03,b,7.00,Sale\n2025-01-04,c,-9.00,Return\n';
    expect(analyse(typed).detection.sign).toMatchObject({ value: 'positive_is_out', confidence: 'likely' });
    const plain = 'Date,Text,Amount\n2025-01-02,Alpha,5.00\n2025-01-03,Beta,7.00\n2025-01-04,Gamma,-9.00\n';
    expect(analyse(plain, { account_type: 'credit' }).detection.sign).toMatchObject({
      value: 'positive_is_out',
      evidence: ['account_type', 'negative_values'],
    });
    const ledger = account('depository', [
      ['2025-01-02', 500, 'Alpha'],
      ['2025-01-03', 700, 'BETA'],
      ['2025-01-04', -900, 'Gamma Shop'],
    ]);
    expect(analyse(plain, {}, { account: ledger }).detection.sign).toMatchObject({
      value: 'positive_is_out',
      confidence: 'certain',
    });
    expect(analyse(plain, { sign: 'positive_is_in' }, { account: ledger }).warnings.map((one) => one.code)).toContain(
      'SIGN_CONTRADICTS_LEDGER',
    );
  });

  test('the ledger speaks for a sign under names that one side writes with vowel marks', () => {
    const ledger = account('depository', [
      ['2025-01-02', -100, 'קפה'],
      ['2025-01-03', -200, 'קפה'],
      ['2025-01-04', -300, 'קפה'],
    ]);
    const content = 'Date,Description,Amount\n2025-01-02,קָפֶה,1.00\n2025-01-03,קָפֶה,2.00\n2025-01-04,קָפֶה,3.00\n';
    const { sign } = analyse(content, {}, { account: ledger }).detection;
    expect([sign.value, sign.evidence]).toEqual(['positive_is_in', ['ledger_overlap']]);
  });

  test('a fee is settled by the balances, else asked about', () => {
    const open = 'Date,Text,Amount,Fee\n2025-01-02,a,-5.00,0.50\n2025-01-03,b,-7.00,0\n';
    expect(codes(analyse(open))).toEqual(['AMBIGUOUS_FORMAT fee_mode']);
    const file = analyse(
      'Date,Text,Amount,Fee,Balance\n2025-01-02,a,-5.00,0.50,94.50\n2025-01-03,b,-7.00,0,87.50\n2025-01-04,c,-1.00,0.10,86.40\n',
    );
    expect(file.detection.fee_mode).toMatchObject({ value: 'separate', confidence: 'proved' });
    expect(amounts(file)).toEqual([550, 700, 110]);
  });
});

describe('currency, status, text', () => {
  test('the currency comes from the file or stays unknown', () => {
    const of = (content: string, options: ReadOptions = {}): unknown =>
      rows(analyse(content, options)).map((row) => row.iso_currency_code);
    expect(of('Date,Text,Amount\n2025-01-02,a,$5.00\n')).toEqual([null]);
    expect(of('Date,Text,Amount\n2025-01-02,a,£5.00\n')).toEqual(['GBP']);
    expect(of('Date,Text,Amount (EUR)\n2025-01-02,a,5.00\n')).toEqual(['EUR']);
    expect(of('Date,Text,Amount CZK\n2025-01-02,a,5.00\n')).toEqual(['CZK']);
    expect(of('Date,Text,Amount,Currency\n2025-01-02,a,5.00,usd\n2025-01-02,a,5.00,EUR\n')).toEqual(['USD', 'EUR']);
    expect(of('Date,Text,Amount\n2025-01-02,a,5.00\n', { iso_currency_code: 'chf' })).toEqual(['CHF']);
    expect(of('Währung;EUR\nDate;Text;Amount\n2025-01-02;a;5,00\n')).toEqual(['EUR']);
  });

  test('pending rows are left out or taken, ignored ones never count', () => {
    const content =
      'Date,Text,Amount,Status\n2025-01-02,a,-1,Posted\n2025-01-03,b,-2,Pending\n2025-01-04,c,-3,Declined\n2025-01-05,d,-4,Weird\n';
    const file = analyse(content);
    expect(outcomes(file)).toEqual(['2 row', '3 PENDING', '4 STATUS_IGNORED', '5 row']);
    expect(file.warnings.map((warning) => warning.code)).toEqual(
      expect.arrayContaining(['PENDING_SKIPPED', 'UNKNOWN_STATUS_WORD']),
    );
    expect(rows(analyse(content, { pending: 'import' })).map((row) => row.pending)).toEqual([false, true, false]);
  });

  test('formula-like text stays as it is', () => {
    const formula = '=HYPERLINK("http://x","y")';
    expect(
      rows(analyse(`Date,Description,Amount\n2025-01-02,"${formula.replaceAll('"', '""')}",-1\n`))[0]?.description,
    ).toBe(formula);
  });

  test('numbered description columns are joined without repeats', () => {
    const file = analyse(
      'Datum;VWZ1;VWZ2;VWZ3;Betrag\n31.01.2025;Rechnung;;Rechnung 12;-5,00\n31.01.2025;x;x;y;-6,00\n',
    );
    expect(rows(file).map((row) => row.description)).toEqual(['Rechnung Rechnung 12', 'x y']);
  });

  test('a stored profile settles what the content leaves open, and loses what it contradicts', () => {
    const first = analyse('When,What,Amount\n03/04/2025,a,-1\n', {
      column_mapping: { date: 'When' },
      date_format: 'DD/MM/YYYY',
      sign: 'positive_is_out',
    });
    const profile = {
      id: '1',
      slug: 'p',
      name: 'P',
      institution_name: null,
      header_signature: first.header_signature ?? '',
      account_id: null,
      settings: first.settings,
    };
    const again = analyse('When,What,Amount\n04/05/2025,b,-2\n', {}, { profiles: [profile] });
    expect(again.blockers).toEqual([]);
    expect(again.detection.date_format).toMatchObject({
      value: 'DD/MM/YYYY',
      confidence: 'profile',
      evidence: ['stored_profile'],
    });
    expect([again.profile?.source, again.detection.sign.confidence, amounts(again)]).toEqual([
      'stored',
      'profile',
      [-200],
    ]);
    const other = analyse('When,What,Amount\n04/13/2025,b,-2\n', {}, { profiles: [profile] });
    expect(rows(other)[0]?.date).toBe('2025-04-13');
    expect(other.warnings.map((warning) => warning.code)).toContain('PROFILE_DID_NOT_FIT');
    expect(
      analyse(
        'When,What,Amount\n04/05/2025,b,-2\n',
        { profile: 'none', column_mapping: { date: 'When' } },
        { profiles: [profile] },
      ).profile,
    ).toBeNull();
  });
});
