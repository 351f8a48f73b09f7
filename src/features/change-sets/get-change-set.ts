import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { findChangeSet, selectChanges, tallyChanges, type ChangeSetRow } from '../../journal/journal.queries.ts';
import type { JournaledChange } from '../../journal/undo.ts';
import { cutPage, decodeCursor, fingerprintOf, wholeNumber } from '../../kernel/cursor.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getChangeSet as operation, type Change } from './change-sets.contract.ts';
import { selectCreatedRows, selectDeletedComments } from './change-sets.queries.ts';
import { toChangeSet } from './change-sets.table.ts';
import { describeChanges, type Description } from './describe-changes.queries.ts';

export const getChangeSet = handleRead(operation, async ({ tx, principal }, { params, query }) => {
  const set = await findChangeSet(tx, params.id);
  if (!set) throw notFound('change set');
  const fingerprint = fingerprintOf({ change_set_id: set.id });
  const after = query.cursor === undefined ? { sequence: 0, id: '' } : placeOf(query.cursor, fingerprint);
  const { limit } = query;
  const mayWrite = principal?.scope === 'full_access';
  const journaled = await selectChanges(tx, set.id, after.sequence, limit + 1);
  const changes = await toServedChanges(tx, journaled, mayWrite);
  if (changes.length <= limit) changes.push(...(await createdRowsAfter(tx, set, after, limit + 1 - changes.length)));
  const { shown, end } = cutPage(changes, limit, fingerprint, (last) => ({
    key: String(last.sequence),
    id: idOf(last),
  }));
  const descriptions = await describeChanges(tx, shown, mayWrite);
  return {
    ...toChangeSet(set),
    changes: shown.map((change, at) => ({ ...change, ...(descriptions[at] as Description) })),
    ...end,
  };
});

/** Rows that an import created are listed after the journaled changes of its set, by id (contract 10.13.1). */
async function createdRowsAfter(
  tx: ReadTx,
  set: ChangeSetRow,
  after: { sequence: number; id: string },
  limit: number,
): Promise<ChangeRecord[]> {
  const { created, last } = await tallyChanges(tx, set.id);
  if (set.created_count <= created) return [];
  const from = after.sequence > last ? after : { sequence: last, id: '' };
  const rows = await selectCreatedRows(tx, set.id, from.id, limit);
  return rows.map((row, index) => ({
    sequence: from.sequence + index + 1,
    entity_type: 'transaction' as const,
    entity_id: row.id,
    entity_short_id: row.short_id,
    operation: 'create' as const,
    before: null,
    after: null,
    transaction_id: row.id,
    source: set.source as ChangeRecord['source'],
    rule_id: null,
    reverted_by_change_set_id: row.deleted_cause === 'revert' ? set.reverted_by_change_set_id : null,
    redacted: [],
  }));
}

/** The id for the cursor. Only rows that an import created need it, because they are paged by id. */
function idOf(change: ChangeRecord): string {
  return change.before === null && change.after === null ? (change.entity_id ?? '') : '';
}

function placeOf(cursor: string, fingerprint: string): { sequence: number; id: string } {
  const { key, id } = decodeCursor(cursor, fingerprint);
  return { sequence: wholeNumber(key), id };
}

type ChangeRecord = Omit<z.output<typeof Change>, keyof Description>;

/** Entities whose values only keys that may write can see (contract 10.13.1). */
const PRIVATE: ReadonlySet<string> = new Set([
  'user',
  'login',
  'api_key',
  'setting',
  'notification_channel',
  'connection',
]);

/** Changes as a key may see them: without the text of deleted comments, and without private values for a reading key. */
async function toServedChanges(
  tx: ReadTx,
  changes: readonly JournaledChange[],
  mayWrite: boolean,
): Promise<ChangeRecord[]> {
  const comments = changes.flatMap(({ entityType, entityId }) =>
    entityType === 'comment' && entityId !== null ? [entityId] : [],
  );
  const deletedComments = await selectDeletedComments(tx, comments);
  return changes.map((change) => {
    const isHidden = PRIVATE.has(change.entityType) && !mayWrite;
    const isDeleted = change.entityType === 'comment' && deletedComments.has(change.entityId ?? '');
    const shown = (fields: JournaledChange['before']): Record<string, unknown> | null =>
      isHidden || fields === null ? null : isDeleted ? withoutBody(fields) : { ...fields };
    const hadBody = 'body' in (change.before ?? {}) || 'body' in (change.after ?? {});
    return {
      sequence: change.sequence,
      entity_type: change.entityType,
      entity_id: change.entityId,
      entity_short_id: change.entityShortId,
      operation: change.operation,
      before: shown(change.before),
      after: shown(change.after),
      transaction_id: change.transactionId,
      source: change.source as ChangeRecord['source'],
      rule_id: change.ruleId,
      reverted_by_change_set_id: change.revertedByChangeSetId,
      redacted: isDeleted && !isHidden && hadBody ? ['body'] : [],
    };
  });
}

function withoutBody({ body: _deleted, ...fields }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return fields;
}
