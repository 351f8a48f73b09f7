import { shortIdFor } from '../../db/short-ids.ts';
import type { TagsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { DEFAULT_TAG_COLOR, TAG_SLUG } from './tags.contract.ts';
import { insertTag, selectTagsBySlug } from './tags.queries.ts';
import { toTagFields } from './tags.table.ts';

export interface NewTag {
  slug: string;
  name: string;
  color?: string;
  description?: string;
  icon?: string | null;
}

/** Whether a text has the form of a tag's slug (contract 10.9). */
export function isTagSlug(text: string): boolean {
  return TAG_SLUG.test(text);
}

/** The slug that a tag's name gives; empty when nothing of the name can be one. */
export function slugOfName(name: string): string {
  const slug = fold(name).replace(/[^a-z0-9:]+/g, '-');
  return trimmed(trimmed(slug).slice(0, LIMITS.tagSlugChars));
}

/** The name of a tag that is made by its slug alone: `vacation-2026` → `Vacation 2026`. */
export function nameOfSlug(slug: string): string {
  const words = slug.split(/[-:_]+/).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ');
}

function trimmed(slug: string): string {
  return slug.replace(/^[-:]+|[-:]+$/g, '');
}

/** Makes a tag whose slug is free, and records it. */
export async function makeTag(tx: WriteTx, tag: NewTag, { revertible = true } = {}): Promise<TagsTable> {
  const row: TagsTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'tags'),
    slug: tag.slug,
    name: tag.name,
    name_folded: fold(tag.name),
    color: tag.color ?? DEFAULT_TAG_COLOR,
    description: tag.description ?? '',
    icon: tag.icon ?? null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertTag(tx, row);
  tx.journal.record({
    entityType: 'tag',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: toTagFields(row),
    revertible,
  });
  return row;
}

/** UUIDs of tags by slug, making those that are missing; a new one is named after its slug unless `nameOf` knows better. */
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
