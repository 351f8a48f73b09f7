import { expect, test } from 'vitest';

import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';
import { addMember } from '../../test/harness/ledger.ts';
import { rowsOf } from '../../test/harness/table-rows.ts';
import { connections } from '../features/connections/index.ts';
import { tags } from '../features/tags/index.ts';
import { write, type Origin, type WriteTx } from './write.ts';

const ORIGIN: Origin = {
  actor: { type: 'system', id: null, userId: null, name: 'test' },
  surface: 'system',
  source: 'system',
  action: 'test',
  reason: null,
  requestId: null,
};

interface Change {
  operation: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  internal: Record<string, unknown> | null;
  is_revertible: number;
}

/** Runs a write; answers its value, and the changes it recorded. */
async function writing<T>(app: TestApp, fn: (tx: WriteTx) => Promise<T>): Promise<{ value: T; changes: Change[] }> {
  const { database } = app.app.instance;
  const { value, changeSetId } = await write(database, ORIGIN, fn);
  const rows = await rowsOf<Record<string, unknown>>(
    database,
    `select * from changes where change_set_id = '${String(changeSetId)}' order by sequence`,
  );
  const parsed = (text: unknown) => (typeof text === 'string' ? (JSON.parse(text) as Record<string, unknown>) : null);
  const changes = rows.map((row) => ({
    operation: String(row['operation']),
    before: parsed(row['before']),
    after: parsed(row['after']),
    internal: parsed(row['internal']),
    is_revertible: Number(row['is_revertible']),
  }));
  return { value, changes };
}

const TAG = { slug: 'trip', name: 'Été', color: '#6b7280', description: '' };

async function addConnection(app: TestApp) {
  const ana = await addMember(app, 'Ana');
  const { value, changes } = await writing(app, (tx) =>
    connections.create(tx, {
      user_id: ana.id,
      provider: 'plaid',
      institution_id: 'ins_1',
      institution_name: 'Bank',
      external_id: 'item-1',
      status: 'active',
      paused: 0,
      sync_interval_seconds: null,
      last_sync_at: null,
      next_sync_at: null,
      error_code: null,
      error_message: null,
      consecutive_failures: 0,
      consent_expires_at: null,
      credentials: new Uint8Array([1, 2, 3]),
      sync_position: null,
    }),
  );
  return { ana, connection: value, changes };
}

forEachDatabase((database) => {
  test('creating makes ids, stamps and derived columns, leaves the rest null, and records every field that is not derived', async () => {
    const app = await database.open();
    const { value, changes } = await writing(app, (tx) => tags.create(tx, TAG));
    expect(value).toMatchObject({ ...TAG, icon: null, name_folded: 'ete', created_at: value.updated_at });
    const { name_folded: _derived, ...fields } = value;
    expect(changes).toEqual([{ operation: 'create', before: null, after: fields, internal: null, is_revertible: 1 }]);
    const { database: db } = app.app.instance;
    for (const id of [value.id, value.short_id]) {
      expect(await db.read((tx) => tags.find(tx, id))).toEqual(value);
    }
  });

  test('many are created in one go, each with options of its own', async () => {
    const app = await database.open();
    const slugs = ['a', 'b'];
    const { value, changes } = await writing(app, (tx) =>
      tags.createMany(
        tx,
        slugs.map((slug) => ({ ...TAG, slug })),
        (index) => ({ revertible: index === 1 }),
      ),
    );
    expect(value.map(({ slug }) => slug)).toEqual(slugs);
    expect(changes.map((one) => [one.after?.['slug'], one.is_revertible])).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
  });

  test('changing records the fields that differ and no others, and nothing when nothing differs', async () => {
    const app = await database.open();
    const { value: row } = await writing(app, (tx) => tags.create(tx, TAG));
    const same = await writing(app, (tx) => tags.change(tx, row, { name: 'Été', icon: undefined }));
    expect([same.value === row, same.changes]).toEqual([true, []]);
    app.clock.advance(1_000);
    const { value, changes } = await writing(app, (tx) => tags.change(tx, row, { name: 'Ski', color: row.color }));
    expect([value.name_folded, value.updated_at > row.updated_at]).toEqual(['ski', true]);
    expect(changes).toMatchObject([{ operation: 'update', before: { name: 'Été' }, after: { name: 'Ski' } }]);
    expect(Object.keys(changes[0]?.after ?? {})).toEqual(['name']);
    expect(await app.app.instance.database.read((tx) => tags.find(tx, row.id))).toEqual(value);
  });

  test('a secret is never recorded, but that it changed is', async () => {
    const app = await database.open();
    const { connection, changes } = await addConnection(app);
    expect(JSON.stringify(changes)).not.toMatch(/credentials|item-1/);
    const { changes: changed } = await writing(app, (tx) =>
      connections.change(tx, connection, { credentials: new Uint8Array([4]) }),
    );
    expect(changed).toMatchObject([{ operation: 'update', before: {}, after: {}, internal: null }]);
    const [row] = await rowsOf<{ credentials: Uint8Array }>(
      app.app.instance.database,
      'select credentials from connections',
    );
    expect([...(row?.credentials ?? [])]).toEqual([4]);
  });

  test('an unjournaled column is written without a change set, and comes back with the row', async () => {
    const app = await database.open();
    const { ana, connection } = await addConnection(app);
    const synced = await writing(app, (tx) => connections.change(tx, connection, { last_sync_at: tx.now }));
    expect(synced.changes).toEqual([]);
    expect(synced.value.updated_at).toBe(connection.updated_at);
    const { changes } = await writing(app, (tx) => connections.remove(tx, synced.value));
    expect(changes).toMatchObject([
      {
        operation: 'delete',
        before: { user_id: ana.short_id, paused: false },
        internal: { columns: { last_sync_at: synced.value.last_sync_at }, imports: [] },
      },
    ]);
    expect(JSON.stringify(changes)).not.toContain('credentials');
  });
});
