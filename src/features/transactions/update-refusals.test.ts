import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';

import {
  COFFEE,
  NOBODY,
  archive,
  changeSet,
  codes,
  everything,
  household,
  record,
  update,
  type Operation,
} from '../../../test/harness/ledgers/batches.ts';
import { addCounterparty, categoryBySlug, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const ARCHIVED = 'travel_flights';

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
  });

  test('aborting with one bad operation writes nothing: no row, tag, comment or change set', async () => {
    const [first, second] = (await household(app, 2)) as [Made, Made];
    const before = await everything(app);
    const answer = await update(app, [
      { transaction_id: first.short_id, category_slug: COFFEE, tags_to_add: ['new-tag'], comment: 'Latte' },
      { transaction_id: 'zzzzzzzz', flagged: true },
      { transaction_id: second.id, flagged: true },
    ]);
    expect([answer.status, answer.json.error.code]).toEqual([422, 'BATCH_ABORTED']);
    expect(answer.headers['x-change-set-id']).toBeUndefined();
    const { error } = answer.json;
    expect(error).toMatchObject({ succeeded: 0, failed: 1 });
    expect(error.message).toBe(
      '1 of 3 operations failed, so nothing was written. operations[1]: The transaction "zzzzzzzz" was not found. ' +
        'Correct the request, or send on_error: continue.',
    );
    expect(error.details).toEqual([
      { path: 'operations[1]', message: error.results[1].error.message, code: 'NOT_FOUND' },
    ]);
    const undone = { status: 'rolled_back', changed: false, error: null };
    expect(error.results).toEqual([
      { index: 0, transaction_id: first.short_id, ...undone },
      { index: 1, transaction_id: 'zzzzzzzz', status: 'error', changed: false, error: expect.any(Object) },
      { index: 2, transaction_id: second.id, ...undone },
    ]);
    expect(await everything(app)).toEqual(before);
  });

  test('a large batch, which runs in a thread, is aborted in the same words', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const operations = Array.from({ length: 60 }, (_, n) => ({
      transaction_id: n === 30 ? 'zzzzzzzz' : only.id,
      metadata_set: { n },
    }));
    const threaded = await app.again({ workers: 1 });
    const [here, there] = [await update(app, operations), await update(threaded, operations)];
    await threaded.close();
    expect([there.status, there.json.error.failed]).toEqual([422, 1]);
    expect({ ...there.json.error, request_id: null }).toEqual({ ...here.json.error, request_id: null });
    expect((await record(app, only)).metadata).toEqual({});
  });

  test('all operations are checked, also those after the first failure', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const answer = await update(app, [
      { transaction_id: 'zzzzzzzz', flagged: true },
      { transaction_id: only.id, flagged: true },
      { transaction_id: only.id, series_id: NOBODY },
    ]);
    expect([answer.status, codes(answer)]).toEqual([422, ['NOT_FOUND', null, 'INVALID_PARAMETER']]);
    expect(answer.json.error.failed).toBe(2);
  });

  test('continuing keeps what succeeded, in one change set, and undoes each failed operation as a whole', async () => {
    const [first, second, third] = (await household(app, 3)) as [Made, Made, Made];
    const answer = await update(
      app,
      [
        { transaction_id: first.id, category_id: COFFEE },
        { transaction_id: 'zzzzzzzz', tags_to_add: ['never-made'] },
        { transaction_id: third.id, category_id: COFFEE, tags_to_add: ['not-made'], series_id: NOBODY, comment: 'No' },
        { transaction_id: second.short_id, tags_to_add: ['trip'] },
      ],
      { on_error: 'continue' },
    );
    expect([answer.status, codes(answer)]).toEqual([200, [null, 'NOT_FOUND', 'INVALID_PARAMETER', null]]);
    expect(answer.json).toMatchObject({ succeeded: 2, failed: 2, dry_run: false });
    expect(answer.json.change_set_id).toBe(answer.headers['x-change-set-id']);
    const set = await changeSet(app, answer);
    expect(set).toMatchObject({ action: 'transactions.update', source: 'edit', summary: 'Updated 2 transactions' });
    expect(set.changes.map((one: { entity_type: string; transaction_id: string }) => one.transaction_id)).toEqual([
      null,
      first.id,
      second.id,
    ]);
    const slugs = (await app.request('GET', '/api/v1/tags')).json.map(({ slug }: { slug: string }) => slug);
    expect(slugs).toContain('trip');
    expect(slugs).not.toContain('never-made');
    expect(slugs).not.toContain('not-made');
    expect(await record(app, third)).toMatchObject({ category_id: null, tags: [] });
    expect((await app.request('GET', `/api/v1/transactions/${third.id}/comments`)).json).toEqual([]);
  });

  test('checks each operation against what is stored', async () => {
    const [only, other] = (await household(app, 2, { columns: { metadata: `{"big":"${'x'.repeat(4_000)}"}` } })) as [
      Made,
      Made,
    ];
    await app.request('DELETE', `/api/v1/transactions/${other.id}`);
    const target = await addCounterparty(app, 'Kiosk');
    const merged = await addCounterparty(app, 'The Kiosk', target);
    await archive(app, await categoryBySlug(app, ARCHIVED));
    const before = await everything(app);
    const cases: [Operation, string][] = [
      [{ transaction_id: other.id, flagged: true }, 'NOT_FOUND'],
      [{ transaction_id: NOBODY, flagged: true }, 'NOT_FOUND'],
      [{ transaction_id: '', flagged: true }, 'NOT_FOUND'],
      [{ transaction_id: 'x'.repeat(5_000), flagged: true }, 'NOT_FOUND'],
      [{ category_id: NOBODY }, 'INVALID_PARAMETER'],
      [{ category_slug: 'no_such' }, 'INVALID_PARAMETER'],
      [{ category_id: '' }, 'INVALID_PARAMETER'],
      [{ category_slug: ARCHIVED }, 'VALIDATION_ERROR'],
      [{ counterparty_id: 'zzzzzzzz' }, 'INVALID_PARAMETER'],
      [{ counterparty_id: merged.id }, 'VALIDATION_ERROR'],
      [{ series_id: "' or 1=1 --" }, 'INVALID_PARAMETER'],
      [{ attributed_user_id: NOBODY }, 'INVALID_PARAMETER'],
      [{ tags_to_add: ['fine', NOBODY] }, 'INVALID_PARAMETER'],
      [{ tags_to_add: ['ABCDEFGH'] }, 'VALIDATION_ERROR'],
      [{ metadata_set: { more: 'x'.repeat(4_090), yet: 'x'.repeat(100) } }, 'VALIDATION_ERROR'],
      [{ metadata_set: { more: 'x'.repeat(4_097) } }, 'VALIDATION_ERROR'],
      [{ metadata_set: { ['k'.repeat(129)]: 1 } }, 'VALIDATION_ERROR'],
      [{ metadata_set: { n: 9_007_199_254_740_992 } }, 'VALIDATION_ERROR'],
    ];
    const answer = await update(
      app,
      cases.map(([operation]) => ({ transaction_id: only.id, ...operation })),
      { on_error: 'continue' },
    );
    expect(answer.status, answer.text).toBe(200);
    expect(codes(answer)).toEqual(cases.map(([, code]) => code));
    expect(answer.json).toMatchObject({ succeeded: 0, failed: cases.length, change_set_id: null });
    expect(answer.json.results[9].error.message).toContain(target.short_id);
    expect(await everything(app)).toEqual(before);
  });

  test('refuses a malformed request as a whole, and says where', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const id = only.id;
    const before = await everything(app);
    const good = { transaction_id: id, flagged: true };
    const cases: [unknown, string][] = [
      [{}, 'operations'],
      [{ operations: [] }, 'operations'],
      [{ operations: Array.from({ length: 501 }, () => good) }, 'operations'],
      [{ operations: [good], on_error: 'stop' }, 'on_error'],
      [{ operations: [good], dry_run: 'yes' }, 'dry_run'],
      [{ operations: [good], surprise: 1 }, 'surprise'],
      [{ operations: [good, { transaction_id: id }] }, 'operations[1]'],
      [{ operations: [good, { flagged: true }] }, 'operations[1].transaction_id'],
      [{ operations: [{ ...good, surprise: 1 }] }, 'operations[0].surprise'],
      [{ operations: [{ ...good, category_id: null, category_slug: COFFEE }] }, 'operations[0].category_slug'],
      [{ operations: [{ ...good, category_id: COFFEE, reset_category: true }] }, 'operations[0].reset_category'],
      [{ operations: [{ ...good, reset_category: false }] }, 'operations[0].reset_category'],
      [{ operations: [{ ...good, flagged: null }] }, 'operations[0].flagged'],
      [{ operations: [{ ...good, series_id: 5 }] }, 'operations[0].series_id'],
      [
        { operations: [{ ...good, tags_to_add: ['a'], tags_to_remove: [{ slug: 'a' }] }] },
        'operations[0].tags_to_remove',
      ],
      [{ operations: [{ ...good, tags_to_add: ['Bad Tag'] }] }, 'operations[0].tags_to_add[0]'],
      [{ operations: [{ ...good, tags_to_add: [{ slug: 'a', name: 'A' }] }] }, 'operations[0].tags_to_add[0].name'],
      [
        { operations: [{ ...good, tags_to_remove: Array.from({ length: 51 }, (_, n) => `t${n}`) }] },
        'operations[0].tags_to_remove',
      ],
      [{ operations: [{ ...good, metadata_set: ['a'] }] }, 'operations[0].metadata_set'],
      [{ operations: [{ ...good, metadata_set: { a: 1 }, metadata_unset: ['a'] }] }, 'operations[0].metadata_unset'],
      [{ operations: [{ ...good, comment: '  ' }] }, 'operations[0].comment'],
      [{ operations: [{ ...good, comment: 'x'.repeat(10_001) }] }, 'operations[0].comment'],
    ];
    for (const [body, path] of cases) {
      const answer = await app.request('POST', '/api/v1/transactions/update', { body });
      expect([path, answer.status, answer.json.error.code]).toEqual([path, 400, 'VALIDATION_ERROR']);
      expect(answer.json.error.details.map((one: { path: string }) => one.path)).toContain(path);
    }
    expect(await everything(app)).toEqual(before);
    const most = { ...good, comment: 'x'.repeat(10_000), tags_to_add: Array.from({ length: 50 }, (_, n) => `t${n}`) };
    expect((await update(app, [most])).status).toBe(200);
  });

  test('an internal error fails one operation, with a fixed message', async () => {
    const app = await database.open({ expectsFailures: true });
    const [first, second] = (await household(app, 2)) as [Made, Made];
    const rename = (from: string, to: string) =>
      app.write('test.rename', async ({ q }) => {
        await sql.raw(`alter table accounts rename column ${from} to ${to}`).execute(q);
      });
    await rename('provider', 'provider_gone');
    const answer = await update(
      app,
      [
        { transaction_id: first.id, flagged: true },
        { transaction_id: second.id, flagged: true, reset_category: true },
      ],
      { on_error: 'continue' },
    );
    await rename('provider_gone', 'provider');
    expect([answer.status, codes(answer)]).toEqual([200, [null, 'INTERNAL_ERROR']]);
    expect(answer.json.results[1].error.message).not.toContain('provider');
    expect([(await record(app, first)).flagged_at !== null, (await record(app, second)).flagged_at]).toEqual([
      true,
      null,
    ]);
    expect(app.logs.some((line) => line.includes('An operation of a batch failed.'))).toBe(true);
  });
});
