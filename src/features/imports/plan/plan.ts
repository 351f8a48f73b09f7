import type { AnalysedRow, BalanceProof, BalanceResult } from '../../../engines/imports/analysis.ts';
import type { ImportedRow, Span } from '../../../engines/matching/identity.ts';
import type { Corrected } from './corrections.ts';
import type { LedgerRow } from './load-ledger.ts';
import type { CategoryMapping } from './plan-import.ts';
import type { CurrencyIn, IdentityNotes } from './plan-row.ts';
import type { RowList } from './row-list.ts';
import type { Target, TargetAccount } from '../target/target-account.ts';

export type Outcome = 'added' | 'updated' | 'duplicate' | 'deleted' | 'skipped' | 'invalid';

/** One record of the file and its outcome. Cells are not kept: the file is read again for them. */
export interface PlannedRow {
  readonly line: number;
  readonly part: number;
  /** null for rows that go to no account. */
  readonly account: PlannedAccount | null;
  outcome: Outcome;
  reason: string | null;
  match: 'certain' | 'probable' | null;
  ledger: LedgerRow | null;
  /** The transaction whose id an export of Homeledger gives, if this household has it. */
  ownId: string | null;
  /** The transaction created from the row. */
  transactionId: string | null;
  readonly date: string | null;
  readonly authorizedDate: string | null;
  readonly datetime: string | null;
  readonly time: string | null;
  readonly amountCents: number | null;
  readonly currency: string | null;
  /** Texts as stored, cut to their limits. */
  readonly name: string;
  readonly merchantName: string | null;
  readonly category: string | null;
  /** Only if the caller wants notes and tags imported. */
  readonly notes: string | null;
  readonly tags: string | null;
  contentKey: string;
  bankId: string | null;
  /** Ids of the records that this one replaces, according to the bank. */
  formerBankIds: readonly string[];
  readonly correction: AnalysedRow['correction'];
  readonly pending: boolean;
  readonly balanceCents: number | null;
  readonly message: string | null;
  raw: string | null;
  /** The bank delivered a known row with new values, so its origin is updated. */
  isRedelivered: boolean;
  /** Place, counted from 1, of the ledger row that the line was when the same file was imported before; else 0. */
  knownPlace: number;
  /** A live row that an added one may be (36.7.2). */
  beside: LedgerRow | null;
}

/** A record that is a transaction. */
export type DataRow = PlannedRow & ImportedRow;

export interface PlannedAccount {
  readonly target: TargetAccount;
  /** Its rows after the bank's corrections. */
  corrected: Corrected;
  /** Its rows in chronological order; those of one day in the bank's order. */
  rows: RowList<DataRow>;
  /** Ledger rows to remove: stale pending ones, and those that the bank deletes. */
  removed: readonly LedgerRow[];
  /** The ledger rows around the dates of the file. */
  ledger: RowList<LedgerRow>;
  firstDate: string | null;
  lastDate: string | null;
  /** From the first to the last posted row. */
  days: Span | null;
  /** The days that `ledger` was read for. */
  ledgerSpan: Span | null;
  /** The ids of the file change or collide, so they are not kept. */
  areIdsIgnored: boolean;
  /** How many days later the ledger has the rows of the file. */
  movedDays: number;
}

export interface Plan {
  readonly target: Target;
  readonly sourceKey: string;
  readonly currencyIn: CurrencyIn;
  /** Every record, in file order. */
  readonly rows: RowList<PlannedRow>;
  readonly accounts: readonly PlannedAccount[];
  /** New transactions in the order in which their ids are issued. */
  readonly added: RowList<DataRow>;
  readonly categories: CategoryMapping;
  readonly notes: IdentityNotes;
  /** The balance proof, anchors included. */
  readonly proof: BalanceProof;
}

/** Whether a row becomes a new transaction; one that is brought back keeps its old one. */
export function isNew(planned: PlannedRow): boolean {
  return planned.outcome === 'added' && planned.ledger === null;
}

/** The account that a result of the balance proof is about; undefined if its rows are left out. */
export function accountOfResult(
  { target, accounts }: Pick<Plan, 'target' | 'accounts'>,
  result: BalanceResult,
): PlannedAccount | undefined {
  const chosen = target.accounts.size === 1 ? [...target.accounts.values()][0] : target.accounts.get(result.file_value);
  return accounts.find((account) => account.target === chosen);
}

/** Posted rows of one currency after one day, up to and including another. */
export interface MoneySpan {
  readonly after: string;
  readonly until: string;
  /** undefined for any. */
  readonly currency: string | null | undefined;
}

type Counted = Pick<DataRow, 'date' | 'currency' | 'amountCents' | 'pending'>;

export function isWithin(row: Counted, { after, until, currency }: MoneySpan): boolean {
  const isCounted = currency === undefined || row.currency === currency;
  return !row.pending && isCounted && row.date > after && row.date <= until;
}

/** How much an import changes the sum of the ledger's amounts in a span, in hundredths. */
export function amountsBetween(account: PlannedAccount, span: MoneySpan): bigint {
  let sum = 0n;
  const add = (row: Counted, factor: bigint): void => {
    if (isWithin(row, span)) sum += factor * BigInt(row.amountCents);
  };
  for (const row of account.removed) add(row, -1n);
  for (const planned of account.rows) {
    const { outcome, ledger } = planned;
    if (outcome === 'duplicate' || outcome === 'deleted') continue;
    if (ledger?.state === 'live') add(ledger, -1n);
    add(planned.reason === 'RESTORED' ? (ledger ?? planned) : planned, 1n);
  }
  return sum;
}
