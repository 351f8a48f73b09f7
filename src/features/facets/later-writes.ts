import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { fieldOfLock } from './facet-facts.ts';

/** What people, agents and imports did to a row after a change set, in so far as it stands. */
export interface LaterWrite {
  transactionId: string;
  source: string;
  before: Fields;
  after: Fields;
  /** Facets that it locked; one that was locked already is not among them. */
  locked: readonly string[];
  internal: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

interface Stored {
  transaction_id: string;
  source: string;
  before: string | null;
  after: string | null;
  internal: string | null;
}

/** In the order in which they were written. What rules and syncs did, and what was taken back, is left out. */
export async function selectLaterWrites(tx: ReadTx, setId: string, ids: readonly string[]): Promise<LaterWrite[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Stored>`
    select c.transaction_id, s.source, c.before, c.after, c.internal
    from changes c join change_sets s on s.id = c.change_set_id
    where ${tx.portable.inList(sql.ref('c.transaction_id'), ids)} and c.change_set_id > ${setId}
      and c.entity_type = 'transaction' and c.rule_id is null and c.reverted_by_change_set_id is null
      and s.source not in ('rule', 'sync', 'revert')
    order by c.change_set_id, c.sequence`.execute(tx.q);
  return rows.map(({ transaction_id: transactionId, source, before, after, internal: hidden }) => {
    const internal = parsed(hidden);
    const locked = (internal['locked'] ?? []) as readonly string[];
    return { transactionId, source, before: parsed(before), after: parsed(after), locked, internal };
  });
}

function parsed(json: string | null): Fields {
  return json === null ? {} : (JSON.parse(json) as Fields);
}

/** Whether the write decided a facet, by its lock: also in the sense that it locked what was there. */
export function isAbout({ before, after, locked }: LaterWrite, lock: string): boolean {
  const field = fieldOfLock(lock);
  return locked.includes(lock) || field in before || field in after;
}

/** Looking a row over leaves these: a mark that it was seen is nothing that a revert would lose (contract 36.11). */
const REVIEW_LOCKS: ReadonlySet<string> = new Set(['flag', 'tag:needs-review']);

/**
 * Of the locks that rows got after a change set, those that hold them back: neither marks of a review, nor a category
 * that only confirms what the file, the bank or a rule had given.
 */
export async function withoutReview(
  tx: ReadTx,
  setId: string,
  rows: readonly { id: string; categoryId: string | null; locks: readonly string[] }[],
): Promise<Map<string, readonly string[]>> {
  const isCategorized = ({ locks }: { locks: readonly string[] }): boolean => locks.includes('category');
  const ids = rows.filter(isCategorized).map(({ id }) => id);
  const writes = Map.groupBy(await selectLaterWrites(tx, setId, ids), ({ transactionId }) => transactionId);
  return new Map(
    rows.map(({ id, categoryId, locks }) => {
      const isConfirmed = locks.includes('category') && givenCategory(writes.get(id) ?? []) === categoryId;
      return [id, locks.filter((lock) => !REVIEW_LOCKS.has(lock) && !(isConfirmed && lock === 'category'))];
    }),
  );
}

/** The category that stood when somebody last began to decide it; undefined when nothing tells. */
function givenCategory(writes: readonly LaterWrite[]): unknown {
  let given: unknown;
  for (const write of writes) {
    if (write.source === 'import' || !isAbout(write, 'category')) continue;
    const isFirst = given === undefined || write.locked.includes('category');
    // Where only its source or its lock changed, the category stands among what is not shown.
    if (isFirst) given = 'category_id' in write.before ? write.before['category_id'] : write.internal['category_id'];
  }
  return given;
}
