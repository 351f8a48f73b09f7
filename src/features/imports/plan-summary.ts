import type { z } from 'zod';

import type { Total } from '../../contract/common.ts';
import { formatCents } from '../../kernel/money.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import type { ImportAccount, ImportCounts, ImportWarning } from './import-records.contract.ts';
import type { ExchangedBinding } from './exchange-binding.ts';
import { isNew, type Plan, type PlannedAccount } from './plan-import.ts';
import type { ReadFile } from './read-file.ts';

const LINES_NAMED = 20;
const CATEGORIES_NAMED = 100;

/** How many records end how (36.9.4). */
export function countsOf(plan: Plan): ImportCounts {
  const counts = { added: 0, updated: 0, duplicate: 0, deleted: 0, skipped: 0, invalid: 0 };
  let pending = 0;
  for (const planned of plan.rows) {
    counts[planned.outcome] += 1;
    if (planned.reason === 'PENDING' || (planned.outcome === 'added' && planned.pending)) pending += 1;
  }
  const removed = plan.accounts.reduce((sum, account) => sum + account.removed.length, 0);
  return { total: plan.rows.length, ...counts, removed, pending };
}

/** Totals of the added rows per currency, pending ones included. */
export function totalsOf(plan: Plan): z.output<typeof Total>[] {
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

/** Ids that the writing transaction gave to what it created. */
export interface CreatedIds {
  connectionId: string | null;
  accountIds: ReadonlyMap<PlannedAccount, string>;
  /** Connections to which accounts moved whose own is disconnected or gone. */
  homeIds: ReadonlyMap<PlannedAccount, string>;
  bindings: readonly ExchangedBinding[];
}

export function accountsOf(plan: Plan, createdIds: CreatedIds | null): ImportAccount[] {
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
      added_count: account.rows.reduce((sum, planned) => sum + (planned.outcome === 'added' ? 1 : 0), 0),
      first_date: firstDate,
      last_date: lastDate,
    };
  });
}

/** Where the account is after the import; null in a preview for a connection that would be made. */
export function connectionOf(plan: Plan, account: PlannedAccount, createdIds: CreatedIds | null): string | null {
  const { account: existing, home } = account.target;
  if (home) return createdIds?.homeIds.get(account) ?? home.connectionId;
  return existing ? existing.connection_id : (createdIds?.connectionId ?? plan.target.connectionId);
}

/** Category texts of added rows that mean no category, most frequent first. */
export function unmatchedCategoriesOf(plan: Plan): { text: string; count: number }[] {
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

/** The warnings of the reading, and those that only the ledger gives rise to. Each code stands once. */
export function warningsOf(file: ReadFile, plan: Plan, others: readonly ImportWarning[]): ImportWarning[] {
  const { notes } = plan;
  const found: ImportWarning[] = file.analysis.warnings.map(({ code, message, lines }) =>
    warning(code, message, lines),
  );
  const linesWith = (matches: (planned: Plan['rows'][number]) => boolean): number[] => {
    const lines: number[] = [];
    for (const planned of plan.rows) {
      if (lines.length < LINES_NAMED && matches(planned)) lines.push(planned.line);
    }
    return lines;
  };
  const add = (code: string, message: string, lines: readonly number[]): void => {
    if (lines.length > 0 && !found.some((one) => one.code === code)) found.push(warning(code, message, lines));
  };
  add(
    'BANK_ID_REUSED',
    'The bank used the same number for two different transactions. These rows were compared by date, amount and text instead.',
    notes.reusedBankIds,
  );
  add(
    'BANK_ID_NOT_UNIQUE',
    'Some rows have the same bank number. They were compared by date, amount and text instead.',
    notes.sharedBankIds,
  );
  add('TEXT_CUT', 'Some texts were too long and were cut.', notes.cutTexts);
  add(
    'PROBABLE_DUPLICATES',
    'Some rows look like rows you already have from another file or the bank, and were not added. If any are different, choose to add them.',
    linesWith((planned) => planned.match === 'probable' && planned.outcome === 'duplicate'),
  );
  return [...found, ...others, ...targetWarnings(plan)];
}

/** What was assumed of where the rows go. */
function targetWarnings({ accounts, target: { leftOut } }: Plan): ImportWarning[] {
  const warnings: ImportWarning[] = [];
  const assumed = accounts.flatMap(({ target: { found, account } }) =>
    found.confidence === 'assumed' && account ? [`${account.display_name ?? account.name} (${account.short_id})`] : [],
  );
  const said = [];
  if (assumed.length > 0) {
    said.push(
      `Earlier files with these columns belonged to ${assumed.join(', ')}, so we assumed this one does too. If not, choose another account.`,
    );
  }
  if (leftOut.length > 0) {
    const values = leftOut.map((value) => `"${value}"`).join(', ');
    said.push(
      `The rows of ${values} were left out, as in the earlier import of this file. To import them too, choose an account for them.`,
    );
  }
  if (said.length > 0) warnings.push(warning('ACCOUNT_ASSUMED', said.join(' '), []));
  if (accounts.some(({ target }) => target.created !== null && target.found.isKnownFormat)) {
    const message = 'Earlier files with these columns belong to other accounts. This one goes into a new account.';
    warnings.push(warning('NEW_ACCOUNT_FOR_KNOWN_FORMAT', message, []));
  }
  return warnings;
}

export function warning(code: string, message: string, lines: readonly number[]): ImportWarning {
  return { code, message, lines: lines.slice(0, LINES_NAMED) };
}
