import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { editorOf } from '../facets/index.ts';
import { actorOf, handleWrite } from '../handler.ts';
import { filtersOfBody, named } from './filters-of-body.ts';
import { recategorize, type Recategorization } from './recategorize.ts';
import { resolveCategoryChoice } from './resolve-category.ts';
import { resolveFilters } from './resolve-filters.ts';
import { idsOfMatches } from './matches.queries.ts';
import { countOf, liveTransactions } from './selected-transactions.ts';
import { bulkRecategorizeTransactions as operation } from './transaction-bulk.contract.ts';
import { selectNewestFirst } from './transaction-bulk.queries.ts';
import type { BodyFilter } from './body-filter.contract.ts';

export const bulkRecategorizeTransactions = handleWrite(
  operation,
  'transactions.bulk_recategorize',
  async ({ tx, principal }, { body }) => {
    const { target_category_id: target, overwrite_manual: overwriteManual, expected_count: expected } = body;
    const targetId =
      target === null
        ? null
        : await named(
            () => 'target_category_id',
            () => resolveCategoryChoice(tx, { category_id: target }),
          );
    const ids = await select(tx, body);
    if (expected !== undefined && expected !== ids.length) {
      throw new AppError(
        'CONFLICT',
        `${countOf(ids.length)} matched, not ${expected} as expected. Look at them again; nothing was changed.`,
      );
    }
    const editor = editorOf(actorOf(principal));
    const run = (): Promise<Recategorization> => recategorize(tx, ids, { targetId, editor, overwriteManual });
    const done = await (body.dry_run ? tx.rehearse(run) : run());
    if (targetId === null) tx.journal.refine({ source: 'rule' });
    tx.journal.summarise(`${targetId === null ? 'Recategorized' : 'Set the category of'} ${countOf(done.updated)}`);
    return {
      ...done,
      changes_truncated: done.updated > done.changes.length,
      dry_run: body.dry_run,
      change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
    };
  },
);

/** UUIDs of what the body selects, newest transaction first. @throws INVALID_PARAMETER */
async function select(
  tx: WriteTx,
  body: { filter?: BodyFilter | undefined; transaction_ids?: string[] | undefined },
): Promise<string[]> {
  const { filter, transaction_ids: anyIds } = body;
  if (anyIds) {
    const transactions = await liveTransactions(tx, anyIds);
    return selectNewestFirst(
      tx,
      transactions.map(({ id }) => id),
    );
  }
  if (!filter) return idsOfMatches(tx, { deleted: false });
  return named(
    (path) => `filter.${path}`,
    async () => idsOfMatches(tx, await resolveFilters(tx, filtersOfBody(filter), 'include')),
  );
}
