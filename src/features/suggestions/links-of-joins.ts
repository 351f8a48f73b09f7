import type { EntityUndo, NetChange, Obstacle } from '../../journal/undo.ts';
import { selectSplits } from './join.queries.ts';

const ACCOUNTS: readonly string[] = ['primary_account_id', 'dependent_account_id'];

/** Where accounts that were taken apart are joined again, their links follow by that, as they did the first time. */
export function leftToJoins(undo: EntityUndo): EntityUndo {
  return {
    ...undo,
    extended: undo,
    async undo(tx, changes, isForced) {
      const moves = changes.filter(isMove);
      const [first] = moves;
      const isLeft = first !== undefined && (await selectSplits(tx, first.changeSetId)).length > 0;
      const own = isLeft ? changes.filter((change) => !isMove(change)) : changes;
      const obstacles = new Map<string, Obstacle | null>(await undo.undo(tx, own, isForced));
      if (isLeft) for (const { entityId } of moves) obstacles.set(entityId, null);
      return obstacles;
    },
  };
}

function isMove({ operation, after }: NetChange): boolean {
  const names = Object.keys(after ?? {});
  return operation === 'update' && names.length > 0 && names.every((name) => ACCOUNTS.includes(name));
}
