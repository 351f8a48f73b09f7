import { describe, expect, test } from 'vitest';

import { AppError } from '../../kernel/errors.ts';
import type { AnalysedRow, FileAnalysis, ReadContext, ReadOptions } from './analysis.ts';
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

function refusal(content: string | Uint8Array, options: ReadOptions = {}): string {
  try {
    analyse(content, options);
    return 'accepted';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
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

describe('files that are not tables', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'EMPTY_FILE'],
    ['white space', ' \r\n\t\n', 'EMPTY_FILE'],
    ['a BOM alone', '\ufeff', 'EMPTY_FILE'],
    ['a PDF', '%PDF-1.4 …', 'UNSUPPORTED_MEDIA_TYPE'],
    ['a PNG', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]), 'UNSUPPORTED_MEDIA_TYPE'],
    ['a JPEG', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), 'UNSUPPORTED_MEDIA_TYPE'],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0]), 'UNSUPPORTED_MEDIA_TYPE'],
    ['a ZIP', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), 'UNSUPPORTED_MEDIA_TYPE'],
    ['an old Excel file', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), 'UNSUPPORTED_MEDIA_TYPE'],
    ['a web page', '<!DOCTYPE html><html>', 'UNSUPPORTED_MEDIA_TYPE'],
    ['unknown XML', '<?xml version="1.0"?><a/>', 'UNSUPPORTED_MEDIA_TYPE'],
    ['OFX', 'OFXHEADER:100\r\nDATA:OFXSGML', 'INVALID_FILE'],
    ['QIF', '!Type:Bank\nD1/1/25', 'INVALID_FILE'],
    ['CAMT', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">', 'INVALID_FILE'],
    ['MT940', ':20:X\n:25:123/456\n:28C:1\n:60F:C250101EUR1,00', 'INVALID_FILE'],
    ['a zero byte', 'Date,Amount\n2025-01-01,1\u0000', 'NOT_TEXT'],
    ['control characters', '\u0001\u0002\u0003\u0004abc', 'NOT_TEXT'],
    ['prose', 'Dear customer\nthis is a letter\nwithout columns', 'NO_HEADER'],
    ['a table of something else', 'name,city\nAnn,Paris\nBob,Rome\n', 'NO_HEADER'],
    ['a header only', 'Date,Description,Amount\n', 'NO_ROWS'],
  ])('%s is refused', (_, content, code) => {
    expect(refusal(content)).toBe(code);
  });

  test.each(['xl/workbook.xml', 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'Index/Document.iwa'])(
    'a spreadsheet with %s is to be saved as CSV, not unpacked',
    (name) => {
      expect(() => analyse(`PK\u0003\u0004${name}`)).toThrow(/Open it and save the sheet as CSV\.$/);
    },
  );

  test('too many columns and an endless line are refused', () => {
    expect(refusal(`${'a,'.repeat(600)}b\n1\n`)).toBe('INVALID_FILE');
    expect(refusal(new Uint8Array(3_000_000).fill(0x61))).toBe('INVALID_FILE');
  });

  test('more than 500,000 records are refused', () => {
    expect(refusal(`Date,Text,Amount\n${'2025-01-01,a,1\n'.repeat(500_001)}`)).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('encodings', () => {
  const text = 'Datum;Text;Betrag\n31.12.2024;Müller & Söhne;-12,50 €\n';
  const expected = [['2024-12-31', 1_250, 'Müller & Söhne', 'EUR']];
  const wide = (bigEndian: boolean, bom: boolean): Uint8Array => {
    const units = (bom ? '\ufeff' : '') + text;
    const bytes = new Uint8Array(units.length * 2);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < units.length; i++) view.setUint16(i * 2, units.charCodeAt(i), !bigEndian);
    return bytes;
  };
  const latin = Uint8Array.from(text.replace('€', '\u0080'), (letter) => letter.charCodeAt(0));

  test.each<[string, Uint8Array, string, string]>([
    ['UTF-8', new TextEncoder().encode(text), 'utf-8', 'certain'],
    ['UTF-8 with BOM', new TextEncoder().encode(`\ufeff${text}`), 'utf-8', 'certain'],
    ['UTF-16LE with BOM', wide(false, true), 'utf-16le', 'certain'],
    ['UTF-16LE', wide(false, false), 'utf-16le', 'certain'],
    ['UTF-16BE with BOM', wide(true, true), 'utf-16be', 'certain'],
    ['UTF-16BE', wide(true, false), 'utf-16be', 'certain'],
    ['Windows-1252', latin, 'windows-1252', 'likely'],
  ])('%s gives the same rows', (_, bytes, label, confidence) => {
    const file = analyse(bytes);
    expect(rows(file).map((row) => [row.date, row.amount_cents, row.description, row.iso_currency_code])).toEqual(
      expected,
    );
    expect([file.detection.encoding.value, file.detection.encoding.confidence]).toEqual([label, confidence]);
  });

  test('Cyrillic in windows-1251 is asked about and reads once declared', () => {
    const cyrillic = 'Date,Description,Amount\n2025-01-02,Магазин продукты,-5.00\n';
    const bytes = Uint8Array.from(cyrillic, (letter) => {
      const code = letter.charCodeAt(0);
      return code >= 0x410 && code <= 0x44f ? code - 0x350 : code;
    });
    const file = analyse(bytes);
    expect(codes(file)).toContain('AMBIGUOUS_FORMAT encoding');
    expect(file.blockers[0]?.candidates.map((one) => one.value)).toContain('windows-1251');
    expect(rows(analyse(bytes, { encoding: 'windows-1251' }))[0]?.description).toBe('Магазин продукты');
  });

  test('Japanese reads the same in UTF-8 and in declared Shift_JIS', () => {
    const sjis = new Uint8Array([
      ...new TextEncoder().encode('Date,Description,Amount\n2025-01-02,'),
      0x83,
      0x65,
      0x83,
      0x58,
      0x83,
      0x67,
      ...new TextEncoder().encode(',-500\n'),
    ]);
    const utf8 = 'Date,Description,Amount\n2025-01-02,テスト,-500\n';
    expect(rows(analyse(sjis, { encoding: 'shift_jis' })).map((row) => row.description)).toEqual(
      rows(analyse(utf8)).map((row) => row.description),
    );
  });

  test('bytes that are not valid in the declared encoding are refused with their offset', () => {
    expect(() => analyse(latin, { encoding: 'utf-8' })).toThrow(/byte 30 cannot be read that way/);
  });
});

describe('header and records', () => {
  const body = 'Date,Description,Amount\n2025-01-02,a,-1.50\n2025-01-13,b,-2.50\n';

  test.each([0, 2, 6, 13])('the header is found below %i lines', (count) => {
    const file = analyse('Account statement of the bank\n'.repeat(count) + body);
    expect(file.detection.header.value).toBe(count + 1);
    expect(outcomes(file)).toEqual([`${count + 2} row`, `${count + 3} row`]);
  });

  test('a second header, totals and blank lines are not rows; lines are physical', () => {
    const file = analyse(
      '\nDate,Description,Amount\n\n2025-01-02,"one\ntwo\nthree",-1\nDate,Description,Amount\n2025-01-03,b,-2\nTotal,,-3\n',
    );
    expect(outcomes(file)).toEqual(['4 row', '7 REPEATED_HEADER', '8 row', '9 NOT_A_ROW']);
    expect(file.total_rows).toBe(4);
  });

  test('a surplus empty field is dropped, a filled one is FIELD_COUNT', () => {
    const file = analyse('Date,Description,Amount,A,B,C,D\n2025-01-02,a,-1,1,2,3,4,\n2025-01-03,b,-2,1,2,3,4,x\n');
    expect(outcomes(file)).toEqual(['2 row', '3 FIELD_COUNT']);
    expect(codes(file)).toEqual(['INVALID_ROWS skip_invalid']);
  });

  test('columns that nearly all rows have beyond the header get names', () => {
    const file = analyse('Date,Description,Amount\n2025-01-02,a,-1,x\n2025-01-03,b,-2,y\n');
    expect(file.headers).toEqual(['Date', 'Description', 'Amount', 'column_4']);
    expect(file.row_count).toBe(2);
  });

  test('duplicate and padded names can be mapped', () => {
    const file = analyse(' Date ,Text,Amount,Amount\n2025-01-02,a,1,-2\n', {
      column_mapping: { amount: 'amount#2', date: 'DATE' },
    });
    expect(amounts(file)).toEqual([200]);
  });

  test('a header in an unknown language is recognised by its place', () => {
    const file = analyse('Aaa;Bbb;Ccc\n2025-01-02;x;-5,00\n2025-01-13;y;-6,00\n');
    expect([file.headers, file.detection.header.confidence]).toEqual([['Aaa', 'Bbb', 'Ccc'], 'likely']);
    expect(amounts(file)).toEqual([500, 600]);
  });

  test('sep= sets the delimiter and keeps its line', () => {
    expect(outcomes(analyse('sep=|\nDate|Text|Amount\n2025-01-02|a|-1\n'))).toEqual(['3 row']);
  });

  test('an unbalanced quote loses no row', () => {
    const file = analyse('Date,Description,Amount\n2025-01-02,"a,-1\n2025-01-03,b,-2\n');
    expect(file.row_count).toBe(2);
    expect(file.warnings.find((warning) => warning.code === 'UNBALANCED_QUOTE')?.lines).toEqual([2]);
  });

  test('a line that goes on with the text above is joined where the file does so throughout', () => {
    const file = analyse(
      'Date,Description,Debit,Credit\n2025-01-02,CARD,5.00,\n,SHOP A,,\n2025-01-13,CARD,6.00,\n,SHOP B,,\n',
    );
    expect(rows(file).map((row) => row.description)).toEqual(['CARD SHOP A', 'CARD SHOP B']);
    expect(outcomes(file)).toEqual(['2 row', '3 NOT_A_ROW', '4 row', '5 NOT_A_ROW']);
  });

  test('numbers and names mean the same column', () => {
    const byName = analyse(body, { column_mapping: { date: 'Date', amount: 'Amount', description: 'Description' } });
    const byNumber = analyse(body, { column_mapping: { date: 0, amount: 2, description: 1 } });
    expect(rows(byNumber)).toEqual(rows(byName));
  });

  test.each<[ReadOptions]>([
    [{ column_mapping: { date: -1 } }],
    [{ column_mapping: { date: 99 } }],
    [{ column_mapping: { date: 1.5 } }],
    [{ column_mapping: { colour: 0 } }],
    [{ column_mapping: { date: 'Nope' } }],
    [{ column_mapping: { date: 0, amount: 0 } }],
    [{ date_format: 'DD' }],
    [{ header_line: 1, has_header: false }],
    [{ header_line: 99 }],
    [{ positive_is_debit: true, sign: 'positive_is_in' }],
    [{ has_debit_credit: true }],
    [{ delimiter: '#' }],
    [{ encoding: 'klingon' }],
    [{ profile: 'no-such' }],
  ])('%j cannot fit', (options) => {
    expect(refusal(body, options)).toBe('VALIDATION_ERROR');
  });

  test('a mapping to columns that hold something else names the better one', () => {
    const file = analyse(body, { column_mapping: { date: 'Description', amount: 'Amount' } });
    expect(codes(file)).toEqual(['WRONG_MAPPING column_mapping']);
    expect(file.blockers[0]?.message).toContain('but column "Date" can');
  });
});
