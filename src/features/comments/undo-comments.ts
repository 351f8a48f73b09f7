import type { CommentsTable } from '../../db/schema.ts';
import type { EntityUndo, NetChange, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { bringBack, changeText, removeComment } from './change-comment.ts';
import { selectComments } from './comments.queries.ts';
import { toComment, type CommentRecord } from './comments.table.ts';

/**
 * How comments are taken back (contract 10.13.3): a new one is deleted, an edit gives the text back, a deletion brings
 * the comment back. By hand, because a deleted comment keeps its row.
 */
export const undo: EntityUndo = {
  entityType: 'comment',
  async undo(tx, changes) {
    const rows = await selectComments(
      tx,
      changes.map(({ entityId }) => entityId),
    );
    const obstacles = new Map<string, Obstacle>();
    for (const change of changes) {
      const obstacle = await undoOne(tx, change, rows.get(change.entityId));
      if (obstacle) obstacles.set(change.entityId, obstacle);
    }
    return obstacles;
  },
};

async function undoOne(tx: WriteTx, change: NetChange, row: CommentsTable | undefined): Promise<Obstacle | null> {
  if (!row) return MISSING;
  const text: CommentRecord = { ...toComment(row), ...change.before };
  if (change.operation === 'delete') {
    if (row.deleted_at === null) return EXISTS;
    await bringBack(tx, row, text);
    return null;
  }
  if (row.deleted_at !== null) return MISSING;
  const fields = changedSince(toComment(row), change.after ?? {});
  if (fields.length > 0) {
    return { reason: 'changed_since', fields, message: 'The comment has been edited since. Revert that edit first.' };
  }
  if (change.operation === 'create') await removeComment(tx, row);
  else await changeText(tx, row, text);
  return null;
}

const MISSING: Obstacle = { reason: 'missing', fields: [], message: 'The comment has been deleted. Restore it first.' };
const EXISTS: Obstacle = { reason: 'exists', fields: ['id'], message: 'The comment has already been restored.' };

function changedSince(now: CommentRecord, written: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(now).flatMap(([field, value]) =>
    field !== 'updated_at' && field in written && written[field] !== value ? [field] : [],
  );
}
