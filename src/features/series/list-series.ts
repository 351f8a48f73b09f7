import { fold } from '../../kernel/fold.ts';
import { handleRead } from '../handler.ts';
import { listSeries as operation } from './series.contract.ts';
import { selectSeries } from './series.queries.ts';
import { toSeries } from './series.table.ts';

export const listSeries = handleRead(operation, async ({ tx }, { query }) => {
  const part = fold(query.search ?? '');
  const rows = await selectSeries(tx, query.type);
  return { series: rows.filter((row) => row.name_folded.includes(part)).map(toSeries) };
});
