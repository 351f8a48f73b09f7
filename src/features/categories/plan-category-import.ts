import type { CategoriesTable } from '../../db/schema.ts';
import { quoted, type ErrorDetail } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { FileRow } from './category-tsv.ts';
import { HAS_LIVE_CHILDREN, treeOf } from './tree.ts';

export interface CategoryEdit {
  before: CategoriesTable;
  after: CategoriesTable;
}

/** What an import of categories would do. Nothing, if there are problems. */
export interface CategoryPlan {
  added: CategoriesTable[];
  /** Every line with the slug of an existing category, even if nothing differs. */
  known: CategoryEdit[];
  /** Children that have no line and are archived with their parent. */
  alongWith: CategoryEdit[];
  deleted: CategoriesTable[];
  problems: ErrorDetail[];
}

interface CategoryFile {
  rows: readonly FileRow[];
  /** Slugs of all lines, including those with errors. */
  slugs: ReadonlySet<string>;
  /** Whether categories of the household's own that have no line are deleted. */
  replaces: boolean;
}

interface Planned {
  file: FileRow;
  before: CategoriesTable | undefined;
  after: CategoriesTable;
}

/** Decides what each line does to the existing categories (contract 10.10.4). Pure. */
export function planCategoryImport(
  existing: readonly CategoriesTable[],
  { rows, slugs, replaces }: CategoryFile,
  blank: (slug: string) => CategoriesTable,
): CategoryPlan {
  const deleted = replaces ? existing.filter((one) => one.is_system === 0 && !slugs.has(one.slug)) : [];
  const going = new Set(deleted.map(({ id }) => id));
  const staying = existing.filter(({ id }) => !going.has(id));
  const bySlug = new Map(staying.map((one) => [one.slug, one]));
  const planned = rows.map((file): Planned => {
    const before = bySlug.get(file.slug);
    return { file, before, after: { ...(before ?? blank(file.slug)), ...fieldsOf(file) } };
  });
  for (const { after } of planned) bySlug.set(after.slug, after);
  const misplaced = placeUnderParents(planned, { bySlug, slugs, going });
  const tree = new Map([...bySlug.values()].map((one) => [one.id, one]));
  fillIn(planned, tree);
  const alongWith = archiveChildren(planned, tree);
  return {
    added: planned.filter(({ before }) => !before).map(({ after }) => after),
    known: planned.flatMap(({ before, after }) => (before ? [{ before, after }] : [])),
    alongWith,
    deleted,
    problems: [...misplaced.values(), ...treeProblems(planned, tree, misplaced)],
  };
}

interface Known {
  bySlug: ReadonlyMap<string, CategoriesTable>;
  /** All slugs in the file, including those of lines with errors. */
  slugs: ReadonlySet<string>;
  /** UUIDs of the categories that the import deletes. */
  going: ReadonlySet<string>;
}

/** Gives each category the parent in its line. Answers the lines whose parent does not exist. */
function placeUnderParents(planned: readonly Planned[], known: Known): Map<FileRow, ErrorDetail> {
  const problems = new Map<FileRow, ErrorDetail>();
  for (const { file, after } of planned) {
    const { parentSlug } = file;
    if (parentSlug === undefined) {
      if (after.parent_id === null || !known.going.has(after.parent_id)) continue;
      const message = 'this import deletes its parent; name another one, or leave the cell empty';
      problems.set(file, problem(file, 'parent_slug', message));
      continue;
    }
    after.parent_id = parentSlug === null ? null : (known.bySlug.get(parentSlug)?.id ?? null);
    if (parentSlug === null || after.parent_id !== null || known.slugs.has(parentSlug)) continue;
    problems.set(file, problem(file, 'parent_slug', `there is no category ${quoted(parentSlug)}`));
  }
  return problems;
}

function treeProblems(
  planned: readonly Planned[],
  tree: ReadonlyMap<string, CategoriesTable>,
  misplaced: ReadonlyMap<FileRow, ErrorDetail>,
): ErrorDetail[] {
  const judge = treeOf(tree.values());
  return planned.flatMap(({ file, after }) => {
    const found = misplaced.has(file) ? null : judge.problemAt(after.id);
    // The lines of the live children report this.
    if (!found || found === HAS_LIVE_CHILDREN) return [];
    const isOfParent = found.field === 'parent_id' || file.isArchived === undefined;
    return [problem(file, isOfParent ? 'parent_slug' : 'archived', found.message)];
  });
}

function problem({ line }: FileRow, column: string, message: string): ErrorDetail {
  return { path: `line ${line}: ${column}`, message };
}

/** The fields that the line sets. */
function fieldsOf(file: FileRow): Partial<CategoriesTable> {
  return {
    name: file.name,
    name_folded: fold(file.name),
    ...(file.kind === undefined ? {} : { kind: file.kind }),
    ...(file.icon === undefined ? {} : { icon: file.icon }),
    ...(file.color === undefined ? {} : { color: file.color }),
    ...(file.sortOrder === undefined ? {} : { sort_order: file.sortOrder }),
    ...(file.isArchived === undefined ? {} : { is_archived: file.isArchived ? 1 : 0 }),
    ...(file.isArchived === false ? { merged_into_id: null } : {}),
  };
}

/** A new category without kind or sort_order gets the kind of its parent and the place after its siblings. */
function fillIn(planned: readonly Planned[], tree: ReadonlyMap<string, CategoriesTable>): void {
  const fresh = planned.filter(({ before }) => !before);
  const unplaced = new Set(fresh.filter(({ file }) => file.sortOrder === undefined).map(({ after }) => after.id));
  const highest = new Map<string | null, number>();
  for (const { id, parent_id: parent, sort_order: order } of tree.values()) {
    if (!unplaced.has(id)) highest.set(parent, Math.max(highest.get(parent) ?? 0, order));
  }
  for (const { file, after } of fresh) {
    const parent = after.parent_id === null ? undefined : tree.get(after.parent_id);
    if (file.kind === undefined && parent) after.kind = parent.kind;
    if (file.sortOrder !== undefined) continue;
    after.sort_order = Math.min((highest.get(after.parent_id) ?? 0) + 1, LIMITS.categorySortOrderMax);
    highest.set(after.parent_id, after.sort_order);
  }
}

/**
 * Archives the children of top-level categories that the file archives, unless their own line says otherwise.
 * Answers the children without a line.
 */
function archiveChildren(planned: readonly Planned[], tree: Map<string, CategoriesTable>): CategoryEdit[] {
  const lines = new Map<string, Planned>();
  const archived = new Set<string>();
  for (const one of planned) {
    lines.set(one.after.id, one);
    if (one.after.is_archived === 1 && one.before?.is_archived === 0) archived.add(one.after.id);
  }
  const alongWith: CategoryEdit[] = [];
  for (const child of tree.values()) {
    if (child.parent_id === null || child.is_archived === 1 || !archived.has(child.parent_id)) continue;
    const line = lines.get(child.id);
    if (!line) {
      const after = { ...child, is_archived: 1 as const };
      tree.set(child.id, after);
      alongWith.push({ before: child, after });
    } else if (line.before?.parent_id === child.parent_id && line.file.isArchived === undefined) {
      line.after.is_archived = 1;
    }
  }
  return alongWith;
}
