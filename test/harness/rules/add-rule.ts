import { shortIdFor } from '../../../src/db/short-ids.ts';
import type { Made } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

/** A rule straight in its table, with these texts of condition and actions, for tests of what rules refer to. */
export async function addRule(
  app: TestApp,
  { condition = {}, actions = [], enabled = true }: { condition?: unknown; actions?: unknown; enabled?: boolean },
): Promise<Made> {
  return app.write('test.rule', async (tx) => {
    const row = { id: tx.ids.uuid(), short_id: await shortIdFor(tx, 'rules') };
    await tx.q
      .insertInto('rules')
      .values({
        ...row,
        name: 'Rule',
        name_folded: 'rule',
        priority: 100,
        is_enabled: enabled ? 1 : 0,
        is_system: 0,
        condition: JSON.stringify(condition),
        actions: JSON.stringify(actions),
        triggers: '[]',
        expires_at: null,
        creator_type: 'user',
        creator_id: null,
        creator_name: null,
        created_at: tx.now,
        updated_at: tx.now,
      })
      .execute();
    tx.journal.record({
      entityType: 'rule',
      entityId: row.id,
      entityShortId: row.short_id,
      operation: 'create',
      before: null,
      after: {},
      revertible: false,
    });
    return row;
  });
}
