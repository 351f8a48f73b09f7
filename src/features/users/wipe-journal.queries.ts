import { sql } from 'kysely';

import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { among, type Wipe } from './wipe-scope.queries.ts';

/**
 * Blanks what changes of erased entities say, so that they cannot be reverted; ids stay. No other change has neither
 * `before` nor `after`, by which reverts recognise these.
 */
export async function blankChanges(tx: BareWriteTx, { entityIds }: Wipe): Promise<void> {
  for (const [type, ids] of Object.entries(entityIds)) {
    await sql`${BLANK} where entity_type = ${type} and ${among(tx, 'entity_id', ids)}`.execute(tx.q);
  }
}

/** The same for changes of transactions and of their comments. */
export async function blankChangesOf(tx: BareWriteTx, transactionIds: readonly string[]): Promise<void> {
  await sql`${BLANK} where ${among(tx, 'transaction_id', transactionIds)}`.execute(tx.q);
}

const BLANK = sql`update changes set before = null, after = null, internal = null, is_revertible = 0`;

/** Must be called when the transactions are gone: a set can be reverted as long as it changed or created others. */
export async function blankChangeSets(tx: BareWriteTx, { changeSetIds }: Wipe): Promise<void> {
  await sql`update change_sets set summary = action, reason = null where ${among(tx, 'id', changeSetIds)}`.execute(
    tx.q,
  );
  await sql`update change_sets set is_revertible = 0 where ${among(tx, 'id', changeSetIds)}
    and not exists (select 1 from changes where change_set_id = change_sets.id and is_revertible = 1)
    and not exists (select 1 from transactions where created_change_set_id = change_sets.id)`.execute(tx.q);
}
