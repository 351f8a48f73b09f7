import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { BalanceProof, BalanceResult } from '../../../engines/imports/analysis.ts';
import { causeOf } from '../../../engines/imports/proof/balance-cause.ts';
import { mayOwe } from '../../../engines/imports/proof/statement-proof.ts';
import { addDays, dayNumber } from '../../../kernel/dates.ts';
import { formatCents } from '../../../kernel/money.ts';
import { findAnchorBefore, hasAnchorWithin } from './balances.queries.ts';
import type { CreatedIds } from './describe-plan.ts';
import type { BalanceProofRecord, ImportWarning } from '../import-records.contract.ts';
import { warning } from './import-warnings.ts';
import { sumBetween } from './ledger.queries.ts';
import { accountOfResult, amountsBetween, isWithin, type Plan, type PlannedAccount } from './plan.ts';
import type { ReadFile } from '../doors/read-file.ts';
import type { Target } from '../target/target-account.ts';

/** Whether a file states only a closing balance, which earlier balances of the ledger could prove (36.6.1). */
export function mayUseAnchors(proof: BalanceProof, target: Target): boolean {
  return proof.results.some(isOnlyClosing) && [...target.accounts.values()].some((one) => one?.account);
}

/**
 * The proof with what the ledger adds (36.6.3): if a file states only its closing balance, the newest earlier balance of
 * an import plus every movement since must lead to it. Computed before the import writes anything.
 */
export async function provenByAnchors(
  tx: ReadTx,
  plan: Omit<Plan, 'proof'>,
  proof: BalanceProof,
): Promise<BalanceProof> {
  if (!mayUseAnchors(proof, plan.target)) {
    return {
      ...proof,
      results: proof.results.map((result) => inAccountCurrency(accountOfResult(plan, result), result)),
    };
  }
  const results: BalanceResult[] = [];
  for (const read of proof.results) {
    const account = accountOfResult(plan, read);
    const result = inAccountCurrency(account, read);
    results.push(account && isOnlyClosing(result) ? await anchored(tx, account, result) : result);
  }
  const has = (status: BalanceResult['status']): boolean => results.some((one) => one.status === status);
  return { ...proof, status: has('broken') ? 'broken' : has('proved') ? 'proved' : 'not_available', results };
}

/** A balance that runs over rows of several currencies is one of the account, in whichever most of these rows are. */
function inAccountCurrency(account: PlannedAccount | undefined, result: BalanceResult): BalanceResult {
  const code = account?.target.account?.iso_currency_code ?? null;
  return result.joins_currencies === true && code !== null ? { ...result, iso_currency_code: code } : result;
}

function isOnlyClosing({ status, opening_cents: opening, closings }: BalanceResult): boolean {
  return status === 'not_available' && opening === null && closings.length > 0;
}

async function anchored(tx: ReadTx, account: PlannedAccount, result: BalanceResult): Promise<BalanceResult> {
  const existing = account.target.account;
  const closing = result.closings.at(-1);
  const { iso_currency_code: currency } = result;
  const anchor = existing && closing ? await findAnchorBefore(tx, existing.id, currency, closing.date) : undefined;
  if (!existing || !closing || !anchor) return result;
  const span = { after: anchor.date, until: closing.date, currency };
  const stored = await sumBetween(tx, existing.id, currency, anchor.date, addDays(closing.date, 1));
  const moved = stored + amountsBetween(account, span);
  const readings = kindsOf(existing.type, result).map((kind) => {
    const read = { ...result, kind };
    const known = BigInt(senseOf(existing.type, read) * (anchor.balance_current_cents as number));
    return { read, expected: known + effectOf(read, moved) };
  });
  const found = BigInt(closing.balance_cents);
  const fitting = readings.find(({ expected }) => expected === found);
  const chosen = fitting ?? readings[0];
  if (!chosen) return result;
  const { read, expected } = chosen;
  const rows = account.rows.filter(
    (row) => !row.pending && row.currency === currency && row.date > span.after && row.date <= span.until,
  );
  const days = new Set(Array.from(rows, ({ date }) => date)).size;
  const checked = { method: 'anchors' as const, rows_checked: rows.length, days_checked: days };
  if (fitting) return { ...read, ...checked, status: 'proved', days_proved: days };
  if (result.closesLater) return result;
  const factor = read.kind === 'debt' ? 1 : -1;
  const link = { from: 0, at: rows.length - 1, expected: Number(expected), found: closing.balance_cents };
  const count = rows.length;
  const cause = causeOf(
    {
      count,
      lines: Int32Array.from(rows, ({ line }) => line),
      days: Int32Array.from(rows, ({ date }) => dayNumber(date)),
      effects: Float64Array.from(rows, ({ amountCents }) => factor * amountCents + 0),
      balances: new Float64Array(count).fill(Number.NaN),
    },
    Int32Array.from({ length: count }, (_, i) => i),
    new Float64Array(count).fill(Number.NaN),
    link,
  );
  return {
    ...read,
    ...checked,
    status: 'broken',
    break_count: 1,
    first_break: {
      line: null,
      date: closing.date,
      expected_cents: link.expected,
      found_cents: link.found,
      difference_cents: link.found - link.expected,
      likely_cause: cause.cause,
      suspect_lines: cause.cause === 'missing_row' ? [] : cause.lines,
    },
  };
}

