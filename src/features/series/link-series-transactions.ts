import { notFound } from '../../kernel/errors.ts';
import { linkTransactions } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { seriesDetail } from './series-detail.ts';
import { linkSeriesTransactions as operation } from './series.contract.ts';
import { findSeries } from './series.queries.ts';

export const linkSeriesTransactions = handleWrite(
  operation,
  'series.link',
  async ({ tx, principal }, { params, body }) => {
    const row = await findSeries(tx, params.id);
    if (!row) throw notFound('The series was');
    const link = async () => {
      const to = { binding: 'series', id: row.id } as const;
      const linkResult = await linkTransactions({ tx, principal }, to, body.transaction_ids);
      const { linked } = linkResult;
      tx.journal.summarise(`Linked ${linked === 1 ? '1 transaction' : `${linked} transactions`} to ${row.name}`);
      return { ...(await seriesDetail(tx, row)), link_result: linkResult };
    };
    return body.dry_run ? tx.rehearse(link) : link();
  },
);
