import type { ReadTx } from '../../db/unit-of-work.ts';
import type { BalanceProof, BalanceResult } from '../../engines/imports/analysis.ts';
import { causeOf } from '../../engines/imports/balance-cause.ts';
import { mayOwe } from '../../engines/imports/statement-proof.ts';
import { addDays, dayNumber } from '../../kernel/dates.ts';
import { findAnchorBefore } from './balances.queries.ts';
import { sumBetween } from './ledger.queries.ts';
import { accountOfResult, amountsBetween, type Plan, type PlannedAccount } from './plan-import.ts';
import { effectOf, senseOf } from './proof-record.ts';
import type { Target } from './target-account.ts';

/** Whether a file only closes, so that the ledger's earlier balances could prove it (36.6.1). */
export function mayUseAnchors(proof: BalanceProof, target: Target): boolean {
  return proof.results.some(isOnlyClosing) && [...target.accounts.values()].some((one) => one?.account);
}

/**
 * The proof with what the ledger adds to it (36.6.3): where a file only closes, the newest balance that an import left
 * before, and every movement since, must lead to its closing balance. Asked before anything of the import is written.
 */
export async function provenByAnchors(
  tx: ReadTx,
  plan: Omit<Plan, 'proof'>,
  proof: BalanceProof,
): Promise<BalanceProof> {
  if (!mayUseAnchors(proof, plan.target)) return proof;
  const results: BalanceResult[] = [];
  for (const result of proof.results) {
    const account = accountOfResult(plan, result);
    results.push(account && isOnlyClosing(result) ? await anchored(tx, account, result) : result);
  }
  const has = (status: BalanceResult['status']): boolean => results.some((one) => one.status === status);
  return { ...proof, status: has('broken') ? 'broken' : has('proved') ? 'proved' : 'not_available', results };
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
  const days = new Set(rows.map(({ date }) => date)).size;
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

/** A single balance of an account that may owe does not say whether it counts what is owed; the ledger does. */
function kindsOf(accountType: string, { kind }: BalanceResult): BalanceResult['kind'][] {
  return mayOwe(accountType) ? [kind, kind === 'debt' ? 'asset' : 'debt'] : [kind];
}
