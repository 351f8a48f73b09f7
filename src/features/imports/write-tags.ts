import type { WriteTx } from '../../journal/write.ts';
import { findOrMakeTags, slugOfName } from '../tags/index.ts';
import type { DataRow, Plan } from './plan.ts';
import { insertTagPairs } from './tags.queries.ts';

const NAME_CHARS = 200;
const NO_TAGS: ReadonlySet<string> = new Set();

/** Makes the tags that a file gives to new rows and that are missing (36.8.3). Answers the slugs of a row. */
export async function makeTagsOf(tx: WriteTx, plan: Plan): Promise<(row: DataRow) => ReadonlySet<string>> {
  const names = new Map<string, string>();
  for (const row of plan.added) {
    for (const name of namesOf(row)) if (!names.has(slugOfName(name))) names.set(slugOfName(name), name);
  }
  if (names.size === 0) return () => NO_TAGS;
  await findOrMakeTags(tx, [...names.keys()], (slug) => names.get(slug) as string);
  return (row) => (row.tags === null ? NO_TAGS : new Set(namesOf(row).map(slugOfName)));
}

/** Attaches tags, named by their slugs, to rows that have none yet. */
export function tagWriter(tx: WriteTx): (pairs: readonly (readonly [string, string])[]) => Promise<void> {
  const ids = new Map<string, string>();
  return async (pairs) => {
    const unknown = new Set(pairs.map(([, slug]) => slug).filter((slug) => !ids.has(slug)));
    if (unknown.size > 0) for (const [slug, id] of await findOrMakeTags(tx, [...unknown])) ids.set(slug, id);
    await insertTagPairs(
      tx,
      pairs.map(([transactionId, slug]) => [transactionId, ids.get(slug) as string]),
    );
  };
}

function namesOf({ tags }: DataRow): string[] {
  if (tags === null) return [];
  const names = tags.split(/[,;]/).map((part) => [...part.trim()].slice(0, NAME_CHARS).join(''));
  return names.filter((name) => slugOfName(name) !== '');
}
