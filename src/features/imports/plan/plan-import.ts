import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { AnalysedRow, BalanceResult } from '../../../engines/imports/analysis.ts';
import { isNewestFirst } from '../../../engines/imports/proof/file-order.ts';
import { bankIdKey } from '../../../engines/matching/identity.ts';
import { matchImportedRows } from '../../../engines/matching/match-imported-rows.ts';
import { validationError, type AppError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { isInOrder, numbered } from '../../../kernel/sequence.ts';
import { providerMapping } from '../../categories/index.ts';
import type { Instance, Principal } from '../../handler.ts';
import { alreadyImported, sourceKey } from './already-imported.ts';
import { applyCorrections, applyDeletion } from './corrections.ts';
import { evidenceFor } from './evidence.ts';
import { noteKnownLines } from './known-lines.ts';
import { findGivenTarget } from '../target/given-target.ts';
import { provenByAnchors } from './ledger-proof.ts';
import { loadLedger, type LedgerRow } from './load-ledger.ts';
import { currencyInAccount, identityKeys, rowPlanner, type CurrencyIn, type IdentityNotes } from './plan-row.ts';
import { accountOfResult, isNew, type DataRow, type Plan, type PlannedAccount, type PlannedRow } from './plan.ts';
import { PlannedRowStore } from './planned-row-store.ts';
import { nameOwn, takeOwnRows } from './own-transactions.ts';
import { NO_ROWS, type RowList } from './row-list.ts';
import type { ReadFile } from '../doors/read-file.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { rawText } from '../records/row-record.ts';
import type { Target, TargetAccount } from '../target/target-account.ts';

/**
 * Decides the outcome of every record of a file against the ledger (36.7). Only reads: a preview ends here, an import
 * goes on in the same write transaction.
 */
export async function planImport(
  tx: ReadTx,
  file: Pick<ReadFile, 'fields' | 'analysis' | 'sha256'>,
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
  const currencyIn = currencyInAccount(file.analysis);
  const earlier = await alreadyImported(tx, target, file.analysis, file.sha256);
  const matchings = {
    rows,
    sourceKey: key,
    currencyIn,
    earlierId: earlier?.error ? null : (earlier?.importId ?? null),
    notes,
  };
  const all = [...accounts.values()];
  const { results } = file.analysis.balance_proof;
  for (const account of all) {
    account.rows = inBankOrder(account.rows, isReversed);
    const own = results.filter((result) => accountOfResult({ target, accounts: all }, result) === account);
    await matchAccount(tx, file, account, matchings, own);
  }
  const plan = {
    target,
    sourceKey: key,
    currencyIn,
    rows,
    accounts: all,
    added: newRows(rows, all, isReversed),
    categories: await categoryMapping(tx),
    notes,
  };
  return { ...plan, proof: await provenByAnchors(tx, plan, file.analysis.balance_proof) };
}

/** Plans an import against the ledger as it is now, in the transaction of the preview or of the import itself. */
export async function planFor(
  tx: ReadTx,
  instance: Instance,
  principal: Principal | null,
  file: ReadFile,
): Promise<Plan> {
  const given = await findGivenTarget(tx, file.fields, principal);
  const { fields, analysis, profiles, fileName, sha256 } = file;
  const target = await resolveTarget({
    tx,
    fields,
    given,
    analysis,
    readFor: async () => analysis,
    profiles,
    sha256,
    fileName,
    numberKey: instance.numberKey,
  });
  return planImport(tx, file, target);
}

function emptyAccount(target: TargetAccount): PlannedAccount {
  const base = { rows: NO_ROWS, removed: [], ledger: NO_ROWS, ledgerSpan: null, areIdsIgnored: false, movedDays: 0 };
  const dates = { firstDate: null, lastDate: null, days: null };
  return { target, corrected: applyCorrections(NO_ROWS), ...base, ...dates };
}

function readRows(
  file: Pick<ReadFile, 'fields' | 'analysis'>,
  target: Target,
  accounts: ReadonlyMap<TargetAccount, PlannedAccount>,
  notes: IdentityNotes,
): RowList<PlannedRow> {
  const { analysis, fields } = file;
  const only = target.accounts.size === 1 ? [...target.accounts.values()][0] : undefined;
  const excluded = new Set(fields.exclude_lines);
  const included = new Set(fields.include_lines);
  const rows = new PlannedRowStore(analysis.total_rows);
  const own = new Map<PlannedAccount, number[]>();
  for (const account of accounts.values()) own.set(account, []);
  const plan = rowPlanner(fields, notes, currencyInAccount(analysis));
  let shown = 0;
  const skip = (planned: PlannedRow, reason: string, row: AnalysedRow): void => {
    planned.outcome = 'skipped';
    planned.reason = reason;
    shown += 1;
    if (shown <= LIMITS.pageMax) planned.raw = rawText(row);
  };
  for (const [index, row] of numbered(analysis.rows())) {
    const one = targetOf(target, only, index, row);
    const account = one ? (accounts.get(one) as PlannedAccount) : null;
    const planned = rows.add(plan(row, account));
    if (row.outcome !== 'row') continue;
    if (target.own) nameOwn(planned, target.own.transactionOf(index));
    if (!account) {
      if (included.has(row.line)) throw ofOtherAccount(row.line);
      skip(planned, 'OTHER_ACCOUNT', row);
    } else {
      span(account, row);
      if (excluded.has(row.line)) skip(planned, 'EXCLUDED', row);
      else own.get(account)?.push(index);
    }
  }
  const all = rows.finished();
  for (const [account, indexes] of own) {
    const list = all.pick(indexes) as RowList<DataRow>;
    identityKeys(list, notes);
    account.corrected = applyCorrections(list);
    account.rows = account.corrected.rows;
  }
  return all;
}

function ofOtherAccount(line: number): AppError {
  return validationError(
    'include_lines',
    `include_lines: line ${line} is a row of another account than the file goes to.`,
  );
}

function targetOf(
  { accounts, own }: Target,
  only: TargetAccount | null | undefined,
  index: number,
  { account_value: value }: AnalysedRow,
): TargetAccount | null | undefined {
  if (own) return own.targetOf(index, value);
  return only === undefined ? accounts.get(value) : only;
}

interface Matchings {
  readonly rows: RowList<PlannedRow>;
  readonly sourceKey: string;
  readonly currencyIn: CurrencyIn;
  /** The import of the same file before. */
  readonly earlierId: string | null;
  readonly notes: IdentityNotes;
}

async function matchAccount(
  tx: ReadTx,
  file: Pick<ReadFile, 'fields' | 'analysis'>,
  account: PlannedAccount,
  { rows, sourceKey: key, currencyIn, earlierId, notes }: Matchings,
  results: readonly BalanceResult[],
): Promise<void> {
  const { firstDate, lastDate, target } = account;
  const { bank_id_namespace: namespace, pending_count: pendingCount } = file.analysis;
  const { deletions, correctedIds, idsInFile } = account.corrected;
  if (target.account && firstDate !== null && lastDate !== null) {
    const { ledger, days } = await loadLedger(tx, target.account, firstDate, lastDate, {
      namespace,
      ids: correctedIds,
    });
    account.ledger = ledger;
    account.ledgerSpan = days;
  }
  const taken = new Map<string, LedgerRow>();
  for (const deletion of deletions) {
    const gone = applyDeletion(deletion, (id) => withBankId(account.ledger, namespace, id), idsInFile);
    if (gone) taken.set(gone.id, gone);
  }
  const own = await takeOwnRows(tx, account, file.fields, notes);
  if (account.ledger.length === 0 && !own) return;
  const listed =
    pendingCount === 0 ? NO_ROWS : rows.filter((row) => row.reason === 'PENDING' && row.account === account);
  const isFree = ({ id }: LedgerRow, place: number): boolean => !taken.has(id) && own?.isTaken(place) !== true;
  const candidates = taken.size === 0 && !own ? account.ledger : account.ledger.filter(isFree);
  const toMatch = own ? account.rows.filter(({ ledger }) => ledger === null) : account.rows;
  if (earlierId !== null) await noteKnownLines(tx, earlierId, rows, account, candidates);
  const result = matchImportedRows(toMatch, candidates, {
    ...(await evidenceFor(tx, file.analysis, account, { results, currencyIn })),
    sourceKey: key,
    namespace,
    includeLines: new Set(file.fields.include_lines),
    listedPending: listed.toArray(),
  });
  // An export lists what somebody chose: that it leaves out a pending row says nothing.
  account.removed = own ? [] : [...taken.values(), ...result.removed];
  account.areIdsIgnored = result.areIdsIgnored;
  account.movedDays = result.movedDays;
  notes.reusedBankIds.push(...result.reusedBankIdLines);
  for (const [index, planned] of numbered(toMatch)) {
    const match = result.matches.at(index);
    planned.outcome = match.outcome;
    planned.reason = match.reason;
    planned.match = match.match;
    planned.ledger = match.ledger;
    planned.beside = match.beside;
  }
  own?.bringBack();
}

function withBankId(ledger: RowList<LedgerRow>, namespace: string | null, id: string): LedgerRow | undefined {
  if (namespace === null) return undefined;
  const key = bankIdKey(namespace, id);
  for (const row of ledger) if (row.bankIds.includes(key)) return row;
  return undefined;
}

function span(account: PlannedAccount, { date: dateOrNull, pending }: AnalysedRow): void {
  const date = dateOrNull as string;
  const { first = date, last = date } = account.days ?? {};
  if (!pending) account.days = { first: date < first ? date : first, last: date > last ? date : last };
  if (account.firstDate === null || date < account.firstDate) account.firstDate = date;
  if (account.lastDate === null || date > account.lastDate) account.lastDate = date;
}

function newRows(
  rows: RowList<PlannedRow>,
  accounts: readonly PlannedAccount[],
  isReversed: boolean,
): RowList<DataRow> {
  const [only] = accounts;
  if (only === undefined) return NO_ROWS;
  if (accounts.length === 1) return only.rows.filter(isNew);
  const added = rows.filter(isNew) as RowList<DataRow>;
  return inBankOrder(
    sorted(added, (a, b) => a.line - b.line || a.part - b.part),
    isReversed,
  );
}

interface Dated {
  readonly date: string | null;
  readonly time: string | null;
}

/** Whether the rows read from a file run from new to old. */
function isReadNewestFirst(rows: RowList<PlannedRow>): boolean {
  const dates: string[] = [];
  for (const { outcome, date } of rows) {
    if (outcome !== 'skipped' && outcome !== 'invalid' && date !== null) dates.push(date);
  }
  return isNewestFirst(dates);
}

/** Sorts rows in file order by date, then by time of day where both have one, then in the bank's own order. */
function inBankOrder<T extends Dated>(rows: RowList<T>, isReversed: boolean): RowList<T> {
  return sorted(isReversed ? rows.toReversed() : rows, byTime);
}

/** Files mostly have their rows in order, and a look at each takes less than sorting them. */
function sorted<T>(rows: RowList<T>, compare: (a: T, b: T) => number): RowList<T> {
  return isInOrder(rows, compare) ? rows : rows.toSorted(compare);
}

function byTime(a: Dated, b: Dated): number {
  if (a.date !== b.date) return (a.date ?? '') < (b.date ?? '') ? -1 : 1;
  if (a.time === null || b.time === null || a.time === b.time) return 0;
  return a.time < b.time ? -1 : 1;
}

/** Maps a category text of a file to a category (10.10.5), or null. Rules run after this (36.8.4). */
export type CategoryMapping = (text: string | null) => string | null;

/** Reads the categories once and remembers the result for each text. */
async function categoryMapping(tx: ReadTx): Promise<CategoryMapping> {
  const mapping = await providerMapping(tx);
  return (text) => mapping({ provider: 'csv', primary: text, detailed: null, amountCents: 0 });
}
