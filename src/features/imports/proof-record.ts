import type { ReadTx } from '../../db/unit-of-work.ts';
import type { BalanceResult } from '../../engines/imports/analysis.ts';
import { mayOwe } from '../../engines/imports/statement-proof.ts';
import { addDays } from '../../kernel/dates.ts';
import { formatCents } from '../../kernel/money.ts';
import { findAnchorBefore, hasAnchorWithin } from './balances.queries.ts';
import type { BalanceProofRecord, ImportWarning } from './import-records.contract.ts';
import { sumBetween } from './ledger.queries.ts';
import { accountOfResult, amountsBetween, isWithin, type Plan, type PlannedAccount } from './plan-import.ts';
import { warning, type CreatedIds } from './plan-summary.ts';
import type { ReadFile } from './read-file.ts';

type ResultRecord = BalanceProofRecord['results'][number];
type Continuity = ResultRecord['continuity'];

export interface Proof {
  record: BalanceProofRecord;
  warnings: ImportWarning[];
}

/** The balance proof with what the ledger adds to it: continuity with the past and the ledger's difference (36.6.5). */
export async function proofOf(tx: ReadTx, file: ReadFile, plan: Plan, createdIds: CreatedIds | null): Promise<Proof> {
  const { proof } = plan;
  const results: ResultRecord[] = [];
  const warnings: ImportWarning[] = [];
  if (proof.status === 'broken' && file.analysis.balance_proof.status !== 'broken') {
    const message =
      'The rows of the account do not add up to the closing balance of the file. It is imported anyway, as you asked.';
    if (file.fields.accept_unproved) warnings.push(warning('PROOF_OVERRIDDEN', message, []));
  }
  for (const result of proof.results) {
    const account = accountOfResult(plan, result);
    if (!account) continue;
    const continuity = await continuityOf(tx, account, result);
    const difference = ledgerDifference(account, result);
    const accountId = account.target.account?.id ?? createdIds?.accountIds.get(account) ?? null;
    results.push(toRecord(accountId, result, continuity, difference));
    if (result.is_kind_assumed && result.method === 'none') warnings.push(kindAssumed(result));
    if (continuity.status === 'gap') {
      const message = `This file does not start where the last one ended. Rows that add up to ${continuity.difference} are missing in between. Import a file that covers those days.`;
      if (!warnings.some(({ code }) => code === 'GAP_BEFORE_FILE'))
        warnings.push(warning('GAP_BEFORE_FILE', message, []));
    }
    if (difference !== null && difference !== 0n && !warnings.some(({ code }) => code === 'LEDGER_DIFFERS')) {
      const message = `The rows of the account and the closing balance of the file differ by ${formatCents(difference)}. A row was deleted, or the account has one that the bank does not.`;
      warnings.push(warning('LEDGER_DIFFERS', message, []));
    }
  }
  return { record: { status: proof.status, proves_with: [...proof.proves_with], results }, warnings };
}

function kindAssumed({ kind, closings }: BalanceResult): ImportWarning {
  const stated = closings.findLast(({ balance_cents: cents }) => cents !== 0);
  const cents = stated?.balance_cents ?? 0;
  const taken = cents > 0 === (kind === 'debt') ? 'owed to the bank' : 'yours';
  const message = `The file does not say whether the balance ${formatCents(cents)} on ${stated?.date} is owed to the bank or is yours. We assumed that it is ${taken}. If that is wrong, correct the balance of the account.`;
  return warning('DEFAULT_ASSUMED', message, []);
}

/** A balance proof without the ledger, for an error that must be answered before anything is looked up. */
export function bareProof({ proof }: Pick<ReadFile, 'proof'>): BalanceProofRecord {
  const unknown: Continuity = {
    status: 'not_available',
    previous_import_id: null,
    previous_date: null,
    previous_balance: null,
    difference: null,
  };
  return {
    status: proof.status,
    proves_with: [...proof.proves_with],
    results: proof.results.map((result) => toRecord(null, result, unknown, null)),
  };
}

async function continuityOf(tx: ReadTx, account: PlannedAccount, result: BalanceResult): Promise<Continuity> {
  const base = { previous_import_id: null, previous_date: null, previous_balance: null, difference: null };
  const existing = account.target.account;
  const { opening_cents: opening, first_date: first, last_date: last, iso_currency_code: currency } = result;
  if (opening === null || first === null || last === null) return { status: 'not_available', ...base };
  const before = existing ? await findAnchorBefore(tx, existing.id, currency, first) : undefined;
  if (!existing || !before) {
    const overlaps = existing ? await hasAnchorWithin(tx, existing.id, currency, first, last) : false;
    return { status: overlaps ? 'overlap' : 'first', ...base };
  }
  const sense = senseOf(existing.type, result);
  const previous = BigInt(sense * (before.balance_current_cents as number));
  const between = await sumBetween(tx, existing.id, currency, before.date, first);
  const difference = BigInt(opening) - (previous + effectOf(result, between));
  return {
    status: difference === 0n ? 'linked' : 'gap',
    previous_import_id: before.import_id,
    previous_date: before.date,
    previous_balance: formatCents(previous),
    difference: formatCents(difference),
  };
}

/** Closing balance minus what the ledger makes of the opening one, this import included. */
function ledgerDifference(account: PlannedAccount, result: BalanceResult): bigint | null {
  const { opening_cents: opening, closing_cents: closing, first_date: first, last_date: last } = result;
  if (opening === null || closing === null || first === null || last === null) return null;
  const span = { after: addDays(first, -1), until: last, currency: result.iso_currency_code };
  const stored = account.ledger.filter((row) => row.state === 'live' && isWithin(row, span));
  const known = stored.reduce((sum, row) => sum + BigInt(row.amountCents), 0n);
  return BigInt(closing) - (BigInt(opening) + effectOf(result, known + amountsBetween(account, span)));
}

/** What amounts do to a balance: money out lowers what is owned and raises what is owed. */
export function effectOf(result: Pick<BalanceResult, 'kind'>, amount: bigint): bigint {
  return result.kind === 'debt' ? amount : -amount;
}

/** 1 where the file prints balances as they are stored, −1 where it prints what is owed as a negative number. */
export function senseOf(accountType: string, result: Pick<BalanceResult, 'kind'>): 1 | -1 {
  return mayOwe(accountType) && result.kind === 'asset' ? -1 : 1;
}

function toRecord(
  accountId: string | null,
  result: BalanceResult,
  continuity: Continuity,
  difference: bigint | null,
): ResultRecord {
  const money = (cents: number | null): string | null => (cents === null ? null : formatCents(cents));
  const { first_break: first } = result;
  return {
    account_id: accountId,
    iso_currency_code: result.iso_currency_code,
    status: result.status,
    method: result.method,
    balance_is: result.balance_is,
    kind: result.kind,
    first_date: result.first_date,
    last_date: result.last_date,
    opening_balance: money(result.opening_cents),
    closing_balance: money(result.closing_cents),
    rows_checked: result.rows_checked,
    rows_total: result.rows_total,
    days_checked: result.days_checked,
    days_proved: result.days_proved,
    break_count: result.break_count,
    first_break: first && {
      line: first.line,
      date: first.date,
      expected: formatCents(first.expected_cents),
      found: formatCents(first.found_cents),
      difference: formatCents(first.difference_cents),
      likely_cause: first.likely_cause,
      suspect_lines: [...first.suspect_lines],
    },
    continuity,
    ledger_difference: difference === null ? null : formatCents(difference),
  };
}
