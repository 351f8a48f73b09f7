import type { WriteTx } from '../../journal/write.ts';
import { findOrMakeTags, slugOfName } from '../tags/index.ts';
import type { DataRow, Plan } from './plan-import.ts';
import { attachTags } from './tags.queries.ts';

const NAME_CHARS = 200;
const PAIRS_AT_ONCE = 5_000;

/** Attaches the tags that a file gives to new rows, and makes those that are missing (36.8.3). They lock nothing. */
export async function writeTags(tx: WriteTx, plan: Plan): Promise<void> {
  const names = new Map<string, string>();
  for (const row of plan.added) {
    for (const name of namesOf(row)) if (!names.has(slugOfName(name))) names.set(slugOfName(name), name);
  }
  if (names.size === 0) return;
  const ids = await findOrMakeTags(tx, [...names.keys()], (slug) => names.get(slug) as string);
  let pairs: [string, string][] = [];
  for (const row of plan.added) {
    const own = new Set(namesOf(row).map(slugOfName));
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
  return names.filter((name) => slugOfName(name) !== '');
}
