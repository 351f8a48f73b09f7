import type { ReadTx } from '../../db/unit-of-work.ts';
import { bankIdKey, type ImportedRow } from '../../engines/matching/identity.ts';
import type { AnalysedRow, BalanceProof, BalanceResult } from '../../engines/imports/analysis.ts';
import { matchImportedRows } from '../../engines/matching/match-imported-rows.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { sourceKey } from './already-imported.ts';
import { provenByAnchors } from './anchored-proof.ts';
import { categoryMapping, type CategoryMapping } from './assign-category.ts';
import { inBankOrder, isReadNewestFirst } from './bank-order.ts';
import { currencyInAccount, type CurrencyIn } from './currency-in-account.ts';
import { applyCorrections, takeBack, type Corrected } from './corrections.ts';
import { identityKeys, rowPlanner, type IdentityNotes } from './plan-row.ts';
import { PlannedRowStore } from './planned-row-store.ts';
import { loadLedger, type LedgerRow } from './load-ledger.ts';
import { rawText } from './raw-record.ts';
import type { ReadFile } from './read-file.ts';
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

/**
 * Decides every record of a file against the ledger (36.7). Reads only: a preview ends here, an import goes on from
 * here inside the same write transaction.
 */
export async function planImport(
  tx: ReadTx,
  file: Pick<ReadFile, 'fields' | 'analysis'>,
  target: Target,
): Promise<Plan> {
  const notes: IdentityNotes = { reusedBankIds: [], sharedBankIds: [], cutTexts: [] };
  const accounts = new Map<TargetAccount, PlannedAccount>();
  for (const one of target.accounts.values()) {
    if (one) accounts.set(one, emptyAccount(one));
  }
  const rows = readRows(file, target, accounts, notes);
  const isReversed = isReadNewestFirst(rows);
  const key = sourceKey(file.analysis);
  for (const account of accounts.values()) {
    account.rows = inBankOrder(account.rows, isReversed);
    await matchAccount(tx, file, account, rows, key, notes);
  }
  const all = [...accounts.values()];
  const plan = {
    target,
    sourceKey: key,
    currencyIn: currencyInAccount(file.analysis),
    rows,
    accounts: all,
    added: newRows(all, isReversed),
    categories: await categoryMapping(tx),
    notes,
  };
  return { ...plan, proof: await provenByAnchors(tx, plan, file.analysis.balance_proof) };
}

function emptyAccount(target: TargetAccount): PlannedAccount {
  const base = { rows: [], removed: [], ledger: [], firstDate: null, lastDate: null };
  return { target, corrected: applyCorrections([]), ...base };
}

function readRows(
  file: Pick<ReadFile, 'fields' | 'analysis'>,
  target: Target,
  accounts: ReadonlyMap<TargetAccount, PlannedAccount>,
  notes: IdentityNotes,
): PlannedRow[] {
  const { analysis, fields } = file;
  const only = target.accounts.size === 1 ? [...target.accounts.values()][0] : undefined;
  const excluded = new Set(fields.exclude_lines);
  const rows = new PlannedRowStore(analysis.total_rows);
  const own = new Map<PlannedAccount, DataRow[]>();
  for (const account of accounts.values()) own.set(account, []);
  const plan = rowPlanner(fields, notes, currencyInAccount(analysis));
  let shown = 0;
  const skip = (planned: PlannedRow, reason: string, row: AnalysedRow): void => {
    planned.outcome = 'skipped';
    planned.reason = reason;
    shown += 1;
    if (shown <= LIMITS.pageMax) planned.raw = rawText(row);
  };
  for (const row of analysis.rows()) {
    const one = only === undefined ? target.accounts.get(row.account_value) : only;
    const account = one ? (accounts.get(one) as PlannedAccount) : null;
    const planned = rows.add(plan(row, account));
    if (row.outcome !== 'row') continue;
    if (!account) skip(planned, 'OTHER_ACCOUNT', row);
    else {
      span(account, row.date as string);
      if (excluded.has(row.line)) skip(planned, 'EXCLUDED', row);
      else own.get(account)?.push(planned as DataRow);
    }
  }
  for (const [account, list] of own) {
    identityKeys(list, notes);
    account.corrected = applyCorrections(list);
    account.rows = account.corrected.rows;
  }
  return rows.list;
}

async function matchAccount(
  tx: ReadTx,
  file: Pick<ReadFile, 'fields' | 'analysis'>,
  account: PlannedAccount,
  rows: readonly PlannedRow[],
  key: string,
  notes: IdentityNotes,
): Promise<void> {
  const { firstDate, lastDate, target } = account;
  const { bank_id_namespace: namespace, pending_count: pendingCount } = file.analysis;
  const { deletions, namedIds, ids } = account.corrected;
  if (target.account && firstDate !== null && lastDate !== null) {
    account.ledger = await loadLedger(tx, target.account, firstDate, lastDate, { namespace, ids: namedIds });
  }
  const taken = new Set<LedgerRow>();
  for (const deletion of deletions) {
    const gone = takeBack(deletion, (id) => withBankId(account.ledger, namespace, id), ids);
    if (gone) taken.add(gone);
  }
  if (account.ledger.length === 0 || firstDate === null || lastDate === null) return;
  const listed = pendingCount === 0 ? [] : rows.filter((row) => row.reason === 'PENDING' && row.account === account);
  const candidates = account.ledger.filter((row) => !taken.has(row));
  const result = matchImportedRows(account.rows, candidates, {
    sourceKey: key,
    namespace,
    includeLines: new Set(file.fields.include_lines),
    firstDate,
    lastDate,
    listedPending: listed,
  });
  account.removed = [...taken, ...result.removed];
  notes.reusedBankIds.push(...result.reusedBankIdLines);
  for (const [index, match] of result.matches.entries()) {
    const planned = account.rows[index] as DataRow;
    planned.outcome = match.outcome;
    planned.reason = match.reason;
    planned.match = match.match;
    planned.ledger = match.ledger;
  }
}

function withBankId(ledger: readonly LedgerRow[], namespace: string | null, id: string): LedgerRow | undefined {
  return namespace === null ? undefined : ledger.find((row) => row.bankIds.includes(bankIdKey(namespace, id)));
}

function span(account: PlannedAccount, date: string): void {
  if (account.firstDate === null || date < account.firstDate) account.firstDate = date;
  if (account.lastDate === null || date > account.lastDate) account.lastDate = date;
}

function newRows(accounts: readonly PlannedAccount[], isReversed: boolean): readonly DataRow[] {
  const added = accounts.flatMap((account) => account.rows.filter(isNew));
  if (accounts.length <= 1) return added;
  added.sort((a, b) => a.line - b.line || a.part - b.part);
  return inBankOrder(added, isReversed);
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
