import type { CategoriesTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, validationError, type ErrorDetail } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { importCategories as operation } from './categories.contract.ts';
import { categories, removeCategory } from './categories.entity.ts';
import { selectCategories } from './categories.queries.ts';
import { parseTsv, readRows } from './category-tsv.ts';
import { countUses, describeUses, isInUse } from './category-uses.ts';
import { planCategoryImport, type CategoryEdit, type CategoryPlan } from './plan-category-import.ts';

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
    throw validationError(
      'content',
      'With replace, a text without categories would delete all of your own categories.',
    );
  }
  const existing = await selectCategories(tx);
  const plan = planCategoryImport(existing, { rows, slugs, replaces }, (slug) => blankCategory(tx, slug));
  refuse([...text.problems, ...wrongCells, ...plan.problems]);
  await refuseUsed(tx, existing, plan);
  return plan;
}

/** Without a short_id, which it gets when it is created. */
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

/** @throws CATEGORY_IN_USE if something refers to a category that would be deleted */
async function refuseUsed(tx: WriteTx, existing: readonly CategoriesTable[], plan: CategoryPlan): Promise<void> {
  const named = new Map(plan.known.map(({ after }) => [after.id, after]));
  const going = new Set(plan.deleted.map(({ id }) => id));
  const parents = new Set<string | null>();
  for (const one of existing) if (!going.has(one.id)) parents.add((named.get(one.id) ?? one).parent_id);
  for (const { id, slug } of plan.deleted) {
    const uses = await countUses(tx, id);
    if (!isInUse(uses) && !parents.has(id)) continue;
    const by = isInUse(uses) ? describeUses(uses) : 'children that stay';
    const message = `${slug} would be deleted, but it is used by ${by}. Add it to the text, or merge it first.`;
    throw new AppError('CATEGORY_IN_USE', message);
  }
}

/**
 * Writes the plan in an order in which the tree is valid after every step, so that a revert can go back step by step.
 * Answers how many categories changed.
 */
async function carryOutPlan(tx: WriteTx, { added, known, alongWith, deleted }: CategoryPlan): Promise<number> {
  const isTop = (row: CategoriesTable): boolean => row.parent_id === null;
  const isNested = (row: CategoriesTable): boolean => !isTop(row);
  const entersArchive = ({ before, after }: CategoryEdit): boolean =>
    isTop(after) && after.is_archived === 1 && before.is_archived === 0;
  const nested = known.filter(({ after }) => isNested(after));
  await remove(tx, deleted.filter(isNested));
  await add(tx, added.filter(isTop));
  let updated = await change(
    tx,
    known.filter((edit) => isTop(edit.after) && !entersArchive(edit)),
  );
  await add(tx, added.filter(isNested));
  for (const step of [
    nested.filter(({ before }) => isNested(before)),
    nested.filter(({ before }) => isTop(before)),
    alongWith,
    known.filter(entersArchive),
  ]) {
    updated += await change(tx, step);
  }
  await remove(tx, deleted.filter(isTop));
  return updated;
}

async function add(tx: WriteTx, rows: readonly CategoriesTable[]): Promise<void> {
  await categories.createMany(
    tx,
    rows.map(({ short_id: _blank, ...row }) => row),
  );
}

/** Answers how many changed. */
async function change(tx: WriteTx, edits: readonly CategoryEdit[]): Promise<number> {
  const changed = await categories.changeMany(
    tx,
    edits.map(({ before, after }) => ({ row: before, patch: after })),
  );
  return changed.filter((row, index) => row !== edits[index]?.before).length;
}

async function remove(tx: WriteTx, rows: readonly CategoriesTable[]): Promise<void> {
  for (const row of rows) await removeCategory(tx, row, null);
}
