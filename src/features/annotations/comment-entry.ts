import type { ChangeSetRow } from '../../journal/journal.queries.ts';
import type { JournaledChange } from '../../journal/undo.ts';
import type { Telling } from './facet-entries.ts';

const PREVIEW_CHARS = 120;

/**
 * A comment in the timeline: what it says now, under its own ids; a deleted one keeps its place but not its text.
 * What a revert brought back or changed is told as an edit, because the comment's own entry stands already.
 */
export function tellComment(
  change: JournaledChange,
  set: ChangeSetRow,
  comments: ReadonlyMap<string, { body: string; edited: boolean }>,
): Telling {
  const id = change.entityId as string;
  const isOwnEntry = change.operation === 'create' && set.reverts_change_set_id === null;
  if (!isOwnEntry) {
    return change.operation === 'delete'
      ? { kind: 'comment_deleted', about: `comment:${id}`, payload: { comment_id: id }, clause: 'deleted a comment' }
      : { kind: 'comment_edited', about: `comment:${id}`, payload: { comment_id: id }, clause: 'edited a comment' };
  }
  const ids = { id, short_id: change.entityShortId as string };
  const now = comments.get(id);
  const about = `comment:${id}`;
  if (!now) return { kind: 'comment', about, ids, payload: { comment_id: id, deleted: true }, clause: '' };
  const payload = { comment_id: id, comment: now.body, edited: now.edited };
  return { kind: 'comment', about, ids, payload, clause: `commented: ${preview(now.body)}` };
}

/** The first line, cut at 120 characters. */
function preview(body: string): string {
  const [line = ''] = body.split('\n', 1);
  const characters = [...line.trim()];
  return characters.length > PREVIEW_CHARS ? `${characters.slice(0, PREVIEW_CHARS).join('')}…` : line.trim();
}
