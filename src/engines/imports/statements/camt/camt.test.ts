import { describe, expect, test } from 'vitest';

import {
  analyse,
  camtBalance,
  camtDocument,
  camtEntry,
  camtFile,
  camtStatement,
  encoded,
  refusal,
  rows,
} from '../../../../../test/harness/bank-files/statement-files.ts';
import { AppError } from '../../../../kernel/errors.ts';
import { detectFormat } from '../../bytes/format.ts';

describe('the balances of a statement', () => {
  const result = (content: string) => {
    const { status, opening_cents, closing_cents, closings } = analyse(content).balance_proof.results[0] as never as {
      status: string;
      opening_cents: number | null;
      closing_cents: number | null;
      closings: unknown[];
    };
    return [status, opening_cents, closing_cents, closings.length];
  };

  test.each([
    ['opening and closing', camtBalance('OPBD', '100.00') + camtBalance('CLBD', '90.00'), ['proved', 10_000, 9_000, 1]],
    [
      'the closing before as opening',
      camtBalance('PRCD', '100.00') + camtBalance('CLBD', '90.00'),
      ['proved', 10_000, 9_000, 1],
    ],
    [
      'owed',
      camtBalance('OPBD', '5.00', '2025-01-31', 'DBIT') + camtBalance('CLBD', '15.00', '2025-01-31', 'DBIT'),
      ['proved', -500, -1_500, 1],
    ],
    [
      'interim ones of a middle page',
      camtBalance('ITBD', '100.00') + camtBalance('ITBD', '90.00'),
      ['proved', 10_000, 9_000, 1],
    ],
    [
      'an interim one to end a page',
      camtBalance('OPBD', '100.00') + camtBalance('ITBD', '90.00'),
      ['proved', 10_000, 9_000, 1],
    ],
    [
      'an interim one to begin a page',
      camtBalance('ITBD', '100.00') + camtBalance('CLBD', '90.00'),
      ['proved', 10_000, 9_000, 1],
    ],
    [
      'of several days',
      camtBalance('OPBD', '95.00', '2025-01-16') +
        camtBalance('OPBD', '100.00', '2025-01-15') +
        camtBalance('CLBD', '95.00', '2025-01-15') +
        camtBalance('CLBD', '90.00', '2025-01-16'),
      ['proved', 10_000, 9_000, 1],
    ],
    ['closing only', camtBalance('CLBD', '90.00'), ['not_available', null, 9_000, 1]],
    ['none', '', ['not_available', null, null, 0]],
    ['that do not fit', camtBalance('OPBD', '100.00') + camtBalance('CLBD', '91.00'), ['broken', 10_000, 9_100, 1]],
  ])('%s', (_, balances, expected) => {
    expect(result(camtFile(balances + camtEntry()))).toEqual(expected);
  });

  test('a later page opens with its interim balance, whatever it repeats', () => {
    const page = (n: number, balances: string): string => `<StmtPgntn><PgNb>${n}</PgNb></StmtPgntn>${balances}`;
    const content = camtDocument(
      camtStatement(page(1, camtBalance('OPBD', '100.00') + camtBalance('ITBD', '90.00')) + camtEntry()) +
        camtStatement(
          page(2, camtBalance('OPBD', '100.00') + camtBalance('ITBD', '90.00') + camtBalance('CLBD', '80.00')) +
            camtEntry(),
        ),
    );
    expect(result(content)).toEqual(['proved', 10_000, 8_000, 1]);
  });

  test('the available one goes with the closing one', () => {
    const content = camtFile(
      camtBalance('OPBD', '20.00') + camtBalance('CLBD', '10.00') + camtBalance('CLAV', '510.00') + camtEntry(),
    );
    expect(analyse(content).balance_proof.results[0]?.closings).toEqual([
      { date: '2025-01-31', balance_cents: 1_000, available_cents: 51_000 },
    ]);
    expect(analyse(content).accounts[0]?.stated?.available).toEqual({ date: '2025-01-31', cents: 51_000 });
  });
});

