import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import { TagReader } from './ofx-tags.ts';

const MAX_DEPTH = 64;
const MAX_LEAVES = 500;

/** The leaves of a record by their path below it, such as `PAYEE.NAME`; of repeated ones the first, but memos are joined. */
export type OfxValues = ReadonlyMap<string, string>;

/** Receives what a file holds, in file order. */
export interface OfxListener {
  statementBegins(kind: string): void;
  statementEnds(): void;
  /** STMTTRN, STMTTRNP and what else stands in a list of transactions. */
  entry(name: string, values: OfxValues, isPending: boolean): void;
  /** Account, balances, status and institution. */
  record(name: string, values: OfxValues, path: string): void;
  /** A leaf of the statement itself, or of Intuit's, which stand anywhere. */
  leaf(name: string, value: string): void;
}

const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS']);
const ENTRIES = new Set(['STMTTRN', 'STMTTRNP']);
/** Lists beside the movements of a securities account, whose members have ids and dates of their own. */
const PASSED_OVER = new Set(['INVOOLIST', 'INVPOSLIST', 'INVBAL', 'INV401K', 'INV401KBAL']);
const RECORDS = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM', 'LEDGERBAL', 'AVAILBAL', 'STATUS', 'FI']);
/** Elements that end at the next of them if their own end tag is missing. */
const BREAKS = new Set([
  ...STATEMENTS,
  ...ENTRIES,
  'BANKTRANLIST',
  'BANKTRANLISTP',
  'INVTRANLIST',
  'LEDGERBAL',
  'AVAILBAL',
]);
/** Elements that hold other elements only; text in them is passed over. */
const AGGREGATES = new Set([
  ...BREAKS,
  ...RECORDS,
  ...PASSED_OVER,
  ...(
    'OFX SIGNONMSGSRSV1 SONRS BANKMSGSRSV1 CREDITCARDMSGSRSV1 INVSTMTMSGSRSV1 STMTTRNRS CCSTMTTRNRS INVSTMTTRNRS ' +
    'INVBANKTRAN'
  ).split(' '),
]);
/** Elements of an entry whose leaves do not belong to the entry itself, even when their end is missing. */
const NESTED = new Set(['PAYEE', 'CURRENCY', 'ORIGCURRENCY', 'BANKACCTTO', 'CCACCTTO', 'BANKACCTFROM', 'CCACCTFROM']);
/** Leaves that some files leave empty and unclosed; without a text they look like aggregates. */
const LEAVES = new Set(
  (
    'TRNTYPE DTPOSTED DTUSER DTAVAIL DTTRAN DTEXPIRE TRNAMT FITID CORRECTFITID CORRECTACTION SRVRTID CHECKNUM REFNUM ' +
    'SIC PAYEEID NAME EXTDNAME MEMO CURRATE CURSYM BANKID BRANCHID ACCTID ACCTTYPE ACCTKEY BROKERID BALAMT DTASOF ORG ' +
    'FID CODE SEVERITY MESSAGE LANGUAGE DTSERVER DTPROFUP DTACCTUP TRNUID CURDEF DTSTART DTEND MKTGINFO ADDR1 ADDR2 ' +
    'ADDR3 CITY STATE POSTALCODE COUNTRY PHONE INTU.BID INTU.ORG INTU.USERID'
  ).split(' '),
);
const ONCE = new Set(['TRNAMT', 'DTPOSTED', 'FITID']);

interface Frame {
  readonly name: string;
  /** Only inside a record. */
  readonly values: Map<string, string> | null;
  readonly isRecord: boolean;
}

/**
 * Walks through an OFX text, which comes in pieces, and reports what it holds. Throws INVALID_FILE for a structure with a
 * part missing.
 */
export function walkOfx(pieces: () => Iterable<string>, listener: OfxListener): void {
  new Walk(pieces, listener).run();
}

class Walk {
  readonly #reader: TagReader;
  readonly #listener: OfxListener;
  readonly #stack: Frame[] = [];
  #hasBegun = false;
  #record: Frame | null = null;
  #statement: Frame | null = null;
  #entries = 0;

  constructor(pieces: () => Iterable<string>, listener: OfxListener) {
    this.#reader = new TagReader(pieces, (name) => AGGREGATES.has(name));
    this.#listener = listener;
  }

