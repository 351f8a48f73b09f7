import type { WriteTx } from '../../../journal/write.ts';
import { AppError } from '../../../kernel/errors.ts';
import { getLiveTransactions } from '../../facets/index.ts';
import { idsOfMatches } from '../filters/index-choice.queries.ts';
import { filtersOfBody, NO_FILTERS, resolveFilters, withRenamedFields } from '../filters/resolve-filters.ts';
import { selectGroups } from '../totals/totals.queries.ts';
import { totalsOf, type TotalRecord } from '../totals/totals.ts';
import type { Selection } from '../transaction-bulk.contract.ts';
import { idsAmong, selectNewestFirst } from '../transactions.queries.ts';
import { countOf } from './edit-transaction.ts';

/**
 * UUIDs of the transactions that a bulk write selects, newest first.
 * @throws INVALID_PARAMETER, and CONFLICT if the caller expects another number of them
 */
export async function chooseTransactions(tx: WriteTx, selection: Selection): Promise<string[]> {
  const ids = await select(tx, selection);
  const { expected_count: expected } = selection;
  if (expected === undefined || expected === ids.length) return ids;
  throw new AppError(
    'CONFLICT',
    `${countOf(ids.length)} matched, but expected_count is ${expected}. Nothing was changed. Check the selection and send it again.`,
  );
}

async function select(tx: WriteTx, { filter, transaction_ids: anyIds }: Selection): Promise<string[]> {
  if (anyIds) {
    const transactions = await getLiveTransactions(tx, anyIds);
    return selectNewestFirst(
      tx,
      transactions.map(({ id }) => id),
    );
  }
  if (!filter) return idsOfMatches(tx, { deleted: false });
  return withRenamedFields(
    (path) => `filter.${path}`,
    async () => idsOfMatches(tx, await resolveFilters(tx, filtersOfBody(filter), 'include')),
  );
}

/** The totals of those of the chosen transactions that count in totals, as `count` gives them (contract 10.5.3). */
export async function totalsOfChosen(
  tx: WriteTx,
  { filter, transaction_ids: listed }: Selection,
  ids: readonly string[],
): Promise<TotalRecord[]> {
  const filters = filter ? filtersOfBody(filter) : NO_FILTERS;
  const among = listed ? { idSets: [{ ids: idsAmong(tx, ids), isIn: true }] } : {};
  const counting = { ...(await resolveFilters(tx, filters, 'exclude')), ...among };
  return totalsOf(await selectGroups(tx, counting, { includePending: false }, ['iso_currency_code']));
}
