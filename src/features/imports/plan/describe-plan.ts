import type { z } from 'zod';

import type { Total } from '../../../contract/common.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { AppError } from '../../../kernel/errors.ts';
import { compareCodePoints } from '../../../kernel/fold.ts';
import { formatCents } from '../../../kernel/money.ts';
import { alreadyImported } from './already-imported.ts';
import type { ImportAccount, ImportCounts, ImportRecord, ImportWarning } from '../import-records.contract.ts';
import { warning, warningsOf } from './import-warnings.ts';
import type { BindingChange } from '../write/learned-settings.ts';
import { bareProof, proofOf } from './ledger-proof.ts';
import { isNew, type Plan, type PlannedAccount } from './plan.ts';
import type { ReadFile } from '../doors/read-file.ts';

const CATEGORIES_NAMED = 100;
const NO_COUNTS: ImportCounts = {
  total: 0,
  added: 0,
  updated: 0,
  duplicate: 0,
  deleted: 0,
  skipped: 0,
  invalid: 0,
  removed: 0,
  pending: 0,
};

/** What previews and import records have in common. */
export type ImportReport = Pick<
  ImportRecord,
  | 'accounts'
  | 'counts'
  | 'totals'
  | 'first_date'
  | 'last_date'
  | 'detection'
  | 'mapping'
  | 'profile'
  | 'balance_proof'
  | 'warnings'
  | 'unmatched_categories'
>;

/** Ids of what the import created. */
export interface CreatedIds {
  connectionId: string | null;
  accountIds: ReadonlyMap<PlannedAccount, string>;
  /** The new connections of accounts whose own is disconnected or gone. */
  newHomeIds: ReadonlyMap<PlannedAccount, string>;
  bindings: readonly BindingChange[];
}

/** Describes a plan for previews and import records. */
export async function describePlan(
  tx: ReadTx,
  file: ReadFile,
  plan: Plan,
  createdIds: CreatedIds | null,
): Promise<ImportReport> {
  const { analysis } = file;
  const proof = await proofOf(tx, file, plan, createdIds);
  const { profile } = analysis;
  return {
    accounts: accountsOf(plan, createdIds),
    counts: countsOf(plan),
    totals: totalsOf(plan),
    first_date: analysis.first_date,
    last_date: analysis.last_date,
    detection: {
      ...copyOf(analysis.detection),
      account: accountDetection(plan),
    },
    mapping: copyOf(analysis.mapping) as ImportReport['mapping'],
    profile: profile && {
      source: profile.source,
      slug: profile.slug,
      name: profile.name,
      strength: profile.strength,
    },
    balance_proof: proof.record,
    warnings: warningsOf(file, plan, [...(await importedBefore(tx, file, plan)), ...proof.warnings]),
    unmatched_categories: unmatchedCategoriesOf(plan),
  };
}

/** The report of a file that was read and not planned yet: nothing is counted, no account is known. */
export function reportOfReading(file: ReadFile): ImportReport {
  const { analysis } = file;
  const account = { value: null, confidence: 'none' as const, evidence: [], candidates: [] };
  return {
    accounts: [],
    counts: { ...NO_COUNTS, total: analysis.total_rows },
    totals: [],
    first_date: analysis.first_date,
    last_date: analysis.last_date,
    detection: copyOf({ ...analysis.detection, account }),
    mapping: copyOf(analysis.mapping),
    profile: null,
    balance_proof: bareProof(file),
    warnings: analysis.warnings.map((one) => ({ ...one, lines: [...one.lines] })),
    unmatched_categories: [],
  };
}

async function importedBefore(tx: ReadTx, file: ReadFile, plan: Plan): Promise<ImportWarning[]> {
  const again = await alreadyImported(tx, plan.target, file.analysis, file.sha256);
  if (!again || again.error) return [];
  return [warning('FILE_ALREADY_IMPORTED', `This file was already imported (import ${again.importId}).`, [])];
}

/** Where the rows go and why; the candidates while that is an open question. */
function accountDetection({ accounts, target }: Plan): ImportReport['detection']['account'] {
  const [only] = accounts;
  if (!only || accounts.length > 1) {
    const known = accounts.flatMap((one) => (one.target.found.suggested ? one.target.found.evidence : []));
    return {
      value: null,
      confidence: 'none',
      evidence: known.length > 0 ? [...new Set(known)] : target.connectionId === null ? ['default'] : ['content'],
      candidates: [],
    };
  }
  const { account, found } = only.target;
  const isOpen = found.confidence === 'ambiguous';
  return {
    value: isOpen ? null : (account?.id ?? null),
    confidence: found.confidence,
    evidence: [...found.evidence],
    candidates: isOpen && target.conflict ? (candidatesOf(target.conflict)[0]?.values ?? []) : [],
  };
}

