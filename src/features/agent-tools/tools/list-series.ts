import { z } from 'zod';

import { addMonths, todayIn, type DateOnly } from '../../../kernel/dates.ts';
import { householdZone } from '../../config/index.ts';
import type { ReadContext } from '../../handler.ts';
import { readingFields, readSeries, toPrice, type SeriesReading } from '../../series/index.ts';
import { getSeries, Price, SeriesDetail, SeriesType } from '../../series/series.contract.ts';
import { listTransactions } from '../../transactions/transactions.contract.ts';
import { refuseBeside } from '../parts/argument-pairs.ts';
import { COMPACT_FIELDS, compactTransaction, ListedTransaction } from '../parts/compact-transaction.ts';
import { seriesOfHousehold, YearlyTotal, yearlyTotals, type HouseholdSeries } from '../parts/series-of-household.ts';
import { callOperation } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

/** How many of the newest transactions one series is shown with. */
const NEWEST = 20;
const MONTHS_OF_PRICES = 12;

const ListedSeries = SeriesDetail.extend({
  prices: z.array(Price),
  transactions: z.array(ListedTransaction).optional(),
});

export const listSeries = defineReadTool({
  name: 'list_series',
  title: 'List recurring series',
  description:
    'Subscriptions, bills and loans with their rhythm, next_expected_date, yearly_cost and the prices of the last 12 months; late ' +
    'ones first, then the next to be paid. status: current (active and late), ended or all. direction: out is money out. ' +
    'yearly_totals add up yearly_cost per currency and direction. With series_id: that series with its 20 newest transactions. ' +
    'audit_bills tells what changed.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    search: z.string().optional(),
    type: SeriesType.optional(),
    direction: z.enum(['out', 'in']).optional(),
    status: z.enum(['current', 'ended', 'all']).optional(),
    series_id: z.string().optional(),
  },
  output: { series: z.array(ListedSeries), yearly_totals: z.array(YearlyTotal) },
  operations: ['listSeries', 'getSeries', 'listSeriesPrices', 'listTransactions'],
  examples: [
    { arguments: { type: 'subscription' }, says: 'Which subscriptions are there, and what do they cost?' },
    { arguments: { direction: 'out' }, says: 'Which bills come next?' },
  ],
  run: async (context, input) => {
    const { tx, instance } = context;
    const since = addMonths(todayIn(await householdZone(tx), instance.clock), -MONTHS_OF_PRICES);
    const { series_id: id, direction, status = 'current', ...filters } = input;
    if (id !== undefined) {
      refuseBeside('series_id', input, ['search', 'type', 'direction', 'status']);
      const one = await singleSeries(context, id);
      const query = { series_id: one.id, limit: NEWEST, fields: COMPACT_FIELDS };
      const { transactions } = await callOperation(context, listTransactions, { query });
      const shown = { ...shownSeries(one, since), transactions: transactions.map(compactTransaction) };
      return { series: [shown], yearly_totals: yearlyTotals([one]) };
    }
    const all = await seriesOfHousehold(context, filters);
    const wanted = all.filter(({ reading }) => {
      if (direction !== undefined && reading.rhythm.direction !== direction) return false;
      return status === 'all' || (reading.status === 'ended') === (status === 'ended');
    });
    wanted.sort(byUrgency);
    return { series: wanted.map((one) => shownSeries(one, since)), yearly_totals: yearlyTotals(wanted) };
  },
});

/** @throws NOT_FOUND */
async function singleSeries(context: ReadContext, id: string): Promise<HouseholdSeries> {
  const found = await callOperation(context, getSeries, { params: { id } });
  const readings = await readSeries(context.tx, context.instance.clock, [found.id]);
  return { ...found, reading: readings.get(found.id) as SeriesReading };
}

/** With the prices since then, and the one that was in force. */
function shownSeries({ reading, ...series }: HouseholdSeries, since: DateOnly): Record<string, unknown> {
  const { id, short_id, name, type, created_at, updated_at } = series;
  const first = reading.steps.findLastIndex(({ from }) => from < since);
  const prices = reading.steps.slice(Math.max(0, first)).map(toPrice);
  return { id, short_id, name, type, created_at, updated_at, ...readingFields(reading), prices };
}

/** Late ones first, then the next to be expected; those that nobody expects last. Equals keep the order by name. */
function byUrgency({ reading: a }: HouseholdSeries, { reading: b }: HouseholdSeries): number {
  if ((a.status === 'late') !== (b.status === 'late')) return a.status === 'late' ? -1 : 1;
  const [one, other] = [a.rhythm.nextExpectedDate, b.rhythm.nextExpectedDate];
  if (one === other) return 0;
  if (one === null) return 1;
  return other === null || one < other ? -1 : 1;
}
