import type { LedgerState } from '../../../engines/matching/identity.ts';
import { HexColumn, NumberColumn, SparseColumn, UuidColumn, WordColumn, Words } from './column-store.ts';
import type { LedgerRow } from './load-ledger.ts';

const STATES: readonly LedgerState[] = ['live', 'kept_deleted', 'withdrawn'];
// Bits of `flags`, above the two of the state.
const STATE = 3;
const PENDING = 4;
const PROVIDER = 8;
const ENTERED = 16;
const SOME = 1_024;
const NONE: readonly string[] = [];

/** What the ledger says about a row; what joined it is set afterwards. */
export type LedgerRowInput = Omit<LedgerRow, 'otherContentKeys' | 'bankIds'>;

class Columns {
  readonly words = new Words();
  readonly id = new UuidColumn(SOME);
  readonly contentKey = new HexColumn(SOME);
  readonly amount = new NumberColumn((length) => new Float64Array(length), SOME);
  readonly flags = new NumberColumn((length) => new Uint8Array(length), SOME);
  readonly date = this.#word();
  readonly authorizedDate = this.#word();
  readonly currency = this.#word();
  readonly name = this.#word();
  readonly merchantName = this.#word();
  readonly sourceKey = this.#word();
  readonly bankIds = new SparseColumn<readonly string[]>();
  readonly otherContentKeys = new SparseColumn<readonly string[]>();

  #word(): WordColumn {
    return new WordColumn(this.words, new NumberColumn((length) => new Int32Array(length), SOME));
  }
}

/** The rows of an account around the dates of a file, in columns: a file may meet half a million of them. */
export class LedgerRowStore {
  readonly #columns = new Columns();
  readonly list: LedgerRow[] = [];

  add(row: LedgerRowInput): void {
    const at = this.list.length;
    const columns = this.#columns;
    columns.id.set(at, row.id);
    columns.contentKey.set(at, row.contentKey);
    columns.amount.set(at, row.amountCents);
    columns.flags.set(
      at,
      STATES.indexOf(row.state) |
        (row.pending ? PENDING : 0) |
        (row.isProvider ? PROVIDER : 0) |
        (row.isEntered ? ENTERED : 0),
    );
    columns.date.set(at, row.date);
    columns.authorizedDate.set(at, row.authorizedDate);
    columns.currency.set(at, row.currency);
    columns.name.set(at, row.name);
    columns.merchantName.set(at, row.merchantName);
    columns.sourceKey.set(at, row.sourceKey);
    this.list.push(new Row(columns, at));
  }
}

/** A view of one row in the columns. */
class Row implements LedgerRow {
  readonly #columns: Columns;
  readonly #at: number;

  constructor(columns: Columns, at: number) {
    this.#columns = columns;
    this.#at = at;
  }

  get id(): string {
    return this.#columns.id.get(this.#at) as string;
  }
  get date(): string {
    return this.#columns.date.get(this.#at) as string;
  }
  get authorizedDate(): string | null {
    return this.#columns.authorizedDate.get(this.#at);
  }
  get amountCents(): number {
    return this.#columns.amount.get(this.#at);
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
  get pending(): boolean {
    return this.#has(PENDING);
  }
  get state(): LedgerState {
    return STATES[this.#columns.flags.get(this.#at) & STATE] as LedgerState;
  }
  get sourceKey(): string | null {
    return this.#columns.sourceKey.get(this.#at);
  }
  get isProvider(): boolean {
    return this.#has(PROVIDER);
  }
  get isEntered(): boolean {
    return this.#has(ENTERED);
  }
  get contentKey(): string | null {
    return this.#columns.contentKey.get(this.#at);
  }
  get otherContentKeys(): readonly string[] {
    return this.#columns.otherContentKeys.get(this.#at) ?? NONE;
  }
  set otherContentKeys(keys) {
    this.#columns.otherContentKeys.set(this.#at, keys);
  }
  get bankIds(): readonly string[] {
    return this.#columns.bankIds.get(this.#at) ?? NONE;
  }
  set bankIds(keys) {
    this.#columns.bankIds.set(this.#at, keys);
  }

  #has(flag: number): boolean {
    return (this.#columns.flags.get(this.#at) & flag) !== 0;
  }
}