/** The number of records by outcome (36.9.4). */
function countsOf(plan: Plan): ImportCounts {
  const counts = { ...NO_COUNTS };
  let pending = 0;
  for (const planned of plan.rows) {
    counts[planned.outcome] += 1;
    if (planned.reason === 'PENDING' || (planned.outcome === 'added' && planned.pending)) pending += 1;
  }
  const removed = plan.accounts.reduce((sum, account) => sum + account.removed.length, 0);
  return { ...counts, total: plan.rows.length, removed, pending };
}

/** Totals of the added rows per currency, pending ones included. */
function totalsOf(plan: Plan): z.output<typeof Total>[] {
  const sums = new Map<string, { code: string | null; count: number; out: bigint; in: bigint }>();
  for (const planned of plan.rows) {
    const { currency, amountCents } = planned;
    if (planned.outcome !== 'added' || amountCents === null) continue;
    const key = currency ?? '\uffff';
    const sum = sums.get(key) ?? { code: currency, count: 0, out: 0n, in: 0n };
    sum.count += 1;
    if (amountCents > 0) sum.out += BigInt(amountCents);
    else sum.in -= BigInt(amountCents);
    sums.set(key, sum);
  }
  return [...sums]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([, sum]) => ({
      iso_currency_code: sum.code,
      transaction_count: sum.count,
      total_amount: formatCents(sum.out - sum.in),
      money_out: formatCents(sum.out),
      money_in: formatCents(sum.in),
    }));
}

function accountsOf(plan: Plan, createdIds: CreatedIds | null): ImportAccount[] {
  return plan.accounts.map((account) => {
    const { target, firstDate, lastDate } = account;
    const { account: existing, created, inFile } = target;
    return {
      file_value: target.shownValue,
      account_id: existing?.id ?? createdIds?.accountIds.get(account) ?? null,
      account_name: existing?.display_name ?? existing?.name ?? created?.name ?? '',
      connection_id: connectionOf(plan, account, createdIds),
      created: created !== null,
      suggested: target.found.suggested,
      iso_currency_code: existing?.iso_currency_code ?? created?.iso_currency_code ?? inFile.iso_currency_code,
      row_count: inFile.row_count,
      added_count: account.rows.filter(({ outcome }) => outcome === 'added').length,
      first_date: firstDate,
      last_date: lastDate,
      bank_ids: bankIdsOf(account),
    };
  });
}

/** Whether the ids of the file count in the account (36.7.1); null if it has none. */
function bankIdsOf({ rows, areIdsIgnored }: PlannedAccount): ImportAccount['bank_ids'] {
  if (areIdsIgnored) return 'ignored';
  return rows.some(({ bankId }) => bankId !== null) ? 'used' : null;
}

/** The account's connection after the import; null in a preview if it would be created. */
export function connectionOf(plan: Plan, account: PlannedAccount, createdIds: CreatedIds | null): string | null {
  const { account: existing, newHome } = account.target;
  if (newHome) return createdIds?.newHomeIds.get(account) ?? newHome.connectionId;
  return existing ? existing.connection_id : (createdIds?.connectionId ?? plan.target.connectionId);
}

/** Category texts of added rows that match no category, most frequent first. */
function unmatchedCategoriesOf(plan: Plan): { text: string; count: number }[] {
  const times = new Map<string, number>();
  for (const planned of plan.rows) {
    const text = isNew(planned) ? planned.category : null;
    if (text !== null && plan.categories(text) === null) times.set(text, (times.get(text) ?? 0) + 1);
  }
  return [...times]
    .map(([text, count]) => ({ text, count }))
    .sort((a, b) => b.count - a.count || compareCodePoints(a.text, b.text))
    .slice(0, CATEGORIES_NAMED);
}

/** The questions that an error asks, each with its possible answers. */
export function candidatesOf(error: AppError): {
  parameter: string | null;
  values: ImportReport['detection']['account']['candidates'];
}[] {
  return (error.extra.members?.['candidates'] ?? []) as ReturnType<typeof candidatesOf>;
}

type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** A mutable copy: results of the reader are readonly, parts of records are not. */
export function copyOf<T>(value: T): Mutable<T> {
  return structuredClone(value) as Mutable<T>;
}
