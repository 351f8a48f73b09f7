import { describe, expect, test } from 'vitest';

import {
  analyse,
  encoded,
  mt940Statement,
  refusal,
  rows,
} from '../../../../../test/harness/bank-files/statement-files.ts';
import type { AnalysedRow } from '../../analysis.ts';
import { detectFormat } from '../../bytes/format.ts';
import { textLines } from './mt940.ts';

function only(lines: string): AnalysedRow {
  const [row] = rows(mt940Statement(lines));
  if (!row) throw new Error('no row');
  return row;
}

function movement(line: string): unknown[] {
  const row = only(`:61:${line}\n:86:x`);
  return row.outcome === 'row' ? [row.date, row.amount_cents] : [row.outcome, row.reason];
}

describe('a movement', () => {
  test.each([
    ['D', '2501150115D12,50NMSCNONREF', ['2025-01-15', 1_250]],
    ['C', '2501150115C12,50NMSCNONREF', ['2025-01-15', -1_250]],
    ['RC, the reversal of a credit', '2501150115RC12,50NMSCNONREF', ['2025-01-15', 1_250]],
    ['RD, the reversal of a debit', '2501150115RD12,50NMSCNONREF', ['2025-01-15', -1_250]],
    ['a funds code', '2501150115DR12,50NMSCNONREF', ['2025-01-15', 1_250]],
    ['a funds code behind a reversal', '2501150115RCR12,50NMSC', ['2025-01-15', 1_250]],
    ['D as the funds code', '250115    DD12,50NMSCNONREF//', ['2025-01-15', 1_250]],
    ['spaces for the entry date', '250115    CD0,00NDEFNONREF//', ['2025-01-15', 0]],
    ['no entry date', '250115D12,5NMSCNONREF', ['2025-01-15', 1_250]],
    ['no decimals', '250115C100,NMSCNONREF', ['2025-01-15', -10_000]],
    ['no comma', '250115C100NMSCNONREF', ['2025-01-15', -10_000]],
    ['leading zeros', '250115C000000001000,00N102EREF', ['2025-01-15', -100_000]],
    ['zeros behind the cents', '250115C1,5000NMSC', ['2025-01-15', -150]],
    ['a space before the amount', '250115C 7,00NMSC', ['2025-01-15', -700]],
    ['a decimal point', '250115C7.00NMSC', ['2025-01-15', -700]],
    ['points and a comma', '250115C1.234,56NMSC', ['2025-01-15', -123_456]],
    ['a point that could group', '250115C1.234NMSC', ['invalid', 'AMOUNT_INVALID']],
    ['a third decimal', '250115C1,234NMSC', ['invalid', 'AMOUNT_PRECISION']],
    ['an amount beyond the range', '250115C99999999999,00NMSC', ['invalid', 'AMOUNT_OUT_OF_RANGE']],
    ['no mark', '2501150115X12,50NMSC', ['invalid', 'DIRECTION_UNKNOWN']],
    ['no amount', '2501150115CNMSC', ['invalid', 'AMOUNT_MISSING']],
    ['no date', 'C12,50NMSC', ['invalid', 'DATE_INVALID']],
    ['a day that does not exist', '2502300230C1,00NMSC', ['invalid', 'DATE_INVALID']],
    ['a value date that does not exist', '2502300301C1,00NMSC', ['2025-03-01', -100]],
    ['an entry in January of a value in December', '2412310102D1,00NMSC', ['2025-01-02', 100]],
    ['an entry in December of a value in January', '2501021231D1,00NMSC', ['2024-12-31', 100]],
    ['a year of the last century', '9801050105D1,00NMSC', ['1998-01-05', 100]],
    ['the far future', '2508150815D1,00NMSC', ['invalid', 'DATE_OUT_OF_RANGE']],
  ])('%s', (_, line, expected) => {
    expect(movement(line)).toEqual(expected);
  });

  test('carries the reference of the bank as its id, and no placeholder', () => {
    const ids = rows(
      mt940Statement(':61:250115D1,00NTRFOWN-1//BANK-1\n:61:250115D1,00NTRFNONREF//NONREF\n:61:250115D1,00NTRFOWN-1'),
    ).map((row) => row.bank_id);
    expect(ids).toEqual(['BANK-1', null, null]);
    expect(analyse(mt940Statement(':61:250115D1,00NTRF')).bank_id_namespace).toBe('mt940:bankref');
  });

  test('that is only expected is pending', () => {
    const content = mt940Statement(
      ':61:250115ED1,00NTRFNONREF\n:86:expected\n:61:250116EC2,00NTRF\n:61:250116D0,00NTRF',
    );
    expect(rows(content).map((row) => row.reason)).toEqual(['PENDING', 'PENDING', null]);
    expect(rows(content, { pending: 'import' }).map((row) => [row.outcome, row.pending])).toEqual([
      ['row', true],
      ['row', true],
      ['row', false],
    ]);
    for (const pending of ['skip', 'import'] as const)
      expect(analyse(content, { pending }).balance_proof.status).toBe('proved');
    expect(analyse(content).warnings.map((warning) => [warning.code, warning.lines])).toEqual([
      ['PENDING_SKIPPED', [5, 7]],
    ]);
  });

  test('without text is described by its details, else by its reference', () => {
    expect(only(':61:250115D1,00NTRFINVOICE 7\nCard payment Oslo').description).toBe('Card payment Oslo');
    expect(only(':61:250115D1,00NTRFINVOICE 7').description).toBe('INVOICE 7');
    expect(only(':61:250115D1,00NTRFNONREF').description).toBe('NTRF');
  });
});

