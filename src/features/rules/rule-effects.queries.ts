import { sql } from 'kysely';

import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { sha256Hex } from '../../kernel/crypto.ts';

/** Ids of what rules do to new rows, adding what was never done before. What was asked for once is remembered. */
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
