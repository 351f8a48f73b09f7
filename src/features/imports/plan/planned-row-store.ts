import { HexColumn, NumberColumn, SparseColumn, UuidColumn, WordColumn, Words } from './column-store.ts';
import type { LedgerRow } from './load-ledger.ts';
import type { Outcome, PlannedAccount, PlannedRow } from './plan.ts';

const OUTCOMES: readonly Outcome[] = ['added', 'updated', 'duplicate', 'deleted', 'skipped', 'invalid'];
// Bits of `flags`.
const PENDING = 1;
const REDELIVERED = 2;

/** The fields that are known when a record is added; matching sets the others. */
export type PlannedRowInput = Omit<
  PlannedRow,
  'match' | 'ledger' | 'transactionId' | 'formerBankIds' | 'isRedelivered'
>;

/**
 * The planned records of a file, stored in columns: a file may have half a million, and as objects they would take
 * three times the memory.
 */
class Columns {
  readonly words = new Words();
  readonly accounts: (PlannedAccount | null)[] = [null];
  readonly line: NumberColumn;
  readonly part: NumberColumn;
  readonly account: NumberColumn;
  readonly outcome: NumberColumn;
  readonly flags: NumberColumn;
  readonly amount: NumberColumn;
  readonly balance: NumberColumn;
  readonly contentKey: HexColumn;
  readonly transactionId: UuidColumn;
  readonly reason: WordColumn;
  readonly match: WordColumn;
  readonly date: WordColumn;
  readonly authorizedDate: WordColumn;
  readonly time: WordColumn;
  readonly currency: WordColumn;
  readonly name: WordColumn;
  readonly merchantName: WordColumn;
  readonly category: WordColumn;
  readonly datetime = new SparseColumn<string>();
  readonly notes = new SparseColumn<string>();
  readonly tags = new SparseColumn<string>();
  readonly bankId = new SparseColumn<string>();
  readonly formerBankIds = new SparseColumn<readonly string[]>();
  readonly correction = new SparseColumn<NonNullable<PlannedRow['correction']>>();
  readonly message = new SparseColumn<string>();
  readonly raw = new SparseColumn<string>();
  readonly ledger = new SparseColumn<LedgerRow>();

  constructor(expected: number) {
    const byte = (): NumberColumn => new NumberColumn((length) => new Uint8Array(length), expected);
    const integer = (): NumberColumn => new NumberColumn((length) => new Int32Array(length), expected);
    const cents = (): NumberColumn => new NumberColumn((length) => new Float64Array(length), expected);
    const word = (): WordColumn => new WordColumn(this.words, integer());
    this.line = integer();
    this.part = integer();
    // An index; a file has at most LIMITS.importAccounts.
    this.account = byte();
    this.outcome = byte();
    this.flags = byte();
    this.amount = cents();
    this.balance = cents();
    this.contentKey = new HexColumn(expected);
    this.transactionId = new UuidColumn(expected);
    this.reason = word();
    this.match = word();
    this.date = word();
    this.authorizedDate = word();
    this.time = word();
    this.currency = word();
    this.name = word();
    this.merchantName = word();
    this.category = word();
  }
}

export class PlannedRowStore {
  readonly #columns: Columns;
  /** In file order. */
  readonly list: PlannedRow[] = [];

  /** @param expected the approximate number of records */
  constructor(expected: number) {
    this.#columns = new Columns(expected);
  }

  add(values: PlannedRowInput): PlannedRow {
    const at = this.list.length;
    const columns = this.#columns;
    for (const write of WRITERS) write(columns, at, values);
    const row = new Row(columns, at);
    this.list.push(row);
    return row;
  }
}

type Write = (columns: Columns, at: number, values: PlannedRowInput) => void;

/** How each value of a new record gets into its column. */
const WRITE: Readonly<Record<keyof PlannedRowInput, Write>> = {
  line: (columns, at, { line }) => columns.line.set(at, line),
  part: (columns, at, { part }) => columns.part.set(at, part),
  account: (columns, at, { account }) => {
    const known = columns.accounts.indexOf(account);
    columns.account.set(at, known < 0 ? columns.accounts.push(account) - 1 : known);
  },
  outcome: (columns, at, { outcome }) => columns.outcome.set(at, OUTCOMES.indexOf(outcome)),
  reason: (columns, at, { reason }) => columns.reason.set(at, reason),
  date: (columns, at, { date }) => columns.date.set(at, date),
  authorizedDate: (columns, at, { authorizedDate }) => columns.authorizedDate.set(at, authorizedDate),
  datetime: (columns, at, { datetime }) => columns.datetime.set(at, datetime),
  time: (columns, at, { time }) => columns.time.set(at, time),
  amountCents: (columns, at, { amountCents }) => columns.amount.set(at, amountCents ?? Number.NaN),
  currency: (columns, at, { currency }) => columns.currency.set(at, currency),
  name: (columns, at, { name }) => columns.name.set(at, name),
  merchantName: (columns, at, { merchantName }) => columns.merchantName.set(at, merchantName),
  category: (columns, at, { category }) => columns.category.set(at, category),
  notes: (columns, at, { notes }) => columns.notes.set(at, notes),
  tags: (columns, at, { tags }) => columns.tags.set(at, tags),
  contentKey: (columns, at, { contentKey }) => columns.contentKey.set(at, contentKey === '' ? null : contentKey),
  bankId: (columns, at, { bankId }) => columns.bankId.set(at, bankId),
  correction: (columns, at, { correction }) => columns.correction.set(at, correction),
  pending: (columns, at, { pending }) => columns.flags.set(at, pending ? PENDING : 0),
  balanceCents: (columns, at, { balanceCents }) => columns.balance.set(at, balanceCents ?? Number.NaN),
  message: (columns, at, { message }) => columns.message.set(at, message),
  raw: (columns, at, { raw }) => columns.raw.set(at, raw),
};

