import type { ReadTx } from '../../db/unit-of-work.ts';
import type { AnalysedRow } from '../../engines/imports/analysis.ts';
import { bankIdKey } from '../../engines/matching/identity.ts';
import { matchImportedRows } from '../../engines/matching/match-imported-rows.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { sourceKey } from './already-imported.ts';
import { categoryMapping } from './assign-category.ts';
import { inBankOrder, isReadNewestFirst } from './bank-order.ts';
import { applyCorrections, takeBack } from './corrections.ts';
import { currencyInAccount } from './currency-in-account.ts';
import { provenByAnchors } from './ledger-proof.ts';
import { type LedgerRow, loadLedger } from './load-ledger.ts';
import { identityKeys, type IdentityNotes, rowPlanner } from './plan-row.ts';
import { type DataRow, isNew, type Plan, type PlannedAccount, type PlannedRow } from './plan.ts';
import { PlannedRowStore } from './planned-row-store.ts';
import { rawText } from './raw-record.ts';
import type { ReadFile } from './read-file.ts';
import type { Target, TargetAccount } from './target-account.ts';

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
