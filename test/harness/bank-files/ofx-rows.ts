import type { ReadOptions } from '../../../src/engines/imports/analysis.ts';
import { analyseStatements } from '../../../src/engines/imports/statements/analyse-statements.ts';
import { readOfx } from '../../../src/engines/imports/statements/ofx/ofx.ts';

const CONTEXT = { today: '2026-11-30', profiles: [], account: null, file_name: null };

/** An entry of an OFX statement. */
export type OfxEntry = readonly [type: string, day: string, amount: string, text: string];

/** What becomes of the entries: day, amount and text of a row, or the reason why it is not one. */
export function rowsOfOfx(entries: readonly OfxEntry[], options: ReadOptions = {}): string[] {
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
