import { shortIdsFor } from '../../db/short-ids.ts';
import type { CategoriesTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, validationError, type ErrorDetail } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { selectCategories } from './categories.queries.ts';
import { readRows } from './category-file-row.ts';
import { importCategories as operation } from './category-moves.contract.ts';
import { parseTsv } from './category-tsv.ts';
import { countUses, isInUse, tellUses } from './category-uses.ts';
import { planCategoryImport, type CategoryPlan } from './plan-category-import.ts';
import { addCategories, changeCategories, removeCategory } from './write-category.ts';

export const importCategories = handleWrite(operation, 'category.import', async ({ tx }, { query, body }) => {
  const isDry = body.dry_run === true || query.dry_run === true;
  const plan = await readPlan(tx, body.content, body.replace === true || query.replace === true);
  const carryOut = async () => carryOutPlan(tx, plan);
  const updated = isDry ? await tx.rehearse(carryOut) : await carryOut();
  const counts = {
    created: plan.added.length,
    updated,
    unchanged: plan.known.length - (updated - plan.alongWith.length),
    deleted: plan.deleted.length,
  };
  const isWritten = !tx.journal.isEmpty();
  if (isWritten) {
    const { created, deleted } = counts;
    tx.journal.summarise(`Imported categories: ${created} new, ${updated} changed, ${deleted} deleted`);
  }
  return { ...counts, dry_run: isDry, change_set_id: isWritten ? tx.journal.changeSetId : null };
});

/** @throws VALIDATION_ERROR with one detail per error */
async function readPlan(tx: WriteTx, content: string, replaces: boolean): Promise<CategoryPlan> {
  const text = parseTsv(content);
  const { read: rows, slugs, problems: wrongCells } = readRows(text.rows);
  if (text.problems.length === 0 && replaces && text.rows.length === 0) {
    throw validationError('content', 'With replace, a text without a single category would delete all of your own.');
  }
  const existing = await selectCategories(tx);
  const plan = planCategoryImport(existing, { rows, slugs, replaces }, (slug) => blankCategory(tx, slug));
  refuse([...text.problems, ...wrongCells, ...plan.problems]);
  await refuseUsed(tx, existing, plan);
  const shortIds = await shortIdsFor(tx, 'categories', plan.added.length);
  for (const [index, row] of plan.added.entries()) row.short_id = shortIds[index] as string;
  return plan;
}

function blankCategory(tx: WriteTx, slug: string): CategoriesTable {
  return {
    id: tx.ids.uuid(),
    short_id: '',
    slug,
    name: '',
    name_folded: '',
    parent_id: null,
    kind: 'expense',
    is_archived: 0,
    icon: null,
    color: null,
    sort_order: 0,
    is_system: 0,
    merged_into_id: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
}

function refuse(problems: readonly ErrorDetail[]): void {
  const lineOf = ({ path }: ErrorDetail): number => Number(/\d+/.exec(path)?.[0]);
  const details = [...problems].sort((a, b) => lineOf(a) - lineOf(b));
  const [first] = details;
  if (!first) return;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  throw new AppError('VALIDATION_ERROR', `${first.path}: ${first.message}${more}`, { details });
}

/** @throws CATEGORY_IN_USE when something refers to a category that would go */
async function refuseUsed(tx: WriteTx, existing: readonly CategoriesTable[], plan: CategoryPlan): Promise<void> {
  const named = new Map(plan.known.map(({ after }) => [after.id, after]));
  const going = new Set(plan.deleted.map(({ id }) => id));
  const parents = new Set<string | null>();
  for (const one of existing) if (!going.has(one.id)) parents.add((named.get(one.id) ?? one).parent_id);
  for (const { id, slug } of plan.deleted) {
    const uses = await countUses(tx, id);
    if (!isInUse(uses) && !parents.has(id)) continue;
    const by = isInUse(uses) ? tellUses(uses) : 'children that stay';
    const message = `${slug} would be deleted, but it is used by ${by}. Name it in the text, or merge it first.`;
    throw new AppError('CATEGORY_IN_USE', message);
  }
}

/**
 * Writes the plan in such an order that the tree is right after every step, and so also when a revert goes back step
 * by step. Answers how many categories changed.
 */
async function carryOutPlan(tx: WriteTx, { added, known, alongWith, deleted }: CategoryPlan): Promise<number> {
  const isTop = (row: CategoriesTable): boolean => row.parent_id === null;
  const entersArchive = ({ before, after }: (typeof known)[number]): boolean =>
    isTop(after) && after.is_archived === 1 && before.is_archived === 0;
  const nested = known.filter(({ after }) => !isTop(after));
  const remove = async (rows: readonly CategoriesTable[]): Promise<void> => {
    for (const row of rows) await removeCategory(tx, row, null);
  };
  let updated = 0;
  await remove(deleted.filter((row) => !isTop(row)));
  await addCategories(tx, added.filter(isTop));
  updated += await changeCategories(
    tx,
    known.filter((edit) => isTop(edit.after) && !entersArchive(edit)),
  );
  await addCategories(
    tx,
    added.filter((row) => !isTop(row)),
  );
  updated += await changeCategories(
    tx,
    nested.filter(({ before }) => !isTop(before)),
  );
  updated += await changeCategories(
    tx,
    nested.filter(({ before }) => isTop(before)),
  );
  updated += await changeCategories(tx, alongWith);
  updated += await changeCategories(tx, known.filter(entersArchive));
  await remove(deleted.filter(isTop));
  return updated;
}