describe('the text of a movement', () => {
  const text = (lines: string): unknown[] => {
    const row = only(`:61:2501150115D1,00NTRFNONREF\n${lines}`);
    return [row.description, row.merchant_name, row.counterparty_account];
  };

  test.each([
    [
      'German, SEPA marks over subfields',
      ':86:105?00FOLGELASTSCHRIFT?109310?20EREF+123-456?21MREF+M-0815?22CRED+DE22ZZZ0\n0000000001?23SVWZ+Kundennr. 60?2441770, Re?25chnung 2025/01?30PBNKDEFF?3\n1DE89370400440532013000?32Telefonica Ger?33many?34992',
      ['Kundennr. 6041770, Rechnung 2025/01', 'Telefonica Germany', 'DE89370400440532013000'],
    ],
    [
      'German, on behalf of',
      ':86:177?00ONLINE-UEBERWEISUNG?20KREF+77?21SVWZ+Beitrag?22ABWA+Verein e.V.',
      ['Beitrag', 'Verein e.V.', null],
    ],
    [
      'German, a purpose without its mark',
      ':86:106?00KARTE?20EREF+VZ0000000000000000?21MREF+000000?22CRED+XX0000000000000000?23BAECKEREI AM MARKT 12 KOELN?24 12-09-2025',
      ['BAECKEREI AM MARKT 12 KOELN 12-09-2025', null, null],
    ],
    [
      'German, a mark over two subfields and no purpose',
      ':86:105?00BASISLASTSCHRIFT?20EREF+1234567890123456789012?2134567890?32VERSICHERUNG',
      ['VERSICHERUNG', 'VERSICHERUNG', null],
    ],
    ['German, before SEPA', ':86:008?00DAUERAUFTRAG?20Miete November?32MUELLER', ['Miete November', 'MUELLER', null]],
    ['German, nothing but a booking text', ':86:805?00ENTGELTABSCHLUSS?109999', ['ENTGELTABSCHLUSS', null, null]],
    ['German, more purpose', ':86:166?20Teil eins,?60 Teil zwei', ['Teil eins, Teil zwei', null, null]],
    [
      'Austrian, the account in ?38',
      ':86:153?00SEPA?20Danke?31123?32Huber?38AT611904300234573201',
      ['Danke', 'Huber', 'AT611904300234573201'],
    ],
    [
      'Polish, with ~',
      ':86:020\n:86:020~00VE02\n~20Przelew za fakture\n~21 12/2025\n~31114010810000267002001001\n~32JAN KOWALSKI\n~38PL29114010810000267002001002',
      ['Przelew za fakture 12/2025', 'JAN KOWALSKI', 'PL29114010810000267002001002'],
    ],
    ['Polish, with ^', ':86:944^00PRZELEW^20CZYNSZ^32SPOLDZIELNIA', ['CZYNSZ', 'SPOLDZIELNIA', null]],
    ['Polish, with <', ':86:944<00PRZELEW<10123<20CZYNSZ <21MAJ<32ADM', ['CZYNSZ MAJ', 'ADM', null]],
    [
      'Dutch, Triodos',
      ':86:000>100987654321\n>20ALGEMENE TUSSENREKENING KOS>21TEN VAN 01-10-2010>310390123456',
      ['ALGEMENE TUSSENREKENING KOSTEN VAN 01-10-2010', null, '0390123456'],
    ],
    [
      'Dutch, ABN AMRO',
      ':86:/TRTP/SEPA OVERBOEKING/IBAN/NL41RABO0325000000/BIC/RABONL2U/NAME/J. \nDE VRIES/REMI/CONTRIBUTIE 2025/07/EREF/NOTPROVIDED',
      ['CONTRIBUTIE 2025/07', 'J. DE VRIES', 'NL41RABO0325000000'],
    ],
    [
      'Dutch, ING',
      ':86:/EREF/EV123//MARF/MND-1//CNTP/NL32INGB0000012345/INGBNL2A/ING Verzekeringen//\n/REMI/USTD//Premie januari/',
      ['Premie januari', 'ING Verzekeringen', 'NL32INGB0000012345'],
    ],
    [
      'Dutch, a payment reference',
      ':86:/CNTP/NL94INGB0000869000///Vitens/REMI/STRD/CUR/9000000000000123/',
      ['9000000000000123', null, 'NL94INGB0000869000'],
    ],
    [
      'Dutch, Rabobank, wrapped within a word',
      `:86:/EREF/01-01-2013 12:00 0030000987654321/BENM//NAME/CONTRA ACCOUN\nT HOLDER/REMI//ISDT/2013-07-11`,
      ['CONTRA ACCOUNT HOLDER', 'CONTRA ACCOUNT HOLDER', null],
    ],
    [
      'Dutch, ASN: account and name on the first line',
      ':86:NL47INGB9999999999 hr gjlm paulissen\n\nBetaling sieraden\n',
      ['NL47INGB9999999999 hr gjlm paulissen Betaling sieraden', 'hr gjlm paulissen', 'NL47INGB9999999999'],
    ],
    ['plain lines', ':86:KORTKÖP 2025-01-14\nICA MAXI', ['KORTKÖP 2025-01-14 ICA MAXI', null, null]],
    ['plain, with a question mark', ':86:?ZKB:2214 Zahlung an 12?', ['?ZKB:2214 Zahlung an 12?', null, null]],
    ['plain, a telephone number', ':86:+31 20 1234567 KPN', ['+31 20 1234567 KPN', null, null]],
    ['plain, with slashes', ':86:/PT/FT/PY/SOMETHING 112233', ['/PT/FT/PY/SOMETHING 112233', null, null]],
    ['plain, SEPA marks', ':86:EREF: 12 SVWZ: Miete Mai', ['Miete Mai', null, null]],
    [
      'plain, a full line broken within a word',
      `:86:${'0'.repeat(33)} ${'0'.repeat(16)} Betaling aan I\nCS 999`,
      [`${'0'.repeat(33)} ${'0'.repeat(16)} Betaling aan ICS 999`, null, null],
    ],
    [':NS: lines', ':NS:01Miete \n02Mai\n15Haus GmbH\n17DAUERAUFTRAG', ['Miete Mai', 'Haus GmbH', null]],
    ['several :86:', ':86:first part\n:86:second part', ['first part second part', null, null]],
    ['a dash within', ':86:one\n-\ntwo', ['one - two', null, null]],
  ])('%s', (_, lines, expected) => {
    expect(text(lines)).toEqual(expected);
  });

  test('stays with the raw record', () => {
    const row = only(':61:2501150116D1,00NTRFNONREF//B\nsupplement\n:86:166?00X?20EREF+E1SVWZ+Text');
    expect(row.fields).toEqual({
      ':61:': '2501150116D1,00NTRFNONREF//B\nsupplement',
      ':86:': '166?00X?20EREF+E1SVWZ+Text',
      value_date: '2025-01-15',
    });
    expect([row.type, row.cells]).toEqual(['X', []]);
  });
});

