import type { z } from 'zod';

import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { dayNumber, type DateOnly } from '../../kernel/dates.ts';
import { formatCents } from '../../kernel/money.ts';
import { countLiveReferring } from '../facets/index.ts';
import type { SeriesDetail } from './series.contract.ts';
import { toSeries } from './series.entity.ts';
import { findNewestMember, selectNewestDates } from './series.queries.ts';

/** How many of the newest intervals count. */
export const INTERVALS = 24;

/** The single record: a series with what its transactions show (contract 10.11). */
export async function seriesDetail(tx: ReadTx, row: SeriesTable): Promise<z.output<typeof SeriesDetail>> {
  const newest = await findNewestMember(tx, row.id, { withPending: true });
  const posted = await findNewestMember(tx, row.id, { withPending: false });
  return {
    ...toSeries(row),
    transaction_count: await countLiveReferring(tx, 'series_id', row.id),
    last_date: newest?.date ?? null,
    last_amount: posted ? formatCents(posted.amount_cents) : null,
    last_iso_currency_code: posted?.iso_currency_code ?? null,
    typical_interval_days: typicalInterval(await selectNewestDates(tx, row.id, INTERVALS + 1)),
  };
}

/**
 * Median of the days between consecutive distinct dates, over the newest 24 intervals; the lower one of two medians.
 * Null for fewer than two intervals.
 */
export function typicalInterval(newestFirst: readonly DateOnly[]): number | null {
  const days = newestFirst.slice(0, INTERVALS + 1).map(dayNumber);
  const intervals = days.slice(1).map((day, index) => (days[index] as number) - day);
  if (intervals.length < 2) return null;
  intervals.sort((a, b) => a - b);
  return intervals[Math.floor((intervals.length - 1) / 2)] as number;
}
