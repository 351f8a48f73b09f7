import { expect, test } from 'vitest';

import type { Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { ledger, timeline, type Entry } from '../../../test/harness/ledgers/timeline.ts';

const NOBODY = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

/** A reader of a timeline … */
forEachDatabase((database) => {
  test('takes the newest, or what follows an entry or instant; ids and order stay', async () => {
    const { app, row, path, edit } = await ledger(database);
    for (const slug of ['a', 'b', 'c', 'd']) await edit('POST', '/tags', { slug });
    const all = await timeline(app, row);
    expect(all).toHaveLength(4);
    expect(await timeline(app, row.short_id)).toEqual(all);
    expect(await timeline(app, row, { limit: '2' })).toEqual(all.slice(2));
    expect(await timeline(app, row, { limit: '500' })).toEqual(all);
    for (const [index, entry] of all.entries()) {
      for (const after of [entry['id'], entry['short_id'], entry['created_at']] as string[]) {
        expect(await timeline(app, row, { after })).toEqual(all.slice(index + 1));
      }
    }
    expect(await timeline(app, row, { after: String(all[1]?.['id']), limit: '1' })).toEqual([all[2]]);
    expect(await timeline(app, row, { kind: 'tag_added', limit: '1' })).toEqual([all[3]]);
    await edit('POST', '/flag');
    const [one, other] = [
      await timeline(app, row, { kind: 'tag_added,flagged' }),
      (await app.request('GET', `${path}/annotations?kind=tag_added&kind=flagged`)).json,
    ];
    expect(one).toHaveLength(5);
    expect(other).toEqual(one);
    expect(await timeline(app, row, { kind: 'unflagged' })).toEqual([]);
  });

  test('says what is wrong with a query', async () => {
    const { app, path, rows } = await ledger(database, 2);
    await app.request('POST', `/api/v1/transactions/${(rows[1] as Made).id}/tags`, { body: { slug: 'a' } });
    const [foreign] = (await timeline(app, rows[1] as Made)) as [Entry];
    for (const [query, name] of [
      [{ kind: 'x' }, 'kind'],
      [{ kind: 'tag_added,x' }, 'kind'],
      [{ actor_type: 'robot' }, 'actor_type'],
      [{ source: 'person' }, 'source'],
      [{ after: NOBODY }, 'after'],
      [{ after: 'yesterday' }, 'after'],
      [{ after: String(foreign['id']) }, 'after'],
      [{ limit: '0' }, 'limit'],
      [{ limit: '501' }, 'limit'],
      [{ include_deleted: 'perhaps' }, 'include_deleted'],
      [{ kinds: 'tag_added' }, 'kinds'],
    ] as const) {
      const answer = await app.request('GET', `${path}/annotations`, { query });
      expect([answer.status, answer.json.error.code, answer.json.error.details[0].path]).toEqual([
        400,
        'INVALID_PARAMETER',
        name,
      ]);
    }
    for (const id of [NOBODY, 'zzzzzzzz', 'nonsense']) {
      expect((await app.request('GET', `/api/v1/transactions/${id}/annotations`)).status).toBe(404);
    }
  });

  test('finds the timeline of a deleted row when asked for', async () => {
    const { app, row, path, edit } = await ledger(database);
    await edit('POST', '/tags', { slug: 'a' });
    await edit('DELETE', '');
    expect((await app.request('GET', `${path}/annotations`)).status).toBe(404);
    const entries = await timeline(app, row, { include_deleted: 'true' });
    expect(entries.map(({ kind }) => kind)).toEqual(['tag_added', 'transaction_deleted']);
  });

  test('has no entry for a write that changed nothing', async () => {
    const { app, row, edit, call } = await ledger(database);
    await edit('DELETE', '/category');
    await edit('DELETE', '/flag');
    await edit('DELETE', '/metadata');
    await edit('DELETE', '/tags/needs-review');
    await call('POST', '/api/v1/transactions/bulk-recategorize', { all: true });
    await call('POST', '/api/v1/transactions/update', {
      operations: [{ transaction_id: row.id, flagged: true }],
      dry_run: true,
    });
    expect(await timeline(app, row)).toEqual([]);
  });
});
