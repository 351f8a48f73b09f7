import { describe, expect, test } from 'vitest';

import type { ReadOptions } from '../analysis.ts';
import { analyseStatements } from './analyse-statements.ts';
import { readOfx } from './ofx/ofx.ts';

const CONTEXT = { today: '2026-11-30', profiles: [], account: null, file_name: null };

type Entry = readonly [type: string, day: string, amount: string, text: string];

/** What becomes of the entries: day, amount and text of a row, or the reason why it is none. */
function rows(entries: readonly Entry[], options: ReadOptions = {}): string[] {
  const list = entries.map(
    ([type, day, amount, text], i) =>
      `<STMTTRN><TRNTYPE>${type}<DTPOSTED>${day}<TRNAMT>${amount}<FITID>f${i}<MEMO>${text}</STMTTRN>`,
  );
  const file = `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>BRL<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${list.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
  const analysis = analyseStatements(readOfx(new TextEncoder().encode(file), options, CONTEXT), options, CONTEXT);
  const blockers = analysis.blockers.map(({ code, parameter }) => `${code} ${parameter}`);
  const read = [...analysis.rows()].map((row) =>
    row.outcome === 'row' ? `${row.date} ${(row.amount_cents ?? 0) / 100} ${row.description}` : `${row.reason}`,
  );
  return [...blockers, ...read];
}

describe('a file in which no amount has a minus', () => {
  const unsigned: Entry[] = [
    ['DEBIT', '20261001', '61,00', 'PADARIA'],
    ['DEBIT', '20261001', '1540,45', 'JUROS'],
    ['DEBIT', '20261002', '10,00', 'TARIFA'],
    ['CREDIT', '20261003', '900,00', 'TED RECEBIDA'],
  ];

  test('is asked about, and what its types call received stays money in', () => {
    expect(rows(unsigned)[0]).toBe('AMBIGUOUS_FORMAT sign');
    expect(rows(unsigned, { sign: 'positive_is_out' })).toEqual([
      '2026-10-01 61 PADARIA',
      '2026-10-01 1540.45 JUROS',
      '2026-10-02 10 TARIFA',
      '2026-10-03 -900 TED RECEBIDA',
    ]);
  });

  test('where payments have a minus, all signs are turned', () => {
    const signed: Entry[] = [...unsigned, ['PAYMENT', '20261004', '-700,00', 'PAGAMENTO']];
    expect(rows(signed, { sign: 'positive_is_out' }).slice(-2)).toEqual([
      '2026-10-03 900 TED RECEBIDA',
      '2026-10-04 -700 PAGAMENTO',
    ]);
  });
});