describe('the account', () => {
  const account = (tag: string): string | null =>
    analyse(mt940Statement(':61:250115D0,00NTRF').replace(':25:20050000/1234567', tag)).accounts[0]?.file_value ?? null;

  test.each([
    [':25:20050000/1234567', '20050000/1234567'],
    [':25:NL71RABO0123456789', 'NL71RABO0123456789'],
    [':25:NL71RABO0123456789EUR', 'NL71RABO0123456789'],
    [':25:NL71RABO0123456789 EUR', 'NL71RABO0123456789'],
    [':25:DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    [':25:/PL29114010810000267002001002', 'PL29114010810000267002001002'],
    [':25:COBADEFF/DE89370400440532013000EUR', 'DE89370400440532013000'],
    [':25:51230800/0000007055EUR', '51230800/0000007055'],
    [':25:BPHKPLPK/320000546101', 'BPHKPLPK/320000546101'],
    [':25P:DE89370400440532013000\nCOBADEFFXXX', 'DE89370400440532013000'],
  ])('%s', (tag, expected) => {
    expect(account(tag)).toBe(expected);
  });

  test('keeps its last four characters, the currency and the bank of the envelope', () => {
    const content = `{1:F01ASNBNL21XXXX0000000000}{2:O940ASNBNL21XXXXN}{3:}{4:\n${mt940Statement(':61:250115D0,00NTRF').replace('\n-\n', '\n-}{5:}\n')}`;
    expect(analyse(content).accounts).toMatchObject([
      {
        file_value: '20050000/1234567',
        iso_currency_code: 'EUR',
        stated: { mask: '4567', institution_id: 'ASNBNL21' },
      },
    ]);
  });
});

test('lines are counted alike wherever a file is cut into pieces', () => {
  const content = 'a\r\n\r\nb\rc\n\nd';
  for (let at = 0; at <= content.length; at++) {
    const lines = [...textLines([content.slice(0, at), content.slice(at)])];
    expect(lines.map(({ text, line }) => `${line}${text}`)).toEqual(['1a', '2', '3b', '4c', '5', '6d']);
  }
});

describe('a file', () => {
  test('has the line numbers of a text editor, whatever ends its lines', () => {
    const content = `\n${mt940Statement(':61:250115D10,00NTRF\nmore\n:86:a\nb\n:61:250116C10,00NTRF\n:86:c')}`;
    for (const end of ['\n', '\r\n', '\r']) {
      const found = rows(content.replaceAll('\n', end));
      expect(found.map((row) => row.line)).toEqual([6, 10]);
      expect(found.map((row) => row.description)).toEqual(['a b', 'c']);
    }
  });

  test('may hold several messages of several accounts, with or without ends and envelopes', () => {
    const one = mt940Statement(':61:250115D10,00NTRF\n:86:a', 'C250101EUR100,00', 'C250131EUR90,00');
    const two = one.replace(':25:20050000/1234567', ':25:20050000/7654321');
    for (const content of [one + two, (one + two).replaceAll('\n-\n', '\n'), `{1:F01X}{4:\n${one}-}\n{4:${two}-}`]) {
      const file = analyse(content);
      expect(file.accounts.map((each) => each.file_value)).toEqual(['20050000/1234567', '20050000/7654321']);
      expect(file.balance_proof.results.map((result) => result.status)).toEqual(['proved', 'proved']);
      expect([...file.rows()].map((row) => row.account_value)).toEqual(['20050000/1234567', '20050000/7654321']);
    }
  });

  test('may repeat the balances within one message', () => {
    const content = `:20:A\n:25:1/2\n:60F:C250101EUR1,00\n:61:250101D1,00NTRF\n:62F:C250101EUR0,00\n:60F:C250101EUR0,00\n:61:250102C5,00NTRF\n:62F:C250102EUR5,00\n`;
    expect(analyse(content).balance_proof).toMatchObject({
      status: 'proved',
      results: [{ file_value: '1/2', opening_cents: 100, closing_cents: 500, rows_checked: 2 }],
    });
  });

  test('in UTF-8, windows-1252, UTF-16 and code page 850 gives equal rows', () => {
    const content = mt940Statement(':61:250115D0,00NTRF\n:86:Gebäude für Größe, Äpfel, Öl, Übung');
    const bytesOf = (table: Readonly<Record<string, number>>): Uint8Array =>
      Uint8Array.from(content, (character) => table[character] ?? character.charCodeAt(0));
    const dos = bytesOf({ ä: 0x84, ö: 0x94, ü: 0x81, ß: 0xe1, Ä: 0x8e, Ö: 0x99, Ü: 0x9a });
    const utf16 = new Uint8Array(Buffer.from(`\ufeff${content}`, 'utf16le'));
    const files = [encoded(content), bytesOf({}), utf16, dos].map((bytes) => analyse(bytes));
    expect(files.map((file) => file.detection.encoding.value)).toEqual(['utf-8', 'windows-1252', 'utf-16le', 'ibm850']);
    for (const file of files) expect([...file.rows()][0]?.description).toBe('Gebäude für Größe, Äpfel, Öl, Übung');
  });

  test('in Cyrillic bytes without an encoding is asked about', () => {
    const bytes = Uint8Array.from(mt940Statement(':61:250115D0,00NTRF\n:86:Оплата по счету'), (character) => {
      const code = character.charCodeAt(0);
      return code >= 0x410 ? code - 0x410 + 0xc0 : code;
    });
    const [blocker] = analyse(bytes).blockers;
    expect([blocker?.code, blocker?.parameter]).toEqual(['AMBIGUOUS_FORMAT', 'encoding']);
    expect(rows(bytes, { encoding: 'windows-1251' })[0]?.description).toBe('Оплата по счету');
  });

  test('is recognised by its first tags', () => {
    const content = mt940Statement(':61:250115D0,00NTRF');
    for (const head of [
      '',
      '\n\n',
      '\u0001\n',
      'ABNANL2A\n940\nABNANL2A\n',
      ':940:\n',
      '{1:F01X}{2:I940X}{4:\n',
      '\ufeff',
    ])
      expect(detectFormat(encoded(head + content))).toBe('mt940');
    expect(detectFormat(encoded(content.replace(/:25:.*\n/, '')))).toBe('mt940');
  });

  test.each([
    ['no account', mt940Statement(':61:250115D0,00NTRF').replace(/:25:.*\n/, ''), /line 1 has no account \(:25:\)/],
    [
      'no opening balance',
      mt940Statement(':61:250115D0,00NTRF').replace(/:60F:.*\n/, ''),
      /line 1 has no opening balance/,
    ],
    [
      'no closing balance',
      mt940Statement(':61:250115D0,00NTRF').replace(/:62F:[^]*/, ''),
      /line 1 has no closing balance/,
    ],
    ['an unreadable balance', mt940Statement('', 'C250101EUR1x'), /Line 4 \(:60\) should state a balance/],
    ['two currencies', mt940Statement('', 'C250101EUR1,00', 'C250101USD1,00'), /opens in one currency/],
    ['an entry outside', ':61:250115D0,00NTRF\n', /Line 1 \(:61:\) is outside/],
    ['nothing of the kind', '1\n2\n3\n', /no MT940 statement/],
    [
      'an interim report',
      '{1:F01X}{2:O942X}{4:\n:20:A\n:25:1/2\n:28C:1\n:34F:EUR1,\n:61:250115D0,00NTRF\n-}',
      /interim report \(MT942\)/,
    ],
  ])('with %s is not a valid file', (_, content, message) => {
    expect(refusal(content)).toMatch(message);
    expect(refusal(content)).toMatch(/^INVALID_FILE /);
  });

  test('without entries has no rows', () => {
    expect(refusal(mt940Statement(''))).toMatch(/^NO_ROWS /);
  });

  test('of one endless line is refused early', () => {
    expect(refusal(`:20:A\n:86:${'x'.repeat(70_000)}`)).toMatch(/^INVALID_FILE Line 2 is longer than 64 KiB/);
  });

  test.each([
    ['delimiter', { delimiter: ';' }],
    ['has_header', { has_header: false }],
    ['header_line', { header_line: 2 }],
    ['column_mapping', { column_mapping: { date: 0 } }],
    ['date_format', { date_format: 'DD.MM.YY' }],
    ['decimal_separator', { decimal_separator: '.' as const }],
    ['sign', { sign: 'positive_is_in' as const }],
    ['positive_is_debit', { positive_is_debit: false }],
    ['has_debit_credit', { has_debit_credit: true }],
    ['direction_values', { direction_values: { out: ['a'], in: ['b'] } }],
    ['fee_mode', { fee_mode: 'included' as const }],
  ])('refuses %s', (name, options) => {
    expect(refusal(mt940Statement(':61:250115D0,00NTRF'), options)).toMatch(new RegExp(`^VALIDATION_ERROR .*${name}`));
  });

  test('takes an empty mapping, a currency and an account type', () => {
    const options = { column_mapping: {}, iso_currency_code: 'usd', account_type: 'depository' };
    expect(rows(mt940Statement(':61:250115D0,00NTRF'), options)[0]?.iso_currency_code).toBe('EUR');
  });
});
