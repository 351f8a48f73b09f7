import { sql } from 'kysely';

import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { among, transactionsOf, type Wipe } from './wipe-scope.queries.ts';

/**
 * Blanks what changes of erased rows say, so that they cannot be reverted; ids stay. No other change has neither
 * `before` nor `after`, by which reverts recognise these.
 */
export async function blankChanges(tx: BareWriteTx, wipe: Wipe): Promise<void> {
  const blank = sql`update changes set before = null, after = null, internal = null, is_revertible = 0`;
  await sql`${blank} where transaction_id in ${transactionsOf(tx, wipe)}`.execute(tx.q);
  for (const [type, ids] of Object.entries(wipe.entityIds)) {
    await sql`${blank} where entity_type = ${type} and ${among(tx, 'entity_id', ids)}`.execute(tx.q);
  }
}

/** Must be called when the transactions are gone: a set can be reverted as long as it changed or created others. */
export async function blankChangeSets(tx: BareWriteTx, { changeSetIds }: Wipe): Promise<void> {
  await sql`update change_sets set summary = action, reason = null where ${among(tx, 'id', changeSetIds)}`.execute(
    tx.q,
  );
  await sql`update change_sets set is_revertible = 0 where ${among(tx, 'id', changeSetIds)}
    and not exists (select 1 from changes where change_set_id = change_sets.id and is_revertible = 1)
    and not exists (select 1 from transactions where created_change_set_id = change_sets.id)`.execute(tx.q);
}
