import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { dateOfDayNumber } from '../../../../kernel/dates.ts';
import { formatCents } from '../../../../kernel/money.ts';
import { readOfx } from './ofx.ts';
import type { StatementEntry } from '../statement.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

interface Movement {
  readonly date: string;
  readonly cents: number;
  readonly id: string;
  readonly name: string;
  readonly memo: string;
  readonly isPending: boolean;
}

/** One word after another, so that no form of the file can change a white space that counts. */
const words = fc
  .array(
    fc.string({
      unit: fc.constantFrom(...'a b X Y 0 9 & < > " \' é € ; / ! ? -'.split(' ')),
      minLength: 1,
      maxLength: 6,
    }),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(' '));
const movement: fc.Arbitrary<Movement> = fc.record({
  date: fc.integer({ min: 0, max: 20_000 }).map((day) => dateOfDayNumber(day)),
  cents: fc.integer({ min: -99_999_999, max: 99_999_999 }),
  id: fc.uuid(),
  name: words.filter((text) => /[^-\s]/.test(text)),
  memo: words,
  isPending: fc.boolean(),
});
const statement = fc.record({
  movements: fc.array(movement, { minLength: 1, maxLength: 12 }),
  closing: fc.integer({ min: -99_999_999, max: 99_999_999 }),
  isCard: fc.boolean(),
});
type Rendered = typeof statement extends fc.Arbitrary<infer T> ? T : never;

interface Form {
  readonly end: string;
  readonly closesLeaves: boolean;
  readonly header: string;
  readonly decimal: string;
}

const SGML = 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:UTF-8\nCHARSET:NONE\n\n';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="203"?>\n';
const FORMS: Readonly<Record<string, Form>> = {
  'unclosed tags with CR LF': { end: '\r\n', closesLeaves: false, header: SGML, decimal: '.' },
  'unclosed tags with CR': { end: '\r', closesLeaves: false, header: SGML, decimal: '.' },
  'one line': { end: '', closesLeaves: false, header: SGML, decimal: '.' },
  'one line with closed tags': { end: '', closesLeaves: true, header: SGML, decimal: ',' },
  XML: { end: '\n', closesLeaves: true, header: XML, decimal: '.' },
};

function render({ movements, closing, isCard }: Rendered, { end, closesLeaves, header, decimal }: Form): string {
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&#62;').replaceAll('"', '&quot;');
  const leaf = (name: string, text: string): string =>
    text === '' ? '' : `<${name}>${escaped(text)}${closesLeaves ? `</${name}>` : ''}${end}`;
  const node = (name: string, ...children: string[]): string => `<${name}>${end}${children.join('')}</${name}>${end}`;
  const amount = (cents: number): string => formatCents(cents).replace('.', decimal);
  const entry = (one: Movement): string =>
    node(
      one.isPending ? 'STMTTRNP' : 'STMTTRN',
      leaf('TRNTYPE', 'OTHER'),
      leaf(one.isPending ? 'DTTRAN' : 'DTPOSTED', one.date.replaceAll('-', '')),
      leaf('TRNAMT', amount(one.cents)),
      leaf('FITID', one.id),
      leaf('NAME', one.name),
      leaf('MEMO', one.memo),
    );
  const body = node(
    isCard ? 'CCSTMTRS' : 'STMTRS',
    leaf('CURDEF', 'EUR'),
    node(isCard ? 'CCACCTFROM' : 'BANKACCTFROM', leaf('ACCTID', '12345678')),
    node('BANKTRANLIST', ...movements.filter((one) => !one.isPending).map(entry)),
    node('LEDGERBAL', leaf('BALAMT', amount(closing)), leaf('DTASOF', '20250131')),
    node('BANKTRANLISTP', ...movements.filter((one) => one.isPending).map(entry)),
  );
  const status = node('SONRS', node('STATUS', leaf('CODE', '0'), leaf('SEVERITY', 'INFO')));
  return `${header}${node('OFX', status, node('STMTTRNRS', body))}`;
}

describe('one statement in all its forms', () => {
  const read = (content: string) => readOfx(new TextEncoder().encode(content), {}, CONTEXT).statements[0];

  test('unclosed with line ends, in one line, closed and XML give equal rows', () => {
    fc.assert(
      fc.property(statement, (one) => {
        const posted = one.movements.filter((each) => !each.isPending);
        const inOrder = [...posted, ...one.movements.filter((each) => each.isPending)];
        let first: readonly StatementEntry[] | null = null;
        for (const form of Object.values(FORMS)) {
          const found = read(render(one, form));
          expect(found?.closing).toEqual({ date: '2025-01-31', cents: one.closing });
          expect(found?.account_type).toBe(one.isCard ? 'credit' : null);
          const entries = (found && [...found.entries])?.map(({ fields, ...members }) => ({
            ...members,
            fields: { ...fields, TRNAMT: fields['TRNAMT']?.replace(',', '.') ?? '' },
          }));
          first ??= entries ?? null;
          expect(entries).toEqual(first);
        }
        expect(
          first?.map(({ date, amount_cents, bank_id, status }) => ({ date, amount_cents, bank_id, status })),
        ).toEqual(
          inOrder.map((each) => ({
            date: each.date,
            amount_cents: 0 - each.cents,
            bank_id: each.id,
            status: each.isPending ? 'pending' : 'posted',
          })),
        );
        expect(first?.every((entry, i) => entry.description.startsWith((inOrder[i] as Movement).name))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