describe('a file', () => {
  const plain = camtFile(camtBalance('OPBD', '20.00') + camtBalance('CLBD', '10.00') + camtEntry());

  test.each(['001.02', '001.03', '001.04', '001.06', '001.08', '001.10', '001.13'])(
    'of version %s is read',
    (version) => {
      const content = plain.replace('001.08', version);
      expect(detectFormat(encoded(content))).toBe('camt053');
      expect(analyse(content).balance_proof.status).toBe('proved');
    },
  );

  test('with prefixes, in an envelope, or without a namespace reads the same', () => {
    const prefixed = plain.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1c:').replace('xmlns=', 'xmlns:c=');
    const wrapped = plain.replace('<Document', '<E xmlns="urn:x"><Document').replace('</Document>', '</Document></E>');
    for (const content of [prefixed, wrapped, plain.replace(/ xmlns="[^"]*"/, '')]) {
      expect(detectFormat(encoded(content))).toBe('camt053');
      expect(rows(content)).toEqual(rows(plain));
    }
  });

  test('names its accounts', () => {
    const other =
      '<Acct><Id><Othr><Id>12-3456-78</Id></Othr></Id><Tp><Cd>SVGS</Cd></Tp><Ccy>SEK</Ccy><Nm>Sparkonto</Nm><Svcr><FinInstnId><BICFI>SWEDSESS</BICFI><Nm>Swedbank</Nm></FinInstnId></Svcr></Acct>';
    const found = analyse(
      camtDocument(camtStatement(camtEntry()) + camtStatement(camtEntry(), other) + camtStatement('', other)),
    ).accounts;
    expect(found).toMatchObject([
      { file_value: 'DE89370400440532013000', row_count: 1, stated: { mask: '3000', type: null } },
      {
        file_value: '12-3456-78',
        row_count: 1,
        stated: {
          identifier: '12-3456-78',
          name: 'Sparkonto',
          institution_name: 'Swedbank',
          institution_id: 'SWEDSESS',
          mask: '5678',
          type: 'depository',
          subtype: 'savings',
        },
      },
    ]);
  });

  test('numbers its entries through all statements', () => {
    const content = camtDocument(camtStatement(camtEntry() + camtEntry()) + camtStatement(camtEntry()));
    expect(rows(content).map((row) => row.line)).toEqual([1, 2, 3]);
  });

  test('is read in the encoding it declares, or in the one it is written in', () => {
    const text = plain.replace('</BookgDt>', '</BookgDt><AddtlNtryInf>Müller für é</AddtlNtryInf>');
    const as = (label: string): string => text.replace('UTF-8', label);
    const latin = (label: string): Uint8Array => new Uint8Array(Buffer.from(as(label), 'latin1'));
    const wide = new Uint8Array(Buffer.from(`\ufeff${as('UTF-16')}`, 'utf16le'));
    const swapped = new Uint8Array(Buffer.from(wide).swap16());
    const read = (bytes: Uint8Array): unknown[] => {
      const found = analyse(bytes);
      expect([...found.rows()][0]?.description).toBe('Müller für é');
      expect(detectFormat(bytes)).toBe('camt053');
      return [found.detection.encoding.value, ...found.warnings.map((warning) => warning.code)];
    };
    expect(read(encoded(text))).toEqual(['utf-8']);
    expect(read(encoded(`\ufeff${text}`))).toEqual(['utf-8']);
    expect(read(latin('ISO-8859-1'))).toEqual(['iso-8859-1']);
    expect(read(latin('windows-1252'))).toEqual(['windows-1252']);
    expect(read(wide)).toEqual(['utf-16le']);
    expect(read(swapped)).toEqual(['utf-16be']);
    expect(read(wide.subarray(2))).toEqual(['utf-16le']);
    expect(read(latin('UTF-8'))).toEqual(['windows-1252', 'DECLARED_ENCODING_WRONG']);
    expect(read(encoded(as('ISO-8859-1')))).toEqual(['utf-8', 'DECLARED_ENCODING_WRONG']);
    expect(refusal(latin('KLINGON'))).toMatch(/^INVALID_FILE .*names an unknown encoding/);
  });

  test.each([
    ['a DTD', '<!DOCTYPE Document [<!ENTITY a "boom">]>', '', /document type definition/],
    ['an external DTD', '<!DOCTYPE Document SYSTEM "http://127.0.0.1:9/x.dtd">', '', /document type definition/],
    ['an entity of its own', '', '<X>&boom;</X>', /not well-formed/],
    ['an entity of web pages', '', '<X>&eacute;</X>', /not well-formed/],
    ['a declaration', '', '<!ELEMENT a (b)>', /a declaration/],
    ['deep nesting', '', '<a>'.repeat(70), /deeper than 64/],
    ['an unclosed element', '', '<a>', /not well-formed/],
    ['a reserved attribute', '', '<a hasOwnProperty="1" b="2"/>', /an attribute/],
    ['a control character by number', '', '<a>&#0;</a>', /not well-formed/],
  ])('with %s is not a valid file', (_, head, inside, message) => {
    const content = plain.replace('?><', `?>${head}<`).replace('<GrpHdr/>', `<GrpHdr/>${inside}`);
    expect(refusal(content)).toMatch(message);
    expect(refusal(content)).toMatch(/^INVALID_FILE /);
  });

  test('says on which line it is broken, and never what stands there', () => {
    expect(refusal(plain.replace('<GrpHdr/>', '\n\n<secret></wrong>'))).toMatch(
      /^INVALID_FILE Line 3 of the file is not/,
    );
    expect(refusal(plain.replace('<GrpHdr/>', '\n\n<secret></wrong>'))).not.toMatch(/secret|wrong/);
  });

  test('that is cut off is refused', () => {
    expect(refusal(plain.slice(0, -40))).toMatch(/^INVALID_FILE The XML ends before/);
    expect(refusal('   ')).not.toBe('accepted');
  });

  test('of another kind is told apart', () => {
    const report = plain.replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt').replaceAll('Stmt>', 'Rpt>');
    expect(refusal(report)).toMatch(/^UNSUPPORTED_MEDIA_TYPE .*CAMT\.052/);
    expect(refusal(plain.replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'))).toMatch(
      /^UNSUPPORTED_MEDIA_TYPE .*CAMT\.054/,
    );
    expect(refusal('<Document><Other/></Document>')).toMatch(/^INVALID_FILE .*XML, but not a bank statement/);
    expect(refusal(camtDocument(''))).toMatch(/^INVALID_FILE .*no account statement/);
    expect(refusal(camtDocument(camtStatement('')))).toMatch(/^NO_ROWS /);
    const kind = (content: string): string => {
      try {
        return detectFormat(encoded(content));
      } catch (error) {
        return error instanceof AppError ? error.message : 'another error';
      }
    };
    expect(kind(report.replace('camt.053', 'camt.052'))).toMatch(/CAMT\.052/);
    expect(kind(report.replace('camt.053', 'camt.054'))).toMatch(/CAMT\.054/);
    expect(kind('<?xml version="1.0"?><a/>')).toMatch(/unknown kind/);
  });

  test.each([
    ['delimiter', { delimiter: ';' }],
    ['column_mapping', { column_mapping: { date: 0 } }],
    ['date_format', { date_format: 'DD.MM.YY' }],
    ['sign', { sign: 'positive_is_in' as const }],
  ])('refuses %s', (name, options) => {
    expect(refusal(plain, options)).toMatch(new RegExp(`^VALIDATION_ERROR .*${name}`));
  });

  test('answers in the form of every file', () => {
    const found = analyse(plain);
    expect(found).toMatchObject({
      format: 'camt053',
      source: 'camt053',
      headers: [],
      header_signature: null,
      delimiter: null,
      total_rows: 1,
      row_count: 1,
      date_format: 'YYYY-MM-DD',
      positive_is_debit: null,
      has_debit_credit: false,
      iso_currency_code: 'EUR',
      first_date: '2025-01-15',
      last_date: '2025-01-15',
      mapping: {},
      profile: null,
      blockers: [],
    });
    expect([found.detection.sign.value, found.detection.decimal_separator.value]).toEqual(['format', '.']);
    expect(found.previewRows(10)).toEqual([]);
    expect([...found.rows()]).toEqual([...found.rows()]);
  });
});