/** A single balance of a card or loan does not say whether it counts what is owed; the ledger does. */
function kindsOf(accountType: string, { kind }: BalanceResult): BalanceResult['kind'][] {
  return mayOwe(accountType) ? [kind, kind === 'debt' ? 'asset' : 'debt'] : [kind];
}

type ResultRecord = BalanceProofRecord['results'][number];
type Continuity = ResultRecord['continuity'];

export interface Proof {
  record: BalanceProofRecord;
  warnings: ImportWarning[];
}

/** The proof as records show it, with its continuity and the difference to the ledger (36.6.5). */
export async function proofOf(tx: ReadTx, file: ReadFile, plan: Plan, createdIds: CreatedIds | null): Promise<Proof> {
  const { proof } = plan;
  const results: ResultRecord[] = [];
  const warnings: ImportWarning[] = [];
  if (proof.status === 'broken' && file.analysis.balance_proof.status !== 'broken') {
    const message =
      'The rows of the account do not add up to the closing balance of the file. The file was imported anyway, as you asked.';
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
      const message = `This file does not start where the last one ended. Rows that add up to ${continuity.difference} are missing between the two. Import a file that covers those days.`;
      if (!warnings.some(({ code }) => code === 'GAP_BEFORE_FILE'))
        warnings.push(warning('GAP_BEFORE_FILE', message, []));
    }
    if (difference !== null && difference !== 0n && !warnings.some(({ code }) => code === 'LEDGER_DIFFERS')) {
      const message = `The rows of the account and the closing balance of the file differ by ${formatCents(difference)}. A row was deleted, or the account has a row that the bank does not.`;
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

/** The balance proof without the ledger, for errors and for records of imports that are not planned yet. */
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
  const between = await sumBetween(tx, existing.id, countedIn(result), before.date, first);
  const difference = BigInt(opening) - (previous + effectOf(result, between));
  return {
    status: difference === 0n ? 'linked' : 'gap',
    previous_import_id: before.import_id,
    previous_date: before.date,
    previous_balance: formatCents(previous),
    difference: formatCents(difference),
  };
}

/** The currency of the rows that move a balance; undefined for any. */
function countedIn({ iso_currency_code: currency, joins_currencies: isAny }: BalanceResult): string | null | undefined {
  return isAny === true ? undefined : currency;
}

/** The closing balance minus the one that the ledger, with this import, makes from the opening balance. */
function ledgerDifference(account: PlannedAccount, result: BalanceResult): bigint | null {
  const { opening_cents: opening, closing_cents: closing, first_date: first, last_date: last } = result;
  if (opening === null || closing === null || first === null || last === null) return null;
  const span = { after: addDays(first, -1), until: last, currency: countedIn(result) };
  const stored = account.ledger.filter((row) => row.state === 'live' && isWithin(row, span));
  let known = 0n;
  for (const { amountCents } of stored) known += BigInt(amountCents);
  return BigInt(closing) - (BigInt(opening) + effectOf(result, known + amountsBetween(account, span)));
}

/** The effect of amounts on a balance: money out lowers what is owned and raises what is owed. */
export function effectOf(result: Pick<BalanceResult, 'kind'>, amount: bigint): bigint {
  return result.kind === 'debt' ? amount : -amount;
}

/** 1 if the file prints balances as they are stored, −1 if it prints what is owed as a negative number. */
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
