import type { AccountProof } from '../../../db/schema.ts';
import type { BalanceResult } from '../../../engines/imports/analysis.ts';
import { formatCents } from '../../../kernel/money.ts';
import type { BalanceProofRecord } from '../import-records.contract.ts';
import type { CreatedIds } from '../plan/describe-plan.ts';
import { senseOf } from '../plan/ledger-proof.ts';
import { accountOfResult, type Plan, type PlannedAccount } from '../plan/plan.ts';

/** What the balance proof of an import says of an account (contract 80.2.1), by UUID; only where it says anything. */
export function proofsOfAccounts(
  plan: Plan,
  { accountIds }: CreatedIds,
  { results: records }: BalanceProofRecord,
): Map<string, AccountProof> {
  const proofs = new Map<string, AccountProof>();
  const known = plan.proof.results.flatMap((result) => {
    const account = accountOfResult(plan, result);
    return account ? [{ result, account }] : [];
  });
  for (const [at, { result, account }] of known.entries()) {
    const accountId = accountIds.get(account);
    const date = result.closings.at(-1)?.date ?? result.first_break?.date ?? result.last_date;
    if (accountId === undefined || date === null || result.status === 'not_available') continue;
    const proof = toProof(plan, account, result, date);
    // What was missing in between cannot come later if the sum was right from the beginning.
    if (records[at]?.ledger_difference === '0.00') proof.gap = null;
    const other = proofs.get(accountId);
    if (!other || isNewer(proof, other)) proofs.set(accountId, proof);
  }
  return proofs;
}

/** Of two currencies, the one with the newest balance; on one day, the one that is broken. */
function isNewer(one: AccountProof, other: AccountProof): boolean {
  return one.date === other.date ? one.status === 'differs' : one.date > other.date;
}

function toProof(plan: Plan, { target }: PlannedAccount, result: BalanceResult, date: string): AccountProof {
  const type = target.account?.type ?? target.created?.type ?? 'depository';
  const sense = senseOf(type, result);
  const closing = result.method === 'anchors' ? result.closings.at(-1)?.balance_cents : result.closing_cents;
  const isBroken = result.status === 'broken';
  const opening = result.opening_cents;
  const isRepairable = result.method === 'anchors' || (opening !== null && result.first_date !== null);
  return {
    status: isBroken ? 'differs' : 'agrees',
    date,
    iso_currency_code: plan.currencyIn(target.account, result.iso_currency_code),
    difference: isBroken && result.first_break ? formatCents(result.first_break.difference_cents) : null,
    gap:
      isBroken && isRepairable && typeof closing === 'number'
        ? {
            first_date: result.method === 'anchors' ? null : result.first_date,
            last_date: result.method === 'anchors' ? date : (result.last_date ?? date),
            opening_cents: result.method === 'anchors' || opening === null ? null : sense * opening,
            closing_cents: sense * closing,
            factor: sense * (result.kind === 'debt' ? 1 : -1) === 1 ? 1 : -1,
          }
        : null,
  };
}
