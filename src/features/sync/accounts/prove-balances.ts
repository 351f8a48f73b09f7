import type { FeedBalanceCheck } from '../../../db/schema.ts';
import type { BareWriteTx } from '../../../db/unit-of-work.ts';
import {
  checkBalance,
  type BalanceAnchor,
  type BalanceCheck,
  type BalanceMemory,
} from '../../../engines/sync/balance-check.ts';
import { dayIn, type DateOnly } from '../../../kernel/dates.ts';
import { formatCents } from '../../../kernel/money.ts';
import { householdZone } from '../../config/index.ts';
import type { BalanceCheckRecord, SyncTally } from '../logs/sync-tally.ts';
import type { SyncWarnings } from '../logs/sync-warnings.ts';
import { putFeed, type AccountFeed } from './account-feeds.queries.ts';
import type { AttachedAccount } from './attach-accounts.ts';
import { sumsOfSource } from './balances.queries.ts';
import { dayOf } from './store-balances.ts';

interface Proving {
  readonly syncLogId: string;
  readonly isHistoryComplete: boolean;
  readonly tally: SyncTally;
  readonly warnings: SyncWarnings;
}

/** Compares each reported balance with the rows (contract 30.10). It changes no row and stops no sync. */
export async function proveBalances(
  tx: BareWriteTx,
  attached: Iterable<AttachedAccount>,
  { syncLogId, isHistoryComplete, tally, warnings }: Proving,
): Promise<void> {
  const zone = await householdZone(tx);
  for (const one of attached) {
    const { account, feed, reported } = one;
    if (!reported) continue;
    const counts = tally.of(one);
    const currentCents = reported.balance?.currentCents ?? null;
    counts.balanceReported = reported.balance !== null;
    const currency = reported.balance?.currency ?? account.iso_currency_code;
    counts.currency = currency;
    const source = feed.external_account_id;
    const sums = currentCents === null ? NO_SUMS : await sumsOfSource(tx, account.id, { source, currency });
    const check = checkBalance(
      {
        now: tx.now,
        source,
        type: account.type,
        currency,
        currentCents,
        postedCents: sums.posted,
        pendingCents: sums.pending,
        isHistoryComplete,
      },
      memoryOf(feed),
    );
    counts.balanceCheck = toRecord(check);
    if (check.isWarningDue && check.since !== null) {
      const since = dayIn(zone, Date.parse(check.since));
      warn(warnings, one, { difference: [counts.balanceCheck.difference, currency].join(' ').trim(), since });
    }
    const balance = reported.balance && {
      date: dayOf(tx, reported.balance, zone),
      iso_currency_code: currency,
      sync_log_id: syncLogId,
      at: tx.now,
    };
    await putFeed(tx, { ...feed, ...columnsOf(check, { ...counts.balanceCheck, balance }) });
  }
}

const NO_SUMS = { posted: 0, pending: 0 };

function memoryOf({ anchor, differs_since: since, differs_count: count }: AccountFeed): BalanceMemory {
  return {
    anchor: anchor === null ? null : (JSON.parse(anchor) as BalanceAnchor),
    differsSince: since,
    differsCount: count,
  };
}

function toRecord({ status, differenceCents, since }: BalanceCheck): BalanceCheckRecord {
  return { status, difference: differenceCents === null ? null : formatCents(differenceCents), since };
}

function columnsOf({ memory }: BalanceCheck, record: FeedBalanceCheck) {
  return {
    anchor: memory.anchor === null ? null : JSON.stringify(memory.anchor),
    differs_since: memory.differsSince,
    differs_count: memory.differsCount,
    balance_check: JSON.stringify(record),
  };
}

function warn(
  warnings: SyncWarnings,
  { account }: AttachedAccount,
  { difference, since }: { difference: string; since: DateOnly },
): void {
  const name = account.display_name ?? account.name;
  warnings.add(
    'balance_differs',
    `The balance of ${name} and its transactions have differed by ${difference} since ${since}. ` +
      'To find what is missing, run a full sync or import a bank file for those days.',
    { account_id: account.id },
  );
}
