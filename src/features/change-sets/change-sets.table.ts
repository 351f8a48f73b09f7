import type { z } from 'zod';

import type { ChangeSetRow } from '../../journal/journal.queries.ts';
import type { ChangeSet } from './change-sets.contract.ts';

type ChangeSetRecord = z.output<typeof ChangeSet>;

/** A change set as served, without its changes. */
export function toChangeSet({
  entity_types: types,
  is_revertible: isRevertible,
  is_open: _open,
  ...row
}: ChangeSetRow) {
  const record = {
    ...row,
    entity_types: JSON.parse(types) as ChangeSetRecord['entity_types'],
    revertible: isRevertible === 1 && row.status !== 'reverted',
  };
  return record as ChangeSetRecord;
}
