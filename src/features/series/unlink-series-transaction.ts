import { notFound } from '../../kernel/errors.ts';
import { unlinkTransaction } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { seriesDetail } from './series-detail.ts';
import { unlinkSeriesTransaction as operation } from './series.contract.ts';
import { findSeries } from './series.queries.ts';

export const unlinkSeriesTransaction = handleWrite(
  operation,
  'series.unlink',
  async ({ tx, principal }, { params }) => {
    const row = await findSeries(tx, params.id);
    if (!row) throw notFound('The series was');
    await unlinkTransaction({ tx, principal }, { binding: 'series', id: row.id }, params.txid);
    tx.journal.summarise(`Took a transaction out of the series ${row.name}`);
    return seriesDetail(tx, row);
  },
);
