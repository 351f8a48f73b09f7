import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import type { Detection, ReadContext, ReadOptions, ReadWarning } from '../../analysis.ts';
import { CamtDays } from './camt-dates.ts';
import { readDetail } from './camt-details.ts';
import type { CamtDetail } from './camt-details.ts';
import { readEntry } from './camt-entries.ts';
import { CamtNode } from './camt-node.ts';
import { identifierOf, ownerOf, toStatement } from './camt-statement.ts';
import type { CamtStatement } from './camt-statement.ts';
import { walkXml, xmlEncoding } from './camt-xml.ts';
import { fromSpool } from '../../bytes/encoding.ts';
import type { XmlHandler } from './camt-xml.ts';
import { Packed, mapped, type BlockStore } from '../../packed.ts';
import { refuseTooLarge, refuseTooManyRecords } from '../../size-limits.ts';
import { refuseTableOptions } from '../statement.ts';
import type { Statement, StatementFile } from '../statement.ts';

const DATES: Detection = { value: 'YYYY-MM-DD', confidence: 'certain', evidence: ['year_first'], candidates: [] };

/** Reports that look like statements but are not. */
const OTHER_REPORTS = new Map([
  ['BkToCstmrAcctRpt', 'an intraday report (CAMT.052), which is not final,'],
  ['BkToCstmrDbtCdtNtfctn', 'a notification of single entries (CAMT.054)'],
]);

/**
 * Reads a CAMT.053 file of any version (36.14.3), piece by piece: never more than one entry is held as XML.
 * @throws INVALID_FILE, UNSUPPORTED_MEDIA_TYPE for other CAMT messages, PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
export function readCamt(bytes: Uint8Array, options: ReadOptions, context: ReadContext): StatementFile {
  refuseTableOptions('camt053', options);
  refuseTooLarge(bytes);
  const encoding = xmlEncoding(bytes, options.encoding);
  const reader = new CamtReader(context.store);
  walkXml(fromSpool(encoding.source, context), reader);
  if (!reader.isStatement)
    throw noStatement(
      'The file is XML, but not a bank statement. Download the statement as CAMT.053.',
      'BkToCstmrStmt',
    );
  if (reader.count === 0)
    throw noStatement('The file contains no account statement. Download it from the bank again.', 'Stmt');
  return {
    format: 'camt053',
    encoding: encoding.detection,
    date_format: DATES,
    bank_id_namespace: reader.hasServicerReferences ? 'camt:acctsvcrref' : 'camt:ntryref',
    statements: reader.finished(),
    warnings: [...encoding.warnings, ...reader.warnings()],
  };
}

/** Follows the elements of a file down to the entries of its statements. */
class CamtReader implements XmlHandler {
  isStatement = false;
  hasServicerReferences = false;
  readonly #store: BlockStore | undefined;
  readonly #statements: CamtStatement[] = [];
  readonly #path: string[] = [];
  /** Depth at which Stmt stands, while inside of one; 0 outside. */
  #statementDepth = 0;
  #statement: CamtStatement | null = null;
  #open: CamtNode[] = [];
  #details: CamtDetail[] = [];
  #entries = 0;
  #rows = 0;
  readonly #unknownStatusLines: number[] = [];

  constructor(store: BlockStore | undefined) {
    this.#store = store;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name);
    const other = OTHER_REPORTS.get(name);
    if (other !== undefined && !this.isStatement) throw unsupported(other);
    if (this.#open.length > 0) this.#open.push(new CamtNode(name, attributes));
    else if (name === 'BkToCstmrStmt') this.isStatement = true;
    else if (name === 'Stmt' && this.#path.at(-2) === 'BkToCstmrStmt') {
      this.#statementDepth = this.#path.length;
      this.#statement = {
        account: null,
        page: 1,
        days: new CamtDays(),
        balances: [],
        entries: new Packed(this.#store),
        currency: null,
      };
    } else if (this.#statement && this.#path.length === this.#statementDepth + 1 && KEPT.has(name)) {
      this.#open.push(new CamtNode(name, attributes));
    }
  }

  text(text: string): void {
    this.#open.at(-1)?.append(text);
  }

  close(): void {
    const depth = this.#path.length;
    this.#path.pop();
    const node = this.#open.pop();
    if (node) this.#closeNode(node);
    else if (this.#statement && depth === this.#statementDepth) {
      this.#statements.push(this.#statement);
      this.#statement = null;
    }
  }

  get count(): number {
    return this.#statements.length;
  }

  /** The statements. A file has one kind of id: if the bank gives references, those of the entries do not count. */
  finished(): Statement[] {
    const hasReferences = this.hasServicerReferences;
    return this.#statements.map((one) =>
      toStatement(
        one,
        mapped(one.entries, ({ row, entryId }) => (hasReferences ? row : { ...row, bank_id: entryId })),
      ),
    );
  }

  warnings(): ReadWarning[] {
    if (this.#unknownStatusLines.length === 0) return [];
    const message = 'Some entries have an unknown status. They were treated as booked.';
    return [{ code: 'UNKNOWN_STATUS_WORD', message, lines: this.#unknownStatusLines }];
  }

  #closeNode(node: CamtNode): void {
    const parent = this.#open.at(-1);
    if (!parent) this.#closePart(node);
    else if (node.name === 'TxDtls' && parent.name === 'NtryDtls') {
      this.#details.push(readDetail(node));
      this.#count(0, this.#details.length);
    } else parent.children.push(node);
  }

  #closePart(node: CamtNode): void {
    const statement = this.#statement as CamtStatement;
    if (node.name === 'Acct') statement.account = node;
    else if (node.name === 'Bal') statement.balances.push(node);
    else if (node.name === 'FrToDt') statement.days.notePeriod(node);
    else if (node.name === 'StmtPgntn') statement.page = Number(node.first('PgNb')) || 1;
    else {
      const own = { identifier: identifierOf(statement.account), owner: ownerOf(statement.account) };
      const entry = readEntry(node, this.#details, ++this.#entries, own);
      this.#details = [];
      for (const [i, row] of entry.rows.entries()) {
        statement.days.noteEntry(row.date);
        statement.entries.push({ row, entryId: entry.entryIds[i] ?? null });
        statement.currency ??= row.iso_currency_code || null;
        if (row.bank_id !== null) this.hasServicerReferences = true;
      }
      this.#count(entry.rows.length, 0);
      if (entry.hasUnknownStatus && this.#unknownStatusLines.length < LIMITS.importWarningLines)
        this.#unknownStatusLines.push(this.#entries);
    }
  }

  #count(rows: number, waiting: number): void {
    this.#rows += rows;
    refuseTooManyRecords(this.#rows + waiting);
  }
}

const KEPT = new Set(['Acct', 'Bal', 'FrToDt', 'Ntry', 'StmtPgntn']);

function noStatement(message: string, element: string): AppError {
  return new AppError('INVALID_FILE', message, { details: [{ path: element, message: 'the element is missing' }] });
}

function unsupported(what: string): AppError {
  const message = `The file is ${what} and cannot be imported. Download the statement as CAMT.053 instead.`;
  return new AppError('UNSUPPORTED_MEDIA_TYPE', message);
}
