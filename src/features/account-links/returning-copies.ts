import type { EntityUndo, NetChange } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { accounts } from '../accounts/index.ts';
import { selectLinksOf } from './account-links.queries.ts';
import { clashOf, type Pair } from './refused-links.ts';

/**
 * A deleted copy counts in totals again where its link cannot come back with it, say because the primary account has been
 * deleted since. Nothing else would show that its transactions are missing from every total.
 */
export function countedWithoutLink(undo: EntityUndo): EntityUndo {
  return {
    ...undo,
    extended: undo,
    async undo(tx, changes, isForced) {
      const copies = changes.filter(wasCopy);
      const kept = copies.length === 0 ? new Set<string>() : await selectLinkedAgain(tx, copies);
      const released = new Set(copies.filter(({ entityId }) => !kept.has(entityId)));
      return undo.undo(
        tx,
        changes.map((change) => (released.has(change) ? counting(change) : change)),
        isForced,
      );
    },
  };
}

/** An account that its link kept out of totals when it was deleted, and no person. */
function wasCopy({ operation, before, internal }: NetChange): boolean {
  return operation === 'delete' && before?.['is_dependent_linked'] === true && internal['followsLinks'] === true;
}

function counting(change: NetChange): NetChange {
  return { ...change, before: { ...change.before, is_dependent_linked: false } };
}

/** The dependent accounts of the links that ended in the same change set and can come back. */
async function selectLinkedAgain(tx: WriteTx, copies: readonly NetChange[]): Promise<ReadonlySet<string>> {
  const removed = await tx.q
    .selectFrom('changes')
    .select(['entity_type', 'entity_id', 'before'])
    .where('change_set_id', '=', (copies[0] as NetChange).changeSetId)
    .where('entity_type', 'in', ['account', 'account_link'])
    .where('operation', '=', 'delete')
    .execute();
  const removedAccounts = new Set(removed.flatMap((one) => (one.entity_type === 'account' ? [one.entity_id] : [])));
  const linked = new Set<string>();
  for (const { entity_type: type, before } of removed) {
    if (type !== 'account_link') continue;
    const link = JSON.parse(before ?? '{}') as Partial<Pair> & { enabled?: boolean };
    const { primary_account_id: primaryId, dependent_account_id: copyId, enabled: isEnabled } = link;
    if (primaryId === undefined || copyId === undefined || isEnabled !== true) continue;
    const isPrimaryThere = removedAccounts.has(primaryId) || (await accounts.find(tx, primaryId)) !== undefined;
    const others = await selectLinksOf(tx, [primaryId, copyId]);
    if (isPrimaryThere && clashOf(others, primaryId, copyId) === null) linked.add(copyId);
  }
  return linked;
}
