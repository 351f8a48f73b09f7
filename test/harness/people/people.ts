import { expect } from 'vitest';

import type { Made } from '../ledger.ts';
import { rowsOf } from '../table-rows.ts';
import type { Answer, MadeKey, TestApp } from '../test-app.ts';

/** Members with logins and keys, for tests of who may do what. */

/** A key that belongs to a member. */
export async function newKeyOf(
  app: TestApp,
  member: Made,
  scope: 'read_only' | 'full_access' = 'full_access',
): Promise<MadeKey> {
  return app.newKey({ scope, memberId: member.id });
}

/** Whether a key is accepted: 200, or the code that refuses it. */
export async function stateOf(app: TestApp, { key }: MadeKey): Promise<number | string> {
  const { status, json } = await app.request('GET', '/api/v1/keys/me', { key });
  return status === 200 ? 200 : (json.error.code as string);
}

/** The only change set of an answer: its action, and each change as `operation entity`. */
export async function changeSetOf({ app }: TestApp, answer: Answer): Promise<{ action: string; changes: string[] }> {
  const id = String(answer.headers['x-change-set-id']);
  const rows = await rowsOf<{ action: string; operation: string; entity_type: string }>(
    app.instance.database,
    `select action, operation, entity_type from change_sets
      join changes on change_set_id = change_sets.id where change_sets.id = '${id}' order by sequence`,
  );
  expect(rows.length).toBeGreaterThan(0);
  const changes = rows.map((row) => `${row.operation} ${row.entity_type}`);
  return { action: rows[0]?.action as string, changes };
}
