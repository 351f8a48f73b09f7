import { shortIdFor } from '../../db/short-ids.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { toRuleFields } from './rule-record.ts';
import { insertRuleRow, type RuleRow } from './rules.queries.ts';

const NAME = 'Mark new transactions for review';

/** A new database has one rule (contract 40.11): it puts the tag on every transaction when that first arrives. */
export async function seedRules(tx: WriteTx, needsReviewTagId: string): Promise<void> {
  const row: RuleRow = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'rules'),
    name: NAME,
    name_folded: fold(NAME),
    priority: 0,
    is_enabled: 1,
    is_system: 1,
    condition: '{}',
    actions: JSON.stringify([{ type: 'add_tag', tag_id: needsReviewTagId }]),
    triggers: '["create"]',
    is_overwriting_manual: 0,
    is_stopping: 0,
    expires_at: null,
    creator_type: 'system',
    creator_id: null,
    creator_name: 'Homeledger',
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertRuleRow(tx, row);
  tx.journal.record({
    entityType: 'rule',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: toRuleFields(row),
    revertible: false,
  });
}
