import type { TagsTable } from '../../db/schema.ts';
import type { NewRow } from '../../journal/entity.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { DEFAULT_TAG_COLOR, TAG_SLUG } from './tags.contract.ts';
import { tags } from './tags.entity.ts';
import { selectTagsBySlug } from './tags.queries.ts';

const NEEDS_REVIEW = { slug: 'needs-review', name: 'Needs review', color: '#f59e0b', description: 'Not looked at yet' };

/** Only the slug and the name are required. */
type NewTag = Omit<NewRow<TagsTable, 'name_folded'>, 'color' | 'description'> & {
  color?: string | null | undefined;
  description?: string | undefined;
};

/** Whether a text is a well-formed slug (contract 10.9). */
export function isTagSlug(text: string): boolean {
  return TAG_SLUG.test(text);
}

/** The slug made from a name; empty if the name has no Latin letter or digit. */
export function slugOfName(name: string): string {
  const slug = fold(name).replace(/[^a-z0-9:]+/g, '-');
  return trimmed(trimmed(slug).slice(0, LIMITS.tagSlugChars));
}

/** The name of a tag created from its slug alone: `Vacation 2026` for `vacation-2026`. */
export function nameOfSlug(slug: string): string {
  const words = slug.split(/[-:_]+/).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ');
}

function trimmed(slug: string): string {
  return slug.replace(/^[-:]+|[-:]+$/g, '');
}

/** Creates a tag whose slug is free. */
export async function makeTag(tx: WriteTx, tag: NewTag, { revertible = true } = {}): Promise<TagsTable> {
  const row = { ...tag, color: tag.color ?? DEFAULT_TAG_COLOR, description: tag.description ?? '' };
  return tags.create(tx, row, { revertible });
}

/** A fresh installation has one tag (contract 10.9). Answers its UUID. */
export async function seedTags(tx: WriteTx): Promise<string> {
  return (await makeTag(tx, NEEDS_REVIEW, { revertible: false })).id;
}

/** UUIDs of tags by slug. Missing ones are created, with the name that `nameOf` gives. */
export async function findOrMakeTags(
  tx: WriteTx,
  slugs: readonly string[],
  nameOf: (slug: string) => string = nameOfSlug,
): Promise<Map<string, string>> {
  const ids = new Map((await selectTagsBySlug(tx, slugs)).map(({ slug, id }) => [slug, id]));
  for (const slug of slugs) {
    if (!ids.has(slug)) ids.set(slug, (await makeTag(tx, { slug, name: nameOf(slug) })).id);
  }
  return ids;
}
