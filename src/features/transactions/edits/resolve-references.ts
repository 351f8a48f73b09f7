import type { ReadTx } from '../../../db/unit-of-work.ts';
import { quoted, unknownId, validationError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { selectCategoriesNamed } from '../../categories/index.ts';
import { isTagSlug } from '../../tags/index.ts';
import type { Actions } from '../transaction-bulk.contract.ts';
import { selectLinkables, selectTagsNamed, type Linkable } from '../transactions.queries.ts';

/** Resolves what the operations of a batch refer to, loaded once for all of them. Each throws for an unknown id. */
export interface References {
  category: CategoryChooser;
  /** UUID, or null for null. */
  counterparty: (anyId: string | null) => string | null;
  series: (anyId: string | null) => string | null;
  member: (anyId: string | null) => string | null;
  /** Slug of the tag, which may not exist yet. */
  tagToAdd: (name: string) => string;
  /** Slug of the tag, or the given name if there is no such tag. */
  tagToRemove: (name: string) => string;
}

/** `tagPath`: the name of the field with the tags to add, for errors. */
export async function findReferences(
  tx: ReadTx,
  operations: readonly Actions[],
  tagPath = 'tags_to_add',
): Promise<References> {
  const named = (field: 'counterparty_id' | 'series_id' | 'attributed_user_id'): string[] =>
    distinct(operations.map((operation) => operation[field]));
  const counterparties = await selectLinkables(tx, 'counterparties', named('counterparty_id'));
  const series = await selectLinkables(tx, 'series', named('series_id'));
  const members = await selectLinkables(tx, 'users', named('attributed_user_id'));
  const tagNames = operations.flatMap(({ tags_to_add: add = [], tags_to_remove: remove = [] }) => [...add, ...remove]);
  const slugs = await findTagSlugs(tx, distinct(tagNames));
  return {
    category: await categoryChooser(tx, operations),
    counterparty: finder('counterparty_id', 'counterparty', counterparties),
    series: finder('series_id', 'series', series),
    member: finder('attributed_user_id', 'household member', members),
    tagToAdd: (name) => slugToAttach(name, slugs, tagPath),
    tagToRemove: (name) => slugs.get(name) ?? name,
  };
}

function distinct(names: readonly (string | null | undefined)[]): string[] {
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

function finder(field: string, what: string, known: ReadonlyMap<string, Linkable>) {
  return (anyId: string | null): string | null => {
    if (anyId === null) return null;
    const found = known.get(anyId);
    if (!found) throw unknownId(field, what, anyId);
    const shown = quoted(anyId);
    if (found.mergedInto !== null) {
      throw validationError(
        field,
        `${field}: the ${what} ${shown} was merged into ${found.mergedInto}. Send that one.`,
      );
    }
    return found.id;
  };
}

/** A category in one of two fields; null means deliberately none. */
export interface CategoryChoice {
  readonly category_id?: string | null | undefined;
  readonly category_slug?: string | null | undefined;
}

/** Answers the UUID of a category that is not archived, or null. */
type CategoryChooser = (choice: CategoryChoice) => string | null;

/** Loads the categories of these choices at once. By slug, then UUID, then short_id. */
async function categoryChooser(tx: ReadTx, choices: readonly CategoryChoice[]): Promise<CategoryChooser> {
  const rows = await selectCategoriesNamed(tx, distinct(choices.map((choice) => choice[fieldOf(choice)])));
  const slugs = new Map(rows.map((row) => [row.slug, row]));
  const ids = new Map(rows.flatMap((row) => [[row.id, row] as const, [row.short_id, row] as const]));
  return (choice) => {
    const field = fieldOf(choice);
    const named = choice[field] ?? null;
    if (named === null) return null;
    const row = slugs.get(named) ?? ids.get(named);
    if (!row) throw unknownId(field, 'category', named);
    if (row.is_archived === 1) {
      throw validationError(field, `${field}: the category ${quoted(named)} is archived. Choose one that is in use.`);
    }
    return row.id;
  };
}

function fieldOf(choice: CategoryChoice): 'category_id' | 'category_slug' {
  return choice.category_id === undefined ? 'category_slug' : 'category_id';
}

/** @throws INVALID_PARAMETER for an unknown category, VALIDATION_ERROR for an archived one */
export async function resolveCategoryChoice(tx: ReadTx, choice: CategoryChoice): Promise<string | null> {
  return (await categoryChooser(tx, [choice]))(choice);
}

/** Slugs of existing tags by slug, then UUID or short_id. Unknown ones are left out. */
export async function findTagSlugs(tx: ReadTx, names: readonly string[]): Promise<Map<string, string>> {
  const tags = await selectTagsNamed(tx, names);
  const slugOf = new Map(tags.flatMap(({ id, short_id, slug }) => [[id, slug] as const, [short_id, slug] as const]));
  for (const { slug } of tags) slugOf.set(slug, slug);
  return new Map(names.flatMap((name) => [[name, slugOf.get(name)] as const]).filter(isFound));
}

function isFound(pair: readonly [string, string | undefined]): pair is readonly [string, string] {
  return pair[1] !== undefined;
}

/**
 * The slug of a tag to add, which exists or is to be created.
 * @throws INVALID_PARAMETER for an unknown UUID, VALIDATION_ERROR for what is not a slug
 */
export function slugToAttach(name: string, existing: ReadonlyMap<string, string>, path: string): string {
  const known = existing.get(name);
  if (known !== undefined) return known;
  if (isUuid(name)) throw unknownId(path, 'tag', name);
  if (isTagSlug(name)) return name;
  throw validationError(
    path,
    `${path}: a slug must have 1 to 64 characters from a-z, 0-9, - and :, and start and end with a letter or digit.`,
  );
}
