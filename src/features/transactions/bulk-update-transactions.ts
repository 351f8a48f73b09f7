import type { WriteTx } from '../../journal/write.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { insertComments } from '../comments/index.ts';
import {
  blankFacets,
  changesByWriter,
  editorOf,
  loadFacets,
  memberNames,
  writeFacets,
  type FacetEdit,
  type Facets,
} from '../facets/index.ts';
import { actorOf, handleWrite, type Principal } from '../handler.ts';
import { findOrMakeTags } from '../tags/index.ts';
import { openAutomatic, type AutomaticCategory } from './edits/automatic-category.ts';
import { chooseTransactions, totalsOfChosen } from './edits/choose-transactions.ts';
import { countOf } from './edits/edit-transaction.ts';
import { findReferences } from './edits/resolve-references.ts';
import { applyOperation } from './edits/update-operation.ts';
import { withRenamedFields } from './filters/resolve-filters.ts';
import { bulkUpdateTransactions as operation, type Actions, type BulkChange } from './transaction-bulk.contract.ts';

export const bulkUpdateTransactions = handleWrite(
  operation,
  'transactions.bulk_update',
  async ({ tx, principal }, { body }) => {
    const { deleted = false, ...actions } = body.changes;
    const ids = await chooseTransactions(tx, body);
    if (ids.length > LIMITS.bulkUpdateTransactions) throw tooMany(ids.length, body.filter ? 'filter' : 'all');
    // Of the rows as they are now: the change may move them out of the filter, or delete them.
    const totals = await totalsOfChosen(tx, body, ids);
    const run = () => withRenamedFields(inChanges, () => update(tx, principal, ids, deleted ? 'delete' : actions));
    const done = await (body.dry_run ? tx.rehearse(run) : run());
    tx.journal.summarise(`${deleted ? 'Deleted' : 'Updated'} ${countOf(done.updated)}`);
    return {
      matched: ids.length,
      updated: done.updated,
      unchanged: ids.length - done.updated,
      totals,
      changes: done.changes,
      changes_truncated: done.updated > done.changes.length,
      dry_run: body.dry_run,
      change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
    };
  },
);

function tooMany(count: number, selector: string): AppError {
  const most = LIMITS.bulkUpdateTransactions;
  return validationError(
    selector,
    `${selector}: ${countOf(count)} matched; at most ${most} can be changed at once. Select fewer.`,
  );
}

function inChanges(path: string): string {
  return `changes.${path}`;
}

interface Updated {
  updated: number;
  changes: BulkChange[];
}

/** Changes these transactions all in the same way, in chunks, so that many take more time but not more memory. */
async function update(
  tx: WriteTx,
  principal: Principal | null,
  ids: readonly string[],
  wish: Actions | 'delete',
): Promise<Updated> {
  const total: Updated = { updated: 0, changes: [] };
  const decide = wish === 'delete' ? deletion(tx, principal) : await edits(tx, principal, wish, ids.length > 0);
  const comment = wish === 'delete' ? undefined : wish.comment;
  const author = actorOf(principal);
  const atOnce = tx.portable.rowsChangedAtOnce;
  for (let start = 0; start < ids.length; start += atOnce) {
    const some = ids.slice(start, start + atOnce);
    const known = await loadFacets(tx, some);
    const rows = some.map((id) => known.get(id)).filter((facets) => facets !== undefined);
    const decided = await decide(rows);
    await writeFacets(tx, decided);
    if (comment !== undefined) {
      await insertComments(
        tx,
        rows.map(({ id: transactionId }) => ({ transactionId, body: comment, author })),
      );
    }
    const changed = comment === undefined ? decided.filter(({ before, after }) => before !== after) : decided;
    total.updated += changed.length;
    const room = LIMITS.bulkChangesListed - total.changes.length;
    total.changes.push(...(await listed(tx, changed.slice(0, room), comment)));
  }
  return total;
}

type Decide = (rows: readonly Facets[]) => Promise<FacetEdit[]>;

function deletion({ now }: WriteTx, principal: Principal | null): Decide {
  const { word: deletedCause } = editorOf(actorOf(principal));
  return async (rows) => rows.map((before) => ({ before, after: { ...before, deletedAt: now, deletedCause } }));
}

/** @throws INVALID_PARAMETER, VALIDATION_ERROR for what is wrong on any row, even if there is none */
async function edits(tx: WriteTx, principal: Principal | null, actions: Actions, makesTags: boolean): Promise<Decide> {
  const references = await findReferences(tx, [actions]);
  const circumstances = { editor: editorOf(actorOf(principal)), references, now: tx.now };
  const apply = (before: Facets, automatic?: AutomaticCategory): Facets =>
    applyOperation(before, actions, { ...circumstances, automatic });
  apply(blankFacets);
  if (makesTags) await findOrMakeTags(tx, [...new Set((actions.tags_to_add ?? []).map(references.tagToAdd))]);
  const automatic = actions.reset_category === true ? await openAutomatic(tx) : null;
  return async (rows) => {
    const categories = await automatic?.(rows);
    return rows.map((before) => {
      try {
        return { before, after: apply(before, categories?.get(before.id)) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw new AppError(error.code, `${error.message} (transaction ${before.shortId})`, error.extra);
      }
    });
  };
}

/** What changed on each row, under the names of the journal. */
async function listed(tx: WriteTx, changed: readonly FacetEdit[], comment: string | undefined): Promise<BulkChange[]> {
  const members = await memberNames(tx, changed);
  const added = comment === undefined ? {} : { comment };
  return changed.map((edit) => {
    const [change] = changesByWriter(edit, members);
    const { before = {}, after = {} } = change ?? {};
    return { transaction_id: edit.after.id, before, after: { ...after, ...added } };
  });
}
