import type { AnalysedRow, BalanceProof, BalanceResult } from '../../engines/imports/analysis.ts';
import type { ImportedRow } from '../../engines/matching/identity.ts';
import type { Corrected } from './corrections.ts';
import type { LedgerRow } from './load-ledger.ts';
import type { CategoryMapping } from './plan-import.ts';
import type { CurrencyIn, IdentityNotes } from './plan-row.ts';
import type { Target, TargetAccount } from './target-account.ts';

export type Outcome = 'added' | 'updated' | 'duplicate' | 'deleted' | 'skipped' | 'invalid';

/** One record of the file and what becomes of it. Its cells are not kept: whoever needs them reads the file again. */
export interface PlannedRow {
  readonly line: number;
  readonly part: number;
  /** null for rows that belong to no account of this import. */
  readonly account: PlannedAccount | null;
  outcome: Outcome;
  reason: string | null;
  match: 'certain' | 'probable' | null;
  ledger: LedgerRow | null;
  /** The transaction that a new row became. */
  transactionId: string | null;
  readonly date: string | null;
  readonly authorizedDate: string | null;
  readonly datetime: string | null;
  readonly time: string | null;
  readonly amountCents: number | null;
  readonly currency: string | null;
  /** Texts as they are stored. */
  readonly name: string;
  readonly merchantName: string | null;
  readonly category: string | null;
  /** Only where the caller wants them imported. */
  readonly notes: string | null;
  readonly tags: string | null;
  contentKey: string;
  bankId: string | null;
  /** Ids of what it replaces, by the bank's own word. */
  formerBankIds: readonly string[];
  readonly correction: AnalysedRow['correction'];
  readonly pending: boolean;
  readonly balanceCents: number | null;
  readonly message: string | null;
  raw: string | null;
  /** The bank delivers a known row with other values, so its origin is written anew. */
  isRedelivered: boolean;
}

/** A record that was read as a transaction. */
export type DataRow = PlannedRow & ImportedRow;

export interface PlannedAccount {
  readonly target: TargetAccount;
  /** What the bank itself corrects among them. */
  corrected: Corrected;
  /** Its rows in chronological order, equal days in the bank's order. */
  rows: readonly DataRow[];
  /** Stale pending rows of the ledger, and rows that the bank takes back. */
  removed: readonly LedgerRow[];
  /** Every ledger row around the file's dates. */
  ledger: readonly LedgerRow[];
  firstDate: string | null;
  lastDate: string | null;
}

export interface Plan {
  readonly target: Target;
  readonly sourceKey: string;
  readonly currencyIn: CurrencyIn;
  /** Every record, in file order. */
  readonly rows: readonly PlannedRow[];
  readonly accounts: readonly PlannedAccount[];
  /** New transactions in the order in which their ids are issued. */
  readonly added: readonly DataRow[];
  readonly categories: CategoryMapping;
  readonly notes: IdentityNotes;
  /** The balance proof, anchors included. */
  readonly proof: BalanceProof;
}

/** A row that becomes a new transaction; one that is brought back has its old one. */
export function isNew(planned: PlannedRow): boolean {
  return planned.outcome === 'added' && planned.ledger === null;
}

/** The account that a result of the balance proof is about; undefined where its rows are left out. */
export function accountOfResult(
  { target, accounts }: Pick<Plan, 'target' | 'accounts'>,
  result: BalanceResult,
): PlannedAccount | undefined {
  const chosen = target.accounts.size === 1 ? [...target.accounts.values()][0] : target.accounts.get(result.file_value);
  return accounts.find((account) => account.target === chosen);
}

/** Posted rows of one currency after a day and until another. */
export interface Span {
  readonly after: string;
  readonly until: string;
  readonly currency: string | null;
}

type Counted = Pick<DataRow, 'date' | 'currency' | 'amountCents' | 'pending'>;

export function isWithin(row: Counted, { after, until, currency }: Span): boolean {
  return !row.pending && row.currency === currency && row.date > after && row.date <= until;
}

/** What an import will have added to the ledger's amounts of a span. */
export function amountsBetween(account: PlannedAccount, span: Span): bigint {
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
