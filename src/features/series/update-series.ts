import { difference } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { handleWrite } from '../handler.ts';
import { refuseTakenName } from './make-series.ts';
import { seriesDetail } from './series-detail.ts';
import { updateSeries as operation } from './series.contract.ts';
import { findSeries, updateSeriesRow } from './series.queries.ts';

export const updateSeries = handleWrite(operation, 'series.update', async ({ tx }, { params, body }) => {
  const row = await findSeries(tx, params.id);
  if (!row) throw notFound('The series was');
  const wanted = { name: body.name ?? row.name, type: body.type ?? row.type };
  const changed = difference({ ...row }, wanted);
  if (!changed) return seriesDetail(tx, row);
  await refuseTakenName(tx, wanted.name, row.id);
  const set = { ...wanted, name_folded: fold(wanted.name), updated_at: tx.now };
  await updateSeriesRow(tx, row.id, set);
  tx.journal.record({
    entityType: 'series',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'update',
    ...changed,
    revertible: true,
  });
  tx.journal.summarise(`Changed the series ${wanted.name}`);
  return seriesDetail(tx, { ...row, ...set });
});
