import { linkTransactions } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { makeSeries } from './make-series.ts';
import { seriesDetail } from './series-detail.ts';
import { createSeries as operation } from './series.contract.ts';

export const createSeries = handleWrite(operation, 'series.create', async ({ tx, principal }, { body }) => {
  const row = await makeSeries(tx, body);
  tx.journal.summarise(`Started the series ${row.name}`);
  if (!body.transaction_ids) return seriesDetail(tx, row);
  const to = { binding: 'series', id: row.id } as const;
  const linkResult = await linkTransactions({ tx, principal }, to, body.transaction_ids);
  return { ...(await seriesDetail(tx, row)), link_result: linkResult };
});
