import type { EntityUndo, NetChange, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';

/**
 * Leaves the matches and attributions that came with a link to the undo of its creation: that removes whatever the link
 * has by then, so changes made since are not conflicts (contract 50.1.3).
 */
export function undoneWithLink(undo: EntityUndo): EntityUndo {
  return {
    ...undo,
    extended: undo,
    async undo(tx, changes, isForced) {
      const links = await selectCreatedLinks(tx, changes);
      const goesAlong = (change: NetChange): boolean => links.has(linkOf(change) ?? '');
      const own = changes.filter((change) => !goesAlong(change));
      const obstacles = new Map<string, Obstacle | null>(await undo.undo(tx, own, isForced));
      for (const { entityId } of changes.filter(goesAlong)) obstacles.set(entityId, null);
      return obstacles;
    },
  };
}

/** The links behind these changes that the same change set created. */
async function selectCreatedLinks(tx: WriteTx, changes: readonly NetChange[]): Promise<ReadonlySet<string>> {
  const setId = changes.find((change) => linkOf(change) !== undefined)?.changeSetId;
  if (setId === undefined) return new Set();
  const rows = await tx.q
    .selectFrom('changes')
    .select('entity_id')
    .where('change_set_id', '=', setId)
    .where('entity_type', '=', 'account_link')
    .where('operation', '=', 'create')
    .execute();
  return new Set(rows.flatMap(({ entity_id: id }) => id ?? []));
}

/** UUID of the link that made a match, or attributed a transaction and changed nothing else of it. */
function linkOf({ entityType, operation, before, after, internal }: NetChange): string | undefined {
  if (entityType === 'transaction_match') {
    return operation === 'create' ? (after?.['account_link_id'] as string) : undefined;
  }
  const isAttribution = Object.keys({ ...before, ...after }).join() === 'attributed_user_id';
  return operation === 'update' && isAttribution ? (internal['account_link_id'] as string | undefined) : undefined;
}
