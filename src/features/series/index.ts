import { createSeries } from './create-series.ts';
import { deleteSeries } from './delete-series.ts';
import { getSeries } from './get-series.ts';
import { linkSeriesTransactions } from './link-series-transactions.ts';
import { listSeries } from './list-series.ts';
import { unlinkSeriesTransaction } from './unlink-series-transaction.ts';
import { updateSeries } from './update-series.ts';

export const handlers = [
  listSeries,
  getSeries,
  createSeries,
  updateSeries,
  deleteSeries,
  linkSeriesTransactions,
  unlinkSeriesTransaction,
];

export { findSeriesByName, makeSeries } from './make-series.ts';
export { findSeries } from './series.queries.ts';
export { undo } from './undo-series.ts';
