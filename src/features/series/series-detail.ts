import type { z } from 'zod';

import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { addDays, dayNumber, type DateOnly } from '../../kernel/dates.ts';
import { formatCents } from '../../kernel/money.ts';
import { countLiveReferring } from '../facets/index.ts';
import type { SeriesDetail } from './series.contract.ts';
import { toSeries } from './series.entity.ts';
import { findNewestMember, findPreviousAmount, selectNewestDates } from './series.queries.ts';

/** How many of the newest intervals count. */
const INTERVALS = 24;

/** The single record: a series with what its transactions show (contract 10.11). */
export async function seriesDetail(tx: ReadTx, row: SeriesTable): Promise<z.output<typeof SeriesDetail>> {
  return { ...toSeries(row), ...(await seriesFigures(tx, row.id)) };
}

type Figures = Omit<z.output<typeof SeriesDetail>, keyof ReturnType<typeof toSeries>>;

/** What the transactions of a series show. */
export async function seriesFigures(tx: ReadTx, id: string): Promise<Figures> {
  const newest = await findNewestMember(tx, id, { withPending: true });
  const posted = await findNewestMember(tx, id, { withPending: false });
  return {
    transaction_count: await countLiveReferring(tx, 'series_id', id),
    last_date: newest?.date ?? null,
    last_amount: posted ? formatCents(posted.amount_cents) : null,
    last_iso_currency_code: posted?.iso_currency_code ?? null,
    typical_interval_days: typicalInterval(await selectNewestDates(tx, id, INTERVALS + 1)),
  };
}

interface Outlook extends Figures {
  /** Amount of the posted transaction before the newest one, in the same currency. */
  previous_amount: string | null;
  /** When the next transaction is to be expected. */
  next_date: DateOnly | null;
}

/** How a series went on lately, and when it goes on (contract 70.3). */
export async function seriesOutlook(tx: ReadTx, id: string): Promise<Outlook> {
  const figures = await seriesFigures(tx, id);
  const { last_amount: last, last_iso_currency_code: currency, last_date: date, typical_interval_days: days } = figures;
  const previous = last === null ? undefined : await findPreviousAmount(tx, id, currency);
  return {
    ...figures,
    previous_amount: previous === undefined ? null : formatCents(previous),
    next_date: date === null || days === null ? null : addDays(date, days),
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
