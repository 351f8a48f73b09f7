import type { WriteTx } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  editorOf,
  loadFacets,
  resetCategory,
  setCategory,
  writeFacets,
  type Editor,
  type FacetEdit,
  type Facets,
} from '../facets/index.ts';
import { actorOf, handleWrite } from '../handler.ts';
import { openAutomatic, type Automatic, type AutomaticCategory } from './edits/automatic-category.ts';
import { chooseTransactions } from './edits/choose-transactions.ts';
import { withRenamedFields } from './filters/resolve-filters.ts';
import { resolveCategoryChoice } from './edits/resolve-references.ts';
import { countOf } from './edits/edit-transaction.ts';
import { bulkRecategorizeTransactions as operation, type Recategorized } from './transaction-bulk.contract.ts';

export const bulkRecategorizeTransactions = handleWrite(
  operation,
  'transactions.bulk_recategorize',
  async ({ tx, principal }, { body }) => {
    const { target_category_id: target, overwrite_manual: overwriteManual } = body;
    const targetId =
      target === null
        ? null
        : await withRenamedFields(
            () => 'target_category_id',
            () => resolveCategoryChoice(tx, { category_id: target }),
          );
    const ids = await chooseTransactions(tx, body);
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

interface Recategorization {
  matched: number;
  updated: number;
  unchanged: number;
  skipped_manual: number;
  cleared: number;
  by_source: { rule: number; provider: number; none: number; explicit: number };
  changes: Recategorized[];
}

interface Wish {
  /** The category to set by hand; null lets rules and provider decide. */
  targetId: string | null;
  editor: Editor;
  /** Whether to change also rows whose category somebody has set by hand. */
  overwriteManual: boolean;
}

/**
 * Sets or resets the category of these transactions (contract 10.6.4), in the order of the ids: in chunks, so that a
 * large ledger takes more time but not more memory.
 */
async function recategorize(tx: WriteTx, ids: readonly string[], wish: Wish): Promise<Recategorization> {
  const total: Recategorization = {
    matched: ids.length,
    updated: 0,
    unchanged: 0,
    skipped_manual: 0,
    cleared: 0,
    by_source: { rule: 0, provider: 0, none: 0, explicit: 0 },
    changes: [],
  };
  const automatic = wish.targetId === null ? await openAutomatic(tx) : null;
  const atOnce = tx.portable.rowsChangedAtOnce;
  for (let start = 0; start < ids.length; start += atOnce) {
    const some = ids.slice(start, start + atOnce);
    const known = await loadFacets(tx, some);
    const rows = some.map((id) => known.get(id)).filter((facets) => facets !== undefined);
    const open = wish.overwriteManual ? rows : rows.filter(({ locks }) => !locks.has('category'));
    const edits = (await decide(open, wish, automatic)).filter(({ before, after }) => before !== after);
    await writeFacets(tx, edits);
    total.skipped_manual += rows.length - open.length;
    total.unchanged += open.length - edits.length;
    for (const edit of edits) count(total, edit);
  }
  return total;
}

async function decide(
  rows: readonly Facets[],
  { targetId, editor }: Wish,
  automatic: Automatic | null,
): Promise<FacetEdit[]> {
  if (!automatic) return rows.map((before) => ({ before, after: setCategory(before, editor, targetId) }));
  const categories = await automatic(rows);
  return rows.map((before) => {
    const after = resetCategory(before, categories.get(before.id) as AutomaticCategory);
    const { categoryRuleId: ruleId } = after;
    if (after === before || ruleId === null) return { before, after };
    return { before, after, ruleOf: new Map([['category', ruleId]]), appliedBy: 'recategorize' };
  });
}

function count(total: Recategorization, { before, after }: FacetEdit): void {
  total.updated += 1;
  if (after.categoryId === null) total.cleared += 1;
  const { categorySource: source } = after;
  total.by_source[source === 'person' || source === 'agent' ? 'explicit' : (source ?? 'none')] += 1;
  if (total.changes.length >= LIMITS.bulkChangesListed) return;
  total.changes.push({
    transaction_id: after.id,
    from_category_id: before.categoryId,
    to_category_id: after.categoryId,
    category_source: source,
    rule_id: after.categoryRuleId,
  });
}
