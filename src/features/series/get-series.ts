import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { seriesDetail } from './series-detail.ts';
import { getSeries as operation } from './series.contract.ts';
import { findSeries } from './series.queries.ts';

export const getSeries = handleRead(operation, async ({ tx }, { params }) => {
  const row = await findSeries(tx, params.id);
  if (!row) throw notFound('The series was');
  return seriesDetail(tx, row);
});
