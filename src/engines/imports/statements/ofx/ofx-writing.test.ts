import { describe, expect, test } from 'vitest';

import { AppError } from '../../../../kernel/errors.ts';
import { readOfx } from './ofx.ts';
import type { Statement, StatementEntry, StatementFile } from '../statement.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };
const HEADER = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

`;

function read(content: string | Uint8Array): StatementFile {
  return readOfx(typeof content === 'string' ? new TextEncoder().encode(content) : content, {}, CONTEXT);
}

/** A bank statement with some entries; `rest` stands behind the list. */
function bank(entries: string, rest = '', head = ''): string {
  return `${HEADER}<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>${head || '<CURDEF>EUR<BANKACCTFROM><BANKID>10020030<ACCTID>1234567890<ACCTTYPE>CHECKING</BANKACCTFROM>'}<BANKTRANLIST>${entries}</BANKTRANLIST>${rest}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}

function entry(fields: Record<string, string>): string {
  const all = { TRNTYPE: 'DEBIT', DTPOSTED: '20250131', TRNAMT: '-1.00', FITID: 'f1', NAME: 'Shop', ...fields };
  return `<STMTTRN>${Object.entries(all)
    .map(([name, value]) => (value === '' ? '' : `<${name}>${value}\n`))
    .join('')}</STMTTRN>`;
}

function only(content: string | Uint8Array): StatementEntry {
  const [first] = read(content).statements[0]?.entries ?? [];
  if (!first) throw new Error('no entry');
  return first;
}

function statement(content: string): Statement {
  const [first] = read(content).statements;
  if (!first) throw new Error('no statement');
  return first;
}