  run(): void {
    const reader = this.#reader;
    while (reader.next()) {
      if (this.#stack.length === 0 && (reader.name !== 'OFX' || reader.kind !== 'open')) continue;
      if (reader.kind === 'close') this.#close(reader.name);
      else if (reader.kind === 'leaf' || LEAVES.has(reader.name)) this.#leaf(reader.name, reader.value);
      else this.#open(reader.name);
    }
    if (!this.#hasBegun) {
      throw new AppError(
        'INVALID_FILE',
        'The OFX file is incomplete. Download the statement from the bank again, as OFX or QFX.',
      );
    }
    // A missing </OFX> alone is harmless: some programs never write it.
    if (this.#stack.length > 1)
      this.#refuse('the file ends in the middle of a statement and is incomplete', `inside ${this.#path()}`);
  }

  #open(name: string): void {
    const stack = this.#stack;
    if (name === 'OFX') {
      if (stack.length > 1)
        this.#refuse('the file starts over in the middle of a statement', `<OFX> inside ${this.#path()}`);
      stack.length = 0;
      this.#hasBegun = true;
    }
    if (this.#record && BREAKS.has(name)) this.#close(this.#record.name);
    if (this.#statement && STATEMENTS.has(name)) this.#close(this.#statement.name);
    const isEntry = ENTRIES.has(name) || (stack.at(-1)?.name === 'INVTRANLIST' && name !== 'INVBANKTRAN');
    const isRecord = this.#record === null && (isEntry || RECORDS.has(name));
    const frame: Frame = { name, isRecord, values: isRecord || this.#record ? new Map() : null };
    stack.push(frame);
    if (stack.length > MAX_DEPTH) this.#refuse('the file is damaged', `elements nested deeper than ${MAX_DEPTH}`);
    if (isRecord) {
      this.#record = frame;
      if (isEntry) this.#entries++;
      if (isEntry && !this.#statement)
        this.#refuse(
          `transaction ${this.#entries} is not in a statement, so the file is damaged`,
          'outside STMTRS, CCSTMTRS and INVSTMTRS',
        );
    }
    if (STATEMENTS.has(name)) {
      this.#statement = frame;
      this.#listener.statementBegins(name);
    }
  }

  #leaf(name: string, value: string): void {
    const values = this.#stack.at(-1)?.values ?? null;
    if (name.startsWith('INTU.') || (values === null && this.#statement)) this.#listener.leaf(name, value);
    if (values === null) {
      if (this.#statement && ONCE.has(name) && !this.#isPassedOver())
        this.#refuse(
          'part of a transaction is not in a transaction, so the file is damaged',
          `${name} outside STMTTRN`,
        );
      return;
    }
    const before = values.get(name);
    if (before === undefined) {
      if (values.size < MAX_LEAVES) values.set(name, value);
    } else if (name === 'MEMO' && before.length + value.length < LIMITS.importFieldBytes) {
      values.set(name, `${before} ${value}`.trim());
    } else if (ONCE.has(name) && before !== value && this.#stack.at(-1) === this.#record) {
      this.#refuse(
        `two transactions run into each other at transaction ${this.#entries}, so the file is damaged`,
        `two different ${name} in one STMTTRN`,
      );
    }
  }

  #isPassedOver(): boolean {
    return this.#stack.some((frame) => PASSED_OVER.has(frame.name));
  }

  /** Ends the innermost element of that name and, with it, what was left open inside. */
  #close(name: string): void {
    const stack = this.#stack;
    let at = stack.length - 1;
    while (at >= 0 && stack[at]?.name !== name) at--;
    if (at < 0) return;
    while (stack.length > at) this.#pop(stack.length - 1 === at);
  }

  #pop(isClosed: boolean): void {
    const path = this.#path();
    const frame = this.#stack.pop() as Frame;
    if (frame.isRecord) {
      this.#record = null;
      this.#tell(frame, path);
    } else if (frame.values !== null) {
      this.#handUp(frame, isClosed);
    }
    if (frame === this.#statement) {
      this.#statement = null;
      this.#listener.statementEnds();
    }
  }

  /** An element that never closed was an empty leaf; what seemed to be in it is beside it. */
  #handUp(frame: Frame, isClosed: boolean): void {
    const parent = this.#stack.at(-1)?.values;
    if (!parent) return;
    const prefix = isClosed || NESTED.has(frame.name) ? `${frame.name}.` : '';
    for (const [path, value] of frame.values ?? []) {
      const name = prefix + path;
      if (!parent.has(name) && parent.size < MAX_LEAVES && name.length < LIMITS.nameChars) parent.set(name, value);
    }
  }

  #tell(frame: Frame, path: string): void {
    const values = frame.values ?? new Map<string, string>();
    if (RECORDS.has(frame.name)) {
      this.#listener.record(frame.name, values, path);
      return;
    }
    const isPending = frame.name === 'STMTTRNP' || this.#stack.some((outer) => outer.name === 'BANKTRANLISTP');
    this.#listener.entry(frame.name, values, isPending);
  }

  #path(): string {
    return this.#stack
      .map((frame) => frame.name)
      .filter((name) => AGGREGATES.has(name))
      .join('/');
  }

  #refuse(what: string, detail: string): never {
    const line = this.#reader.line();
    throw new AppError('INVALID_FILE', `Line ${line}: ${what}. Download it from the bank again.`, {
      details: [{ path: `line ${line}`, message: detail }],
    });
  }
}
