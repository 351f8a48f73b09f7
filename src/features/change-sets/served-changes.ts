import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { JournaledChange } from '../../journal/undo.ts';
import { selectDeletedComments } from './change-sets.queries.ts';
import type { Change } from './change-sets.contract.ts';

export type ChangeRecord = z.output<typeof Change>;

/** Entities whose values are nobody's business but that of keys which may write (contract 10.13.1). */
const PRIVATE: ReadonlySet<string> = new Set([
  'user',
  'login',
  'api_key',
  'setting',
  'notification_channel',
  'connection',
]);

/** Changes as they may be shown: no text of a deleted comment, and nothing private to keys that only read. */
export async function toServedChanges(
  tx: ReadTx,
  changes: readonly JournaledChange[],
  mayWrite: boolean,
): Promise<ChangeRecord[]> {
  const comments = changes.flatMap(({ entityType, entityId }) =>
    entityType === 'comment' && entityId !== null ? [entityId] : [],
  );
  const silenced = await selectDeletedComments(tx, comments);
  return changes.map((change) => {
    const isHidden = PRIVATE.has(change.entityType) && !mayWrite;
    const isSilenced = change.entityType === 'comment' && silenced.has(change.entityId ?? '');
    const shown = (fields: JournaledChange['before']): Record<string, unknown> | null =>
      isHidden || fields === null ? null : isSilenced ? withoutBody(fields) : { ...fields };
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
      redacted: isSilenced && !isHidden && hadBody ? ['body'] : [],
    };
  });
}

function withoutBody({ body: _silenced, ...fields }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return fields;
}