function failure(content: string | Uint8Array): AppError {
  try {
    read(content);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the file was read');
}

describe('ways of writing', () => {
  const expected = only(bank(entry({ MEMO: 'Memo text' })));
  const closed = bank(entry({ MEMO: 'Memo text' })).replaceAll(/<(\w+)>([^<\n]+)\n?/g, '<$1>$2</$1>\n');
  test.each([
    ['CR LF', bank(entry({ MEMO: 'Memo text' })).replaceAll('\n', '\r\n')],
    ['CR alone', bank(entry({ MEMO: 'Memo text' })).replaceAll('\n', '\r')],
    ['no header', bank(entry({ MEMO: 'Memo text' })).slice(HEADER.length)],
    ['a header in one line', bank(entry({ MEMO: 'Memo text' })).replace(HEADER, `${HEADER.replaceAll('\n', ' ')}\n`)],
    ['stray text before', `Statement of Our Bank < 2025\n\n${bank(entry({ MEMO: 'Memo text' })).slice(HEADER.length)}`],
    ['blank lines before and after', `\n\n\r\n${bank(entry({ MEMO: 'Memo text' }))}\n\n`],
    ['lower case', bank(entry({ MEMO: 'Memo text' })).replaceAll(/<\/?[A-Z.0-9]+>/g, (tag) => tag.toLowerCase())],
    ['closed tags', closed],
    [
      'XML',
      `<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="203"?>\n${closed.slice(HEADER.length)}`,
    ],
    [
      'a namespace',
      closed
        .slice(HEADER.length)
        .replaceAll(/<(\/?)(\w+)>/g, '<$1o:$2>')
        .replace('<o:OFX>', '<o:OFX xmlns:o="urn:x">'),
    ],
    ['comments', closed.replaceAll('<NAME>', '<!-- <NAME>x</NAME> --><NAME>')],
    ['empty unknown tags', closed.replaceAll('<NAME>', '<X.Y><EMPTY></EMPTY><Z/><NAME>')],
    ['without </OFX>', bank(entry({ MEMO: 'Memo text' })).replace('</OFX>', '')],
    ['without </STMTTRN>', bank(entry({ MEMO: 'Memo text' })).replaceAll('</STMTTRN>', '')],
    ['without </BANKACCTFROM>', bank(entry({ MEMO: 'Memo text' })).replace('</BANKACCTFROM>', '')],
    ['indented with tabs', bank(entry({ MEMO: 'Memo text' })).replaceAll('<', '\t\t<')],
  ])('%s', (_, content) => {
    const found = only(content);
    const { fields, ...members } = found;
    const { fields: wanted, ...rest } = expected;
    expect(members).toEqual(rest);
    expect(fields).toMatchObject(wanted);
    expect(statement(content)).toMatchObject({ account_identifier: '10020030/1234567890', account_type: 'depository' });
  });

  test('entries without an end are told apart', () => {
    const content = bank(entry({ FITID: 'a' }) + entry({ FITID: 'b' })).replaceAll('</STMTTRN>', '');
    expect([...statement(content).entries].map((one) => one.bank_id)).toEqual(['a', 'b']);
  });

  test('a statement without its end is ended by the next', () => {
    const part = (id: string): string => `<STMTRS><BANKACCTFROM><ACCTID>${id}</BANKACCTFROM>${entry({ FITID: id })}`;
    const found = read(`<OFX>${part('1')}${part('2')}</STMTRS></OFX>`).statements;
    expect(found.map((one) => [one.account_identifier, [...one.entries].map((each) => each.bank_id)])).toEqual([
      ['1', ['1']],
      ['2', ['2']],
    ]);
  });

  test('an empty unclosed leaf hides nothing behind it', () => {
    const found = only(
      bank('<STMTTRN><TRNTYPE>\n<DTPOSTED>20250131\n<FOO>\n<TRNAMT>-3\n<MEMO>\n<FITID>9\n<NAME>X\n</STMTTRN>'),
    );
    expect(found).toMatchObject({ amount_cents: 300, bank_id: '9', description: 'X', type: null });
  });
});

describe('encodings', () => {
  const content = bank(entry({ NAME: 'Café Größe 5 €' }));
  const latin = (text: string): Uint8Array =>
    Uint8Array.from(text, (character) => (character === '€' ? 0x80 : character.charCodeAt(0)));
  const utf16 = (text: string, littleEndian: boolean): Uint8Array => {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
    return bytes;
  };
  const utf8 = new TextEncoder();

  test.each<[string, Uint8Array, string, string[]]>([
    ['windows-1252 as declared', latin(content), 'windows-1252', []],
    ['UTF-8 declared as 1252', utf8.encode(content), 'utf-8', ['DECLARED_ENCODING_WRONG']],
    ['UTF-8 with BOM', utf8.encode(`\ufeff${content.replace('1252', 'NONE')}`), 'utf-8', []],
    ['UTF-8 as declared', utf8.encode(content.replace('USASCII', 'UTF-8')), 'utf-8', []],
    ['UTF-8 by CHARSET', utf8.encode(content.replace('1252', 'UTF-8')), 'utf-8', []],
    ['1252 declared as UTF-8', latin(content.replace('USASCII', 'UTF-8')), 'windows-1252', ['DECLARED_ENCODING_WRONG']],
    ['8859-1 with signs of 1252', latin(content.replace('1252', '8859-1')), 'iso-8859-1', []],
    ['a header without line ends', latin(content.replace(HEADER, HEADER.replaceAll('\n', ''))), 'windows-1252', []],
    ['UTF-16LE with BOM', utf16(`\ufeff${content}`, true), 'utf-16le', []],
    ['UTF-16LE', utf16(content, true), 'utf-16le', []],
    ['UTF-16BE', utf16(content, false), 'utf-16be', []],
  ])('%s', (_, bytes, label, warnings) => {
    const file = read(bytes);
    expect([...(file.statements[0]?.entries ?? [])][0]?.description).toBe('Café Größe 5 €');
    expect(file.encoding.value).toBe(label);
    expect(file.warnings.map((warning) => warning.code)).toEqual(warnings);
  });

  test('XML says its encoding itself', () => {
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?>${content.slice(HEADER.length)}`;
    expect(read(latin(xml)).encoding).toMatchObject({
      value: 'iso-8859-1',
      confidence: 'certain',
      evidence: ['declared'],
    });
  });

  test('Cyrillic text is read as declared, and asked about where the header only says 1252', () => {
    const cyrillic = (text: string): Uint8Array =>
      Uint8Array.from(text, (character) => {
        const code = character.charCodeAt(0);
        return code >= 0x410 && code <= 0x44f ? code - 0x350 : code;
      });
    const russian = bank(entry({ NAME: 'Магазин продуктов' }));
    const declared = read(cyrillic(russian.replace('CHARSET:1252', 'CHARSET:1251')));
    expect([...(declared.statements[0]?.entries ?? [])][0]?.description).toBe('Магазин продуктов');
    expect(read(cyrillic(russian)).encoding.confidence).toBe('ambiguous');
  });

  test('the encoding the caller names is used', () => {
    const bytes = latin(content.replace('1252', '1251'));
    const file = readOfx(bytes, { encoding: 'windows-1252' }, CONTEXT);
    expect(file.encoding).toMatchObject({ value: 'windows-1252', confidence: 'given' });
    expect([...(file.statements[0]?.entries ?? [])][0]?.description).toBe('Café Größe 5 €');
  });
});

describe('files that are refused', () => {
  test.each<[string, string, string, RegExp]>([
    ['no OFX', 'Date,Amount\n1,2\n', 'INVALID_FILE', /OFX file is incomplete/],
    ['no statement', '<OFX><SONRS><STATUS><CODE>0</STATUS></SONRS></OFX>', 'INVALID_FILE', /no statement/],
    ['no entries', bank(''), 'NO_ROWS', /no transactions/],
    [
      'an error of the bank',
      bank(entry({})).replace('<STMTRS>', '<STATUS><CODE>2003<SEVERITY>ERROR<MESSAGE>No such account</STATUS><STMTRS>'),
      'INVALID_FILE',
      /put an error \(2003\)/,
    ],
    [
      'a DTD',
      bank(entry({})).replace('<OFX>', '<!DOCTYPE OFX [<!ENTITY x SYSTEM "file:///etc/passwd">]><OFX>'),
      'INVALID_FILE',
      /^Line 11: document type/,
    ],
    ['an entity declaration', `<OFX><!entity x "y"></OFX>`, 'INVALID_FILE', /^Line 1: document type/],
    [
      'nothing behind the first entry',
      bank(entry({})).replace(/<\/STMTTRN>.*/s, ''),
      'INVALID_FILE',
      /ends in the middle of a statement/,
    ],
    ['half a list', bank(entry({})).replace(/<\/BANKTRANLIST>.*/s, ''), 'INVALID_FILE', /incomplete/],
    [
      'a list without statement',
      bank(entry({})).replaceAll(/<\/?STMTRS>/g, ''),
      'INVALID_FILE',
      /transaction 1 is not in a statement/,
    ],
    [
      'a broken tag of an entry',
      bank(entry({})).replace('<STMTTRN>', '<STMTTRX>'),
      'INVALID_FILE',
      /part of a transaction is not in a transaction/,
    ],
    [
      'two entries run together',
      bank(entry({ FITID: 'a' }) + entry({ FITID: 'b' })).replace('</STMTTRN><STMTTRN>', ''),
      'INVALID_FILE',
      /run into each other at transaction 1/,
    ],
    ['too deep', `<OFX>${'<A>'.repeat(80)}</OFX>`, 'INVALID_FILE', /^Line 1: the file is damaged/],
    ['an endless comment', '<OFX><!-- x', 'INVALID_FILE', /is never closed/],
    ['an endless value', bank(entry({ NAME: 'x'.repeat(70_000) })), 'INVALID_FILE', /longer than 64 KiB/],
    ['nested files', '<OFX><STMTRS><OFX></OFX>', 'INVALID_FILE', /starts over/],
  ])('%s', (_, content, code, message) => {
    const error = failure(content);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test("the bank's own words stand in the details", () => {
    const content =
      '<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>Wrong password</STATUS></SONRS></SIGNONMSGSRSV1></OFX>';
    expect(failure(content).extra.details).toEqual([
      { path: 'OFX/SIGNONMSGSRSV1/SONRS/STATUS', message: 'Wrong password' },
    ]);
  });

  test('bytes that are not text, and too many of them', () => {
    expect(failure(Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256)).code).toBe('NOT_TEXT');
    expect(failure(new Uint8Array(50 * 1_048_576 + 1)).code).toBe('PAYLOAD_TOO_LARGE');
  });

  test('the text of a file never stands in a message', () => {
    const secret = 'SECRETTEXT';
    for (const content of [
      bank(entry({ NAME: secret })).replace(/<\/STMTTRN>.*/s, ''),
      bank(`<${secret}>` + entry({})).replace(/<\/BANKTRANLIST>.*/s, ''),
      bank(entry({ FITID: secret }) + entry({ FITID: 'b' })).replace('</STMTTRN><STMTTRN>', ''),
    ])
      expect(failure(content).message).not.toContain(secret);
  });
});
