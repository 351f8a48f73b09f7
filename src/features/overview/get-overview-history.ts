import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays, dayNumber, todayIn, type DateOnly } from '../../kernel/dates.ts';
import { invalidParameter, reversedRange, unknownId } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { findAccount } from '../accounts/index.ts';
import { householdZone } from '../config/index.ts';
import { handleRead } from '../handler.ts';
import { resolveUserIds } from '../users/index.ts';
import { selectDaySums, selectHeldAccounts, selectSnapshots } from './history.queries.ts';
import {
  inCurrencyOrder,
  pointsOf,
  reportedBalances,
  spansNeeded,
  toWorth,
  worthOver,
  type Interval,
} from './net-worth.ts';
import { getOverviewHistory as operation } from './overview.contract.ts';

const FIRST_DAY = '0001-01-01';
const DAYS_BY_DAY = 92;
const DAYS_BY_WEEK = 731;

export const getOverviewHistory = handleRead(operation, async ({ tx, instance }, { query }) => {
  const zone = await householdZone(tx);
  const today = todayIn(zone, instance.clock);
  const { from, to, interval } = rangeOf(query, today);
  const accounts = await selectHeldAccounts(tx, {
    ...(query.user_id ? { ownerIds: await resolveUserIds(tx, query.user_id, 'user_id') } : {}),
    ...(query.account_id ? { accountIds: await resolveAccountIds(tx, query.account_id) } : {}),
  });
  const points = pointsOf(from, to, interval);
  const snapshots = await selectSnapshots(tx, accounts, { from, to });
  const reported = reportedBalances(accounts, snapshots, today);
  const sums = await selectDaySums(tx, spansNeeded(reported, points));
  return {
    interval,
    date_from: from,
    date_to: to,
    series: inCurrencyOrder(worthOver(reported, sums, points)).map(([currency, line]) => ({
      iso_currency_code: currency,
      points: line.map((point) => ({ date: point.date, ...toWorth(point), derived: point.isDerived })),
    })),
  };
});

interface AskedRange {
  date_from?: DateOnly | undefined;
  date_to?: DateOnly | undefined;
  interval?: Interval | undefined;
}

/** @throws INVALID_PARAMETER */
function rangeOf(asked: AskedRange, today: DateOnly): { from: DateOnly; to: DateOnly; interval: Interval } {
  const to = asked.date_to ?? today;
  const from = asked.date_from ?? yearUpTo(to);
  if (from > to) {
    throw reversedRange(
      'date_from',
      asked.date_to === undefined ? `today, ${today}. Send date_to as well.` : 'date_to',
    );
  }
  const days = dayNumber(to) - dayNumber(from) + 1;
  if (days > LIMITS.historyDaysMax) {
    throw invalidParameter(
      'date_from',
      `date_from: must be at most ${LIMITS.historyDaysMax} days before the end; this range has ${days}.`,
    );
  }
  const usual = days <= DAYS_BY_DAY ? 'day' : days <= DAYS_BY_WEEK ? 'week' : 'month';
  return { from, to, interval: asked.interval ?? usual };
}

function yearUpTo(to: DateOnly): DateOnly {
  const from = dayNumber(to) - LIMITS.historyDaysDefault + 1;
  return from < dayNumber(FIRST_DAY) ? FIRST_DAY : addDays(to, 1 - LIMITS.historyDaysDefault);
}

/** @throws INVALID_PARAMETER for an id that no account has */
async function resolveAccountIds(tx: ReadTx, anyIds: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const anyId of anyIds) {
    const account = await findAccount(tx, anyId);
    if (!account) throw unknownId('account_id', 'account', anyId);
    ids.push(account.id);
  }
  return ids;
}
