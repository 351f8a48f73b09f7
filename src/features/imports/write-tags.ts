import { shortIdFor } from '../../db/short-ids.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import type { DataRow, Plan } from './plan-import.ts';
import { attachTags, insertTag, selectTagIds } from './tags.queries.ts';

const DEFAULT_COLOR = '#6b7280';
const SLUG_CHARS = 64;
const NAME_CHARS = 200;
const PAIRS_AT_ONCE = 5_000;

/** Attaches the tags that a file gives to new rows, and makes those that are missing (36.8.3). They lock nothing. */
export async function writeTags(tx: WriteTx, plan: Plan): Promise<void> {
  const names = new Map<string, string>();
  for (const row of plan.added) {
    for (const name of namesOf(row)) if (!names.has(slugOf(name))) names.set(slugOf(name), name);
  }
  if (names.size === 0) return;
  const ids = await selectTagIds(tx, [...names.keys()]);
  for (const [slug, name] of names) if (!ids.has(slug)) ids.set(slug, await createTag(tx, slug, name));
  let pairs: [string, string][] = [];
  for (const row of plan.added) {
    const own = new Set(namesOf(row).map(slugOf));
    for (const slug of own) pairs.push([row.transactionId as string, ids.get(slug) as string]);
    if (pairs.length < PAIRS_AT_ONCE) continue;
    await attachTags(tx, pairs);
    pairs = [];
  }
  await attachTags(tx, pairs);
}

function namesOf({ tags }: DataRow): string[] {
  if (tags === null) return [];
  const names = tags.split(/[,;]/).map((part) => [...part.trim()].slice(0, NAME_CHARS).join(''));
  return names.filter((name) => slugOf(name) !== '');
}

/** The slug that a tag's name gives (10.9); empty when nothing of the name can be one. */
function slugOf(name: string): string {
  const slug = fold(name).replace(/[^a-z0-9:]+/g, '-');
  return trimmed(trimmed(slug).slice(0, SLUG_CHARS));
}

function trimmed(slug: string): string {
  return slug.replace(/^[-:]+|[-:]+$/g, '');
}

async function createTag(tx: WriteTx, slug: string, name: string): Promise<string> {
  const row = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'tags'),
    slug,
    name,
    name_folded: fold(name),
    color: DEFAULT_COLOR,
    description: '',
    icon: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertTag(tx, row);
  const { name_folded: _derived, ...after } = row;
  tx.journal.record({
    entityType: 'tag',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after,
    revertible: true,
  });
  return row.id;
}
