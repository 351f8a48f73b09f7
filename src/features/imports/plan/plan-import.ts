import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { AnalysedRow } from '../../../engines/imports/analysis.ts';
import { isNewestFirst } from '../../../engines/imports/proof/file-order.ts';
import { bankIdKey } from '../../../engines/matching/identity.ts';
import { matchImportedRows } from '../../../engines/matching/match-imported-rows.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { providerMapping } from '../../categories/index.ts';
import type { Instance, Principal } from '../../handler.ts';
import { sourceKey } from './already-imported.ts';
import { applyCorrections, applyDeletion } from './corrections.ts';
import { findGivenTarget } from '../target/given-target.ts';
import { provenByAnchors } from './ledger-proof.ts';
import { loadLedger, type LedgerRow } from './load-ledger.ts';
import { currencyInAccount, identityKeys, rowPlanner, type IdentityNotes } from './plan-row.ts';
import { isNew, type DataRow, type Plan, type PlannedAccount, type PlannedRow } from './plan.ts';
import { PlannedRowStore } from './planned-row-store.ts';
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
  const { deletions, correctedIds, idsInFile } = account.corrected;
  if (target.account && firstDate !== null && lastDate !== null) {
    account.ledger = await loadLedger(tx, target.account, firstDate, lastDate, { namespace, ids: correctedIds });
  }
  const taken = new Set<LedgerRow>();
  for (const deletion of deletions) {
    const gone = applyDeletion(deletion, (id) => withBankId(account.ledger, namespace, id), idsInFile);
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
  for (const [index, planned] of account.rows.entries()) {
    const match = result.matches.at(index);
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
  const [only] = accounts;
  // A list of half a million rows takes 4 MiB.
  if (accounts.length === 1 && only?.rows.every(isNew)) return only.rows;
  const added = accounts.flatMap((account) => account.rows.filter(isNew));
  if (accounts.length <= 1) return added;
  added.sort((a, b) => a.line - b.line || a.part - b.part);
  return inBankOrder(added, isReversed);
}

interface Dated {
  readonly outcome: string;
  readonly date: string | null;
  readonly time: string | null;
}

/** Whether the rows read from a file run from new to old. */
function isReadNewestFirst(rows: readonly Dated[]): boolean {
  const dates: string[] = [];
  for (const { outcome, date } of rows) {
    if (outcome !== 'skipped' && outcome !== 'invalid' && date !== null) dates.push(date);
  }
  return isNewestFirst(dates);
}

/** Sorts rows in file order by date, then by time of day where both have one, then in the bank's own order. */
function inBankOrder<T extends Dated>(rows: readonly T[], isReversed: boolean): readonly T[] {
  const ordered = isReversed ? rows.toReversed() : rows;
  return isOrdered(ordered) ? ordered : ordered.toSorted(compare);
}

function isOrdered(rows: readonly Dated[]): boolean {
  for (let i = 1; i < rows.length; i++) if (compare(rows[i - 1] as Dated, rows[i] as Dated) > 0) return false;
  return true;
}

function compare(a: Dated, b: Dated): number {
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
