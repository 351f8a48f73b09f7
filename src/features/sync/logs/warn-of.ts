import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { FetchOutcome } from '../../../providers/provider.ts';
import { getAccounts, type AccountFeed } from '../accounts/account-feeds.queries.ts';
import type { AttachedAccount } from '../accounts/attach-accounts.ts';
import type { CollapsedDelivery } from '../fetch/collapse-delivery.ts';
import type { AccountWork } from '../rows/plan-sync.ts';
import type { SyncTally } from './sync-tally.ts';
import type { SyncWarnings } from './sync-warnings.ts';

type Attached = ReadonlyMap<string, AttachedAccount>;

function nameOf({ account }: Pick<AttachedAccount, 'account'>): string {
  return account.display_name ?? account.name;
}

interface AccountsSeen {
  outcome: FetchOutcome;
  attached: Attached;
  /** Accounts that the provider no longer lists. */
  missing: readonly AccountFeed[];
  /** External ids of accounts that could be several known ones. */
  ambiguous: ReadonlySet<string>;
}

/** What the account list and the fetch said about accounts (contract 30.7.5). */
export async function warnOfAccounts(
  tx: ReadTx,
  warnings: SyncWarnings,
  { outcome, attached, missing, ambiguous }: AccountsSeen,
): Promise<void> {
  if (outcome.isPositionReset) {
    warnings.add('cursor_reset', 'The bank no longer knew where the last sync ended, so everything was read again.');
  }
  if (outcome.hasNoTransactions === true) {
    const message = 'No account of this login has transactions. Only accounts and balances are read.';
    warnings.add('transactions_not_supported', message);
  }
  const problems = [...outcome.problems, ...(outcome.state?.problems ?? [])].filter(({ scope }) => scope === 'account');
  for (const externalId of new Set(problems.map(({ externalAccountId }) => externalAccountId))) {
    const one = attached.get(externalId ?? '');
    const name = one ? nameOf(one) : 'An account';
    const message = `${name} could not be read. The next sync will try again from the same point.`;
    warnings.add('account_failed', message, { account_id: one?.account.id ?? null, external_id: externalId });
  }
  for (const [externalId, one] of attached) {
    const about = { account_id: one.account.id, external_id: externalId };
    if (one.reported?.isClosed) {
      warnings.add('account_closed', `${nameOf(one)} is closed. Its transactions are kept.`, about);
    }
    if (one.isAmbiguous || ambiguous.has(externalId)) {
      const message = `${nameOf(one)} resembles several known accounts, so a new account was created.`;
      warnings.add('account_ambiguous', message, about);
    }
  }
  const names = await getAccounts(
    tx,
    missing.map(({ account_id: id }) => id),
  );
  for (const { account_id: id, external_account_id: externalId } of missing) {
    const account = names.get(id);
    const name = account?.display_name ?? account?.name ?? 'An account';
    const message = `The bank no longer reports ${name}. Its transactions are kept.`;
    warnings.add('account_missing', message, { account_id: id, external_id: externalId });
  }
  warnOfBalances(warnings, outcome, attached);
}

function warnOfBalances(warnings: SyncWarnings, { state, withoutBalance }: FetchOutcome, attached: Attached): void {
  if (state === null) {
    warnings.add(
      'balances_failed',
      'The accounts and their balances could not be read. The last known values are kept.',
    );
  }
  for (const externalId of withoutBalance) {
    const one = attached.get(externalId);
    const message = `The balance of ${one ? nameOf(one) : 'an account'} could not be read. The last known balance is kept.`;
    warnings.add('balances_failed', message, { account_id: one?.account.id ?? null, external_id: externalId });
  }
}

/** Rows that could not be read, and amounts that were rounded. */
export function warnOfRows(
  warnings: SyncWarnings,
  tally: SyncTally,
  attached: Attached,
  { rows, unreadable }: CollapsedDelivery,
): void {
  for (const { externalId, externalAccountId, problem } of unreadable) {
    const one = attached.get(externalAccountId ?? '');
    if (one) tally.of(one).skipped += 1;
    else tally.homelessSkipped += 1;
    const message = `A transaction was skipped: ${problem}. Once it can be read, a full sync will add it.`;
    warnings.add('row_skipped', message, { account_id: one?.account.id ?? null, external_id: externalId });
  }
  for (const [externalAccountId, ofAccount] of rows) {
    const one = attached.get(externalAccountId);
    const count = ofAccount.filter(({ isRounded }) => isRounded).length;
    if (!one || count === 0) continue;
    const message = `Amounts in ${nameOf(one)} with more than two decimal places were rounded.`;
    warnings.add('amount_rounded', message, { account_id: one.account.id, external_id: externalAccountId, count });
  }
}

/** Removals that are too many to be plausible. */
export function warnOfPlans(warnings: SyncWarnings, works: readonly AccountWork[]): void {
  for (const { attached, plan } of works) {
    if (plan.heldBackCount === 0) continue;
    const { account, feed } = attached;
    const message =
      `The bank no longer lists ${plan.heldBackCount} transactions of ${nameOf(attached)}. That is too many to be ` +
      'plausible, so they were kept.';
    const about = { account_id: account.id, external_id: feed.external_account_id, count: plan.heldBackCount };
    warnings.add('removals_held_back', message, about);
  }
}
