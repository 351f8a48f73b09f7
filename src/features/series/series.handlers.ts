import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { changeReferring, countReferring, linkTransactions, unlinkTransaction, type Facets } from '../facets/index.ts';
import { handleRead, handleWrite } from '../handler.ts';
import { countRulesNaming } from '../rules/index.ts';
import { readSeries, seriesDetail, seriesDetails, toPrice } from './read-series.ts';
import * as contract from './series.contract.ts';
import { makeSeries, refuseTakenName, selectSeries, series, toSeries } from './series.entity.ts';

export const listSeries = handleRead(contract.listSeries, async ({ tx, instance }, { query }) => {
  const part = fold(query.search ?? '');
  const found = (await selectSeries(tx, query.type)).filter((row) => row.name_folded.includes(part));
  return { series: query.detail ? await seriesDetails(tx, instance.clock, found) : found.map(toSeries) };
});

export const getSeries = handleRead(contract.getSeries, async ({ tx, instance }, { params }) =>
  seriesDetail(tx, instance.clock, await getRow(tx, params.id)),
);

export const listSeriesPrices = handleRead(contract.listSeriesPrices, async ({ tx, instance }, { params }) => {
  const { id } = await getRow(tx, params.id);
  const reading = (await readSeries(tx, instance.clock, [id])).get(id);
  return { prices: (reading?.steps ?? []).map(toPrice) };
});

export const createSeries = handleWrite(
  contract.createSeries,
  'series.create',
  async ({ tx, principal, instance }, { body }) => {
    const row = await makeSeries(tx, body);
    tx.journal.summarise(`Created the series ${row.name}`);
    if (!body.transaction_ids) return seriesDetail(tx, instance.clock, row);
    const linkResult = await linkTransactions({ tx, principal }, bindingOf(row), body.transaction_ids);
    return { ...(await seriesDetail(tx, instance.clock, row)), link_result: linkResult };
  },
);

export const updateSeries = handleWrite(
  contract.updateSeries,
  'series.update',
  async ({ tx, instance }, { params, body }) => {
    const row = await getRow(tx, params.id);
    if (body.name !== undefined) await refuseTakenName(tx, body.name, row.id);
    const changed = await series.change(tx, row, body);
    tx.journal.summarise(`Changed the series ${changed.name}`);
    return seriesDetail(tx, instance.clock, changed);
  },
);

export const deleteSeries = handleWrite(contract.deleteSeries, 'series.delete', async ({ tx }, { params, query }) => {
  const row = await getRow(tx, params.id);
  await refuseInUse(tx, row.id, query.unlink);
  await changeReferring(tx, 'series_id', row.id, withoutSeries);
  await series.remove(tx, row);
  tx.journal.summarise(`Deleted the series ${row.name}`);
  return null;
});

export const linkSeriesTransactions = handleWrite(
  contract.linkSeriesTransactions,
  'series.link',
  async ({ tx, principal, instance }, { params, body }) => {
    const row = await getRow(tx, params.id);
    const link = async () => {
      const linkResult = await linkTransactions({ tx, principal }, bindingOf(row), body.transaction_ids);
      const { linked } = linkResult;
      tx.journal.summarise(`Linked ${linked === 1 ? '1 transaction' : `${linked} transactions`} to ${row.name}`);
      return { ...(await seriesDetail(tx, instance.clock, row)), link_result: linkResult };
    };
    return body.dry_run ? tx.rehearse(link) : link();
  },
);

export const unlinkSeriesTransaction = handleWrite(
  contract.unlinkSeriesTransaction,
  'series.unlink',
  async ({ tx, principal, instance }, { params }) => {
    const row = await getRow(tx, params.id);
    await unlinkTransaction({ tx, principal }, bindingOf(row), params.txid);
    tx.journal.summarise(`Unlinked a transaction from ${row.name}`);
    return seriesDetail(tx, instance.clock, row);
  },
);

/** @throws NOT_FOUND */
async function getRow(tx: ReadTx, anyId: string): Promise<SeriesTable> {
  const row = await series.find(tx, anyId);
  if (!row) throw notFound('series');
  return row;
}

function bindingOf({ id }: SeriesTable): { binding: 'series'; id: string } {
  return { binding: 'series', id };
}

/** The lock goes too: whoever chose this series made no decision about having none. */
function withoutSeries(facets: Facets): Facets {
  return { ...facets, seriesId: null, locks: new Set([...facets.locks].filter((key) => key !== 'series')) };
}

/** @throws SERIES_IN_USE */
async function refuseInUse(tx: ReadTx, id: string, mayUnlink: boolean): Promise<void> {
  const rules = await countRulesNaming(tx, id);
  if (rules > 0) {
    const [what, them] = rules === 1 ? ['1 rule refers', 'it'] : [`${rules} rules refer`, 'them'];
    throw new AppError('SERIES_IN_USE', `${what} to this series. Change or delete ${them} first.`);
  }
  const members = mayUnlink ? 0 : await countReferring(tx, 'series_id', id);
  if (members === 0) return;
  const what = members === 1 ? '1 transaction' : `${members} transactions`;
  throw new AppError(
    'SERIES_IN_USE',
    `The series has ${what}, counting deleted ones. Send unlink=true to remove ${members === 1 ? 'it' : 'them'} from it.`,
  );
}
