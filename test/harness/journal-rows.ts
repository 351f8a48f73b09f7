import { rowsOf } from './table-rows.ts';
import type { Answer, TestApp } from './test-app.ts';

export interface JournalRow {
  entity_type: string;
  entity_id: string;
  operation: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  internal: Record<string, unknown> | null;
  transaction_id: string | null;
}

/** What the change set of an answer holds, as stored; empty when the answer names none. */
export async function journalOf(app: TestApp, answer: Answer): Promise<JournalRow[]> {
  const id = String(answer.headers['x-change-set-id'] ?? '');
  const rows = await rowsOf<Record<keyof JournalRow, string | null>>(
    app.app.instance.database,
    `select entity_type, entity_id, operation, before, after, internal, transaction_id from changes
     where change_set_id = '${id.replaceAll("'", '')}' order by sequence`,
  );
  const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as Record<string, unknown>));
  return rows.map((row) => ({
    entity_type: String(row.entity_type),
    entity_id: String(row.entity_id),
    operation: String(row.operation),
    before: parsed(row.before),
    after: parsed(row.after),
    internal: parsed(row.internal),
    transaction_id: row.transaction_id,
  }));
}

export async function changeSetOf(app: TestApp, answer: Answer): Promise<Record<string, unknown> | undefined> {
  const id = String(answer.headers['x-change-set-id'] ?? '');
  return (
    await rowsOf(app.app.instance.database, `select * from change_sets where id = '${id.replaceAll("'", '')}'`)
  )[0];
}
