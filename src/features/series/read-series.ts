import type { z } from 'zod';

import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { priceSteps, type PriceStep } from '../../engines/recurring/prices.ts';
import { rhythmOf, statusOn, type Rhythm, type SeriesStatus } from '../../engines/recurring/rhythm.ts';
import type { Clock } from '../../kernel/clock.ts';
import { dayIn, todayIn, type DateOnly } from '../../kernel/dates.ts';
import { formatCents, percentText, type Cents } from '../../kernel/money.ts';
import { householdZone } from '../config/index.ts';
import { selectAccountDays, selectMembers, type SeriesMember } from './series-members.queries.ts';
import type { Price, SeriesDetail } from './series.contract.ts';
import { toSeries } from './series.entity.ts';

/** What the transactions of a series say of it (contract 10.11). */
export interface SeriesReading {
  transactionCount: number;
  rhythm: Rhythm<SeriesMember>;
  status: SeriesStatus;
  steps: readonly PriceStep[];
}

/** Many series at once, by UUID: as many statements as for one. */
export async function readSeries(
  tx: ReadTx,
  clock: Clock,
  ids: readonly string[],
): Promise<Map<string, SeriesReading>> {
  const members = Map.groupBy(await selectMembers(tx, ids), ({ seriesId }) => seriesId);
  const rhythms = ids.map((id) => {
    const rows = members.get(id) ?? [];
    const rhythm = rhythmOf(rows.filter(({ isPending }) => !isPending));
    return { id, rhythm, transactionCount: rows.length, steps: priceSteps(rhythm) };
  });
  const known = await lastDaysKnown(tx, clock, new Set(rhythms.flatMap(({ rhythm }) => rhythm.last?.accountId ?? [])));
  return new Map(
    rhythms.map(({ id, ...reading }) => {
      const day = known.get(reading.rhythm.last?.accountId ?? '') ?? '';
      return [id, { ...reading, status: statusOn(reading.rhythm, day) }];
    }),
  );
}

/** The newest day on which a row of each account would be known; of a bank, the day of its last successful sync. */
async function lastDaysKnown(tx: ReadTx, clock: Clock, accounts: ReadonlySet<string>): Promise<Map<string, DateOnly>> {
  const zone = await householdZone(tx);
  const today = todayIn(zone, clock);
  const days = await selectAccountDays(tx, [...accounts]);
  return new Map(
    days.map(({ account_id: id, newest_date: newest, last_sync_at: syncedAt }) => {
      const synced = syncedAt === null ? '' : dayIn(zone, Date.parse(syncedAt));
      const known = (newest ?? '') > synced ? (newest ?? '') : synced;
      return [id, known < today ? known : today];
    }),
  );
}

type Detail = z.output<typeof SeriesDetail>;

/** The single record: a series with what its transactions say. */
export async function seriesDetail(tx: ReadTx, clock: Clock, row: SeriesTable): Promise<Detail> {
  const [detail] = await seriesDetails(tx, clock, [row]);
  return detail as Detail;
}

/** Single records of many series. */
export async function seriesDetails(tx: ReadTx, clock: Clock, rows: readonly SeriesTable[]): Promise<Detail[]> {
  const readings = await readSeries(
    tx,
    clock,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...toSeries(row), ...readingFields(readings.get(row.id) as SeriesReading) }));
}

type ReadingFields = Omit<Detail, keyof ReturnType<typeof toSeries>>;

export function readingFields({ rhythm, status, transactionCount }: SeriesReading): ReadingFields {
  const { last, yearlyCents } = rhythm;
  return {
    transaction_count: transactionCount,
    direction: rhythm.direction,
    last_date: last?.date ?? null,
    last_amount: last && formatCents(last.cents),
    last_iso_currency_code: last?.currency ?? null,
    typical_interval_days: rhythm.typicalIntervalDays,
    cadence: rhythm.cadence,
    next_expected_date: rhythm.nextExpectedDate,
    status,
    amount_kind: rhythm.amountKind,
    yearly_cost: status === 'ended' ? null : moneyOrNull(yearlyCents),
  };
}

export function toPrice(step: PriceStep): z.output<typeof Price> {
  const change = step.before === null ? null : step.cents - step.before;
  return {
    from: step.from,
    amount: formatCents(step.cents),
    iso_currency_code: step.currency,
    change: moneyOrNull(change),
    percent: change === null ? null : percentText(change, step.before as Cents),
    yearly_effect: moneyOrNull(step.yearlyEffectCents),
    confirmed: step.confirmed,
    transaction_id: step.transactionId,
  };
}

function moneyOrNull(cents: Cents | null): string | null {
  return cents === null ? null : formatCents(cents);
}
