import { sql } from 'kysely';

import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { changesByWriter, type FacetEdit } from './write-facets.ts';

/** The effects of rules as JSON, for the timeline. Keeps one internal field: a category of which only the source changed. */
export function effectsOf(edit: FacetEdit): string {
  const effects = changesByWriter(edit).map(({ ruleId, before, after, internal }) => {
    const stays = internal['category_id'];
    return { ruleId, before, after, ...(stays === undefined ? {} : { internal: { category_id: stays } }) };
  });
  return JSON.stringify(effects);
}

/** Stores what rules do to new rows, each effect once. Answers ids by effect, and remembers them. */
export function effectKeeper(tx: BareWriteTx): (effects: Iterable<string>) => Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  return async (effects) => {
    const wanted = new Map<string, string>();
    for (const text of effects) if (!ids.has(text)) wanted.set(sha256Hex(text), text);
    if (wanted.size === 0) return ids;
    const list = tx.portable.inList(sql.ref('digest'), [...wanted.keys()]);
    const known = await tx.q.selectFrom('rule_effects').select(['id', 'digest']).where(list).execute();
    for (const { id, digest } of known) {
      ids.set(wanted.get(digest) as string, id);
      wanted.delete(digest);
    }
    const highest = await tx.q
      .selectFrom('rule_effects')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst();
    let id = highest?.id ?? 0;
    const rows = [...wanted].map(([digest, text]): [number, string, string] => {
      id += 1;
      ids.set(text, id);
      return [id, digest, text];
    });
    await tx.insertMany('rule_effects', ['id', 'digest', 'effects'], rows);
    return ids;
  };
}
