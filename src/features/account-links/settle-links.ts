import type { PlannedChange } from '../../journal/replay.ts';
import type { WriteTx } from '../../journal/write.ts';
import { settleAttribution } from '../transaction-matches/index.ts';
import { settleDependent } from './dependent-flag.ts';

/**
 * Once changes of a plan are written: a plan is written in parts, and what links do to accounts and rows stands in it
 * beside the links. Only a link that is there takes a copy out of totals, and it always does (contract 50.1.6, 50.1.7).
 */
export async function settleLinks(tx: WriteTx, changes: readonly PlannedChange[]): Promise<void> {
  const accountIds = new Set<string>();
  const primaryIds = new Set<string>();
  for (const { entityType, entityId, before, after } of changes) {
    if (entityType === 'account') accountIds.add(entityId);
    if (entityType === 'account_link' && after?.['enabled'] === true && typeof after['id'] === 'string') {
      accountIds.add(after['dependent_account_id'] as string);
    }
    if (entityType === 'transaction' && 'attributed_user_id' in { ...before, ...after }) primaryIds.add(entityId);
  }
  for (const id of accountIds) await settleDependent(tx, id);
  if (primaryIds.size > 0) await settleAttribution(tx, primaryIds);
}
