import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { changeReferring, countReferring, type Facets } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { countRulesNaming } from '../rules/index.ts';
import { deleteSeries as operation } from './series.contract.ts';
import { deleteSeriesRow, findSeries } from './series.queries.ts';
import { toSeries } from './series.table.ts';

export const deleteSeries = handleWrite(operation, 'series.delete', async ({ tx }, { params, query }) => {
  const row = await findSeries(tx, params.id);
  if (!row) throw notFound('The series was');
  await refuseInUse(tx, row.id, query.unlink);
  await changeReferring(tx, 'series_id', row.id, released);
  await deleteSeriesRow(tx, row.id);
  tx.journal.record({
    entityType: 'series',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'delete',
    before: toSeries(row),
    after: null,
    revertible: true,
  });
  tx.journal.summarise(`Deleted the series ${row.name}`);
  return null;
});

/** Whoever decided for the series decided nothing about the row without it, so the lock goes as well. */
function released(facets: Facets): Facets {
  return { ...facets, seriesId: null, locks: new Set([...facets.locks].filter((key) => key !== 'series')) };
}

async function refuseInUse(tx: ReadTx, id: string, mayUnlink: boolean): Promise<void> {
  const rules = await countRulesNaming(tx, id);
  if (rules > 0) {
    const what = rules === 1 ? '1 rule refers' : `${rules} rules refer`;
    throw new AppError('SERIES_IN_USE', `${what} to this series. Change or delete what refers to it first.`);
  }
  const members = mayUnlink ? 0 : await countReferring(tx, 'series_id', id);
  if (members === 0) return;
  const what = members === 1 ? '1 member' : `${members} members`;
  throw new AppError(
    'SERIES_IN_USE',
    `The series has ${what}, deleted transactions included. Send unlink=true to take them out of it.`,
  );
}
