import { z } from 'zod';

import { DateOnly, Money } from '../../../contract/common.ts';

import { getSeries, listSeries as operation, SeriesDetail, SeriesType } from '../../series/series.contract.ts';
import { seriesOutlooks, type Outlook } from '../../series/index.ts';
import { listTransactions } from '../../transactions/transactions.contract.ts';
import { refuseBeside } from '../parts/argument-pairs.ts';
import { callOperation } from '../call-operation.ts';
import { COMPACT_FIELDS, compactTransaction, ListedTransaction } from '../parts/compact-transaction.ts';
import { defineReadTool } from '../tool.ts';

/** How many of the newest transactions one series is shown with. */
const NEWEST = 20;

export const listSeries = defineReadTool({
  name: 'list_series',
  title: 'List recurring series',
  description:
    'Subscriptions, bills and loans, next payment first (next_date: last_date plus the usual interval). A price rise ' +
    'shows as a last_amount above previous_amount. With series_id: that series with its 20 newest transactions.',
  scope: 'read_only',
  weight: 'heavy',
  input: { search: z.string().optional(), type: SeriesType.optional(), series_id: z.string().optional() },
  output: {
    series: z.array(
      SeriesDetail.partial().extend({
        previous_amount: Money.nullish(),
        next_date: DateOnly.nullish(),
        transactions: z.array(ListedTransaction).optional(),
      }),
    ),
  },
  operations: ['listSeries', 'getSeries', 'listTransactions'],
  examples: [
    { arguments: { type: 'subscription' }, says: 'Which subscriptions are there, and did any go up in price?' },
  ],
  run: async (context, { series_id: id, ...filters }) => {
    if (id !== undefined) {
      refuseBeside('series_id', { series_id: id, ...filters }, ['search', 'type']);
      const series = await callOperation(context, getSeries, { params: { id } });
      const query = { series_id: series.id, limit: NEWEST, fields: COMPACT_FIELDS };
      const { transactions } = await callOperation(context, listTransactions, { query });
      const outlooks = await seriesOutlooks(context.tx, [series.id]);
      return {
        series: [{ ...series, ...outlooks.get(series.id), transactions: transactions.map(compactTransaction) }],
      };
    }
    const { series } = await callOperation(context, operation, { query: filters });
    const outlooks = await seriesOutlooks(
      context.tx,
      series.map(({ id: one }) => one),
    );
    return { series: series.map((one) => ({ ...one, ...(outlooks.get(one.id) as Outlook) })).sort(byNextDate) };
  },
});

/** The next first; those that nobody expects come last. The sort keeps the order by name among equals. */
function byNextDate({ next_date: a }: Outlook, { next_date: b }: Outlook): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
}
