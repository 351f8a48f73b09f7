import { sql } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { Search } from '../../transactions/index.ts';

/** Tags that the guides send every agent to. A household that has not used one yet has no such tag, and no row with it. */
const GUIDED: ReadonlySet<string> = new Set(['needs-review', 'refund-expected']);

/** Matches no row, whatever else is asked for. */
export const NOTHING: Search['among'] = {
  name: 'nothing',
  ids: sql<{ id: string }>`select id from transactions where 1 = 0`,
  isIn: true,
};

/** The tags to look for, without those of the guides that nobody has made; null if none is left, so that nothing matches. */
export async function madeTags(tx: ReadTx, given: string | string[] | undefined): Promise<string[] | undefined | null> {
  if (given === undefined) return undefined;
  const slugs = [given].flat().flatMap((one) => one.split(',').map((slug) => slug.trim()));
  const made = await tx.q
    .selectFrom('tags')
    .select('slug')
    .where('slug', 'in', [...GUIDED])
    .execute();
  const known = new Set(made.map(({ slug }) => slug));
  const left = slugs.filter((slug) => known.has(slug) || !GUIDED.has(slug));
  return left.length === 0 ? null : left;
}
