import type { AnalysedRow, FileAnalysis, ReadContext, ReadOptions } from '../../../src/engines/imports/analysis.ts';
import { analyseStatements } from '../../../src/engines/imports/statements/analyse-statements.ts';
import { readCamt } from '../../../src/engines/imports/statements/camt/camt.ts';
import { readMt940 } from '../../../src/engines/imports/statements/mt940/mt940.ts';
import { AppError } from '../../../src/kernel/errors.ts';

/** Statement files of the formats CAMT.053 and MT940, made piece by piece and read as an import would. */

export const CONTEXT: ReadContext = { today: '2025-06-30', profiles: [], account: null, file_name: null };

type Content = string | Uint8Array;

export function encoded(content: Content): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** Reads what a file says; which of the two formats it is, its first character tells. */
export function analyse(content: Content, options: ReadOptions = {}, context: ReadContext = CONTEXT): FileAnalysis {
  const bytes = encoded(content);
  const isXml = typeof content === 'string' ? content.trimStart().startsWith('<') : !holds(bytes, ':20:');
  const read = isXml ? readCamt : readMt940;
  return analyseStatements(read(bytes, options, context), options, context);
}

function holds(bytes: Uint8Array, tag: string): boolean {
  return Buffer.from(bytes.filter((byte) => byte !== 0)).includes(tag);
}

export function rows(content: Content, options: ReadOptions = {}): AnalysedRow[] {
  return [...analyse(content, options).rows()];
}

/** Code and message of the error with which a file is refused. */
export function refusal(content: Content, options: ReadOptions = {}): string {
  try {
    analyse(content, options);
    return 'accepted';
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const CAMT = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
const CAMT_ACCOUNT = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>';

export function camtDocument(statements: string): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="${CAMT}"><BkToCstmrStmt><GrpHdr/>`;
  return `${start}${statements}</BkToCstmrStmt></Document>`;
}

export function camtStatement(content: string, account = CAMT_ACCOUNT): string {
  return `<Stmt><Id>1</Id>${account}${content}</Stmt>`;
}

/** A file of one statement. */
export function camtFile(content: string): string {
  return camtDocument(camtStatement(content));
}

export function camtBalance(kind: string, amount: string, date = '2025-01-31', mark = 'CRDT'): string {
  const type = `<Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>`;
  return `<Bal>${type}<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;
}

export interface CamtParts {
  readonly amount?: string;
  readonly mark?: string;
  readonly status?: string;
  readonly date?: string;
  readonly more?: string;
}

export function camtEntry(parts: CamtParts = {}): string {
  const { amount = '10.00', mark = 'DBIT', status = '', more = '' } = parts;
  const { date = '<BookgDt><Dt>2025-01-15</Dt></BookgDt>' } = parts;
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd>${status}${date}${more}</Ntry>`;
}

/** An MT940 statement around some lines. */
export function mt940Statement(lines: string, opening = 'C250101EUR100,00', closing = 'C250131EUR100,00'): string {
  return `:20:STARTUMS\n:25:20050000/1234567\n:28C:1/1\n:60F:${opening}\n${lines}\n:62F:${closing}\n-\n`;
}

/** A statement as a person would write it down, to be rendered in either format. */
export interface SampleStatement {
  readonly account: string;
  readonly openingCents: number;
  readonly closingCents: number;
  readonly openingDate: string;
  readonly closingDate: string;
  readonly entries: readonly SampleEntry[];
}

export interface SampleEntry {
  readonly date: string;
  /** Positive = money out. */
  readonly cents: number;
  readonly text: string;
  readonly id: string | null;
}

export function asCamt(statements: readonly SampleStatement[]): string {
  const money = (cents: number): string => (Math.abs(cents) / 100).toFixed(2);
  const sign = (isOut: boolean): string => (isOut ? 'DBIT' : 'CRDT');
  return camtDocument(
    statements
      .map((one) => {
        const account = `<Acct><Id><IBAN>${one.account}</IBAN></Id><Ccy>EUR</Ccy></Acct>`;
        const entries = one.entries.map((entry) => {
          const id = entry.id === null ? '' : `<AcctSvcrRef>${entry.id}</AcctSvcrRef>`;
          const details = `<NtryDtls><TxDtls><RmtInf><Ustrd>${entry.text}</Ustrd></RmtInf></TxDtls></NtryDtls>`;
          const date = `<BookgDt><Dt>${entry.date}</Dt></BookgDt>`;
          return camtEntry({ amount: money(entry.cents), mark: sign(entry.cents > 0), date, more: id + details });
        });
        const opening = camtBalance('OPBD', money(one.openingCents), one.openingDate, sign(one.openingCents < 0));
        const closing = camtBalance('CLBD', money(one.closingCents), one.closingDate, sign(one.closingCents < 0));
        return camtStatement(opening + closing + entries.join(''), account);
      })
      .join(''),
  );
}

export function asMt940(statements: readonly SampleStatement[]): string {
  const money = (cents: number): string => (Math.abs(cents) / 100).toFixed(2).replace('.', ',');
  const short = (date: string): string => date.slice(2).replaceAll('-', '');
  return statements
    .map((one) => {
      const balance = (cents: number, date: string): string =>
        `${cents < 0 ? 'D' : 'C'}${short(date)}EUR${money(cents)}`;
      const entries = one.entries.map(({ date, cents, text, id }) => {
        const entryDate = short(date).slice(2);
        return `:61:${short(date)}${entryDate}${cents > 0 ? 'D' : 'C'}${money(cents)}NTRFNONREF${id === null ? '' : `//${id}`}\n:86:166?00X?20SVWZ+${text}`;
      });
      const head = `:20:X\n:25:${one.account}\n:28C:1/1\n:60F:${balance(one.openingCents, one.openingDate)}`;
      return [head, ...entries, `:62F:${balance(one.closingCents, one.closingDate)}`, '-\n'].join('\n');
    })
    .join('');
}