const WRITERS: readonly Write[] = Object.values(WRITE);

const NO_IDS: readonly string[] = [];

/** A view of one record in the columns. */
class Row implements PlannedRow {
  readonly #columns: Columns;
  readonly #at: number;

  constructor(columns: Columns, at: number) {
    this.#columns = columns;
    this.#at = at;
  }

  get line(): number {
    return this.#columns.line.get(this.#at);
  }
  get part(): number {
    return this.#columns.part.get(this.#at);
  }
  get account(): PlannedAccount | null {
    return this.#columns.accounts[this.#columns.account.get(this.#at)] ?? null;
  }
  get outcome(): Outcome {
    return OUTCOMES[this.#columns.outcome.get(this.#at)] as Outcome;
  }
  set outcome(outcome) {
    this.#columns.outcome.set(this.#at, OUTCOMES.indexOf(outcome));
  }
  get reason(): string | null {
    return this.#columns.reason.get(this.#at);
  }
  set reason(reason) {
    this.#columns.reason.set(this.#at, reason);
  }
  get match(): PlannedRow['match'] {
    return this.#columns.match.get(this.#at) as PlannedRow['match'];
  }
  set match(match) {
    this.#columns.match.set(this.#at, match);
  }
  get ledger(): LedgerRow | null {
    return this.#columns.ledger.get(this.#at);
  }
  set ledger(ledger) {
    this.#columns.ledger.set(this.#at, ledger);
  }
  get transactionId(): string | null {
    return this.#columns.transactionId.get(this.#at);
  }
  set transactionId(id) {
    this.#columns.transactionId.set(this.#at, id);
  }
  get date(): string | null {
    return this.#columns.date.get(this.#at);
  }
  get authorizedDate(): string | null {
    return this.#columns.authorizedDate.get(this.#at);
  }
  get datetime(): string | null {
    return this.#columns.datetime.get(this.#at);
  }
  get time(): string | null {
    return this.#columns.time.get(this.#at);
  }
  get amountCents(): number | null {
    return numberOrNull(this.#columns.amount.get(this.#at));
  }
  get currency(): string | null {
    return this.#columns.currency.get(this.#at);
  }
  get name(): string {
    return this.#columns.name.get(this.#at) as string;
  }
  get merchantName(): string | null {
    return this.#columns.merchantName.get(this.#at);
  }
  get category(): string | null {
    return this.#columns.category.get(this.#at);
  }
  get notes(): string | null {
    return this.#columns.notes.get(this.#at);
  }
  get tags(): string | null {
    return this.#columns.tags.get(this.#at);
  }
  get contentKey(): string {
    return this.#columns.contentKey.get(this.#at) ?? '';
  }
  set contentKey(key) {
    this.#columns.contentKey.set(this.#at, key === '' ? null : key);
  }
  get bankId(): string | null {
    return this.#columns.bankId.get(this.#at);
  }
  set bankId(id) {
    this.#columns.bankId.set(this.#at, id);
  }
  get formerBankIds(): readonly string[] {
    return this.#columns.formerBankIds.get(this.#at) ?? NO_IDS;
  }
  set formerBankIds(ids) {
    this.#columns.formerBankIds.set(this.#at, ids.length === 0 ? null : ids);
  }
  get correction(): PlannedRow['correction'] {
    return this.#columns.correction.get(this.#at);
  }
  get pending(): boolean {
    return (this.#columns.flags.get(this.#at) & PENDING) !== 0;
  }
  get balanceCents(): number | null {
    return numberOrNull(this.#columns.balance.get(this.#at));
  }
  get message(): string | null {
    return this.#columns.message.get(this.#at);
  }
  get raw(): string | null {
    return this.#columns.raw.get(this.#at);
  }
  set raw(raw) {
    this.#columns.raw.set(this.#at, raw);
  }
  get isRedelivered(): boolean {
    return (this.#columns.flags.get(this.#at) & REDELIVERED) !== 0;
  }
  set isRedelivered(isRedelivered) {
    const { flags } = this.#columns;
    flags.set(this.#at, isRedelivered ? flags.get(this.#at) | REDELIVERED : flags.get(this.#at) & ~REDELIVERED);
  }
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
