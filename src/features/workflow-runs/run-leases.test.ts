import { expect, test } from 'vitest';

import {
  addRun,
  answer,
  call,
  endLease,
  linesOf,
  openWithModel,
  runRow,
  silence,
} from '../../../test/harness/workflows/runs.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import type { ModelAnswer } from '../../models/model.ts';
import { callTool } from '../agent-tools/index.ts';
import { claimRun, type ClaimedRun } from './run-leases.ts';
import { workOnRun } from './run-loop.ts';
import { RunStop } from './run-stop.ts';

async function tagNames({ app: { instance } }: TestApp): Promise<string[]> {
  const rows = await rowsOf<{ slug: string }>(instance.database, `select slug from tags where slug like 'by-run%'`);
  return rows.map(({ slug }) => slug);
}

forEachDatabase((database) => {
  test('a lease is renewed while the model thinks, and a run that lost it is left alone', async () => {
    const { app, begin } = await openWithModel(database);
    const runs = app.app.instance.runs();
    const id = await begin([silence]);
    const { lease_expires_at: before } = await runRow(app, id);
    app.clock.advance(30_000);
    await runs.beat();
    const { lease_expires_at: after, fencing_token: token } = await runRow(app, id);
    expect(Date.parse(after ?? '')).toBeGreaterThan(Date.parse(before ?? ''));
    await app.write('test.take', async (tx) => {
      await tx.q.updateTable('workflow_runs').set({ fencing_token: 'another' }).where('id', '=', id).execute();
    });
    app.clock.advance(30_000);
    await runs.beat();
    await runs.settled();
    expect(token).not.toBe('another');
    expect(await runRow(app, id)).toMatchObject({ status: 'in_progress', fencing_token: 'another', turn_count: 0 });
  });

  test('a tool writes nothing for a run that somebody else has', async () => {
    setLimit('runAbortMs', 1);
    const { app, begin } = await openWithModel(database);
    const { instance } = app.app;
    const id = await begin([silence], { toolScope: 'read_write' });
    const { fencing_token: token, workflow_id: workflowId } = await runRow(app, id);
    const save = async (fencingToken: string, slug: string) =>
      callTool(instance, async (operation, sent) => app.app.dispatch(operation, sent), {
        tool: 'save_tag',
        arguments: { slug },
        meta: undefined,
        caller: {
          principal: {
            kind: 'run',
            id,
            scope: 'full_access',
            actor: { type: 'agent', id: workflowId, userId: null, name: 'Keeper' },
            memberId: null,
            session: null,
          },
          surface: 'workflow',
          transport: null,
          most: 'full_access',
          clientName: null,
          clientVersion: null,
          requestId: instance.ids.uuid(),
          baseUrl: 'http://localhost',
          run: { id, workflowId, fencingToken, tools: ['save_tag'] },
        },
      });
    expect((await save('of another', 'by-run-stale')).text).toBe('CONFLICT: The run has ended. Nothing was done.');
    expect((await save(token ?? '', 'by-run')).isError).toBe(false);
    expect(await tagNames(app)).toEqual(['by-run']);
  });

  test('a tool that takes its time does not keep a run from ending', async () => {
    const { app, model } = await openWithModel(database);
    const { instance } = app.app;
    model.script = [{ toolCalls: [call('get_overview')] }];
    const claimed = await claimRun(instance, await addRun(app));
    const abort = new AbortController();
    const asked = Promise.withResolvers<void>();
    const never = async (): Promise<never> => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const control = { signal: abort.signal, endsAt: Infinity, isStopping: () => false, isAbandoned: () => false };
    const work = workOnRun(instance, never, claimed as ClaimedRun, control);
    await asked.promise;
    abort.abort(new RunStop('cancelled'));
    await work;
    expect(await runRow(app, claimed?.id ?? '')).toMatchObject({
      status: 'cancelled',
      turn_count: 1,
      num_tool_calls: 0,
    });
  });

  test('at the end of the service, the current step has a moment, and then the run is interrupted', async () => {
    setLimit('runAbortMs', 1_500);
    const quick = Promise.withResolvers<ModelAnswer>();
    const { app, model, begin } = await openWithModel(database);
    const id = await begin([() => quick.promise]);
    model.script = [silence];
    const slow = await addRun(app);
    await app.app.instance.runs().look();
    await eventually(() => expect(model.requests).toHaveLength(2));
    const closing = app.close();
    quick.resolve(answer({ toolCalls: [call('get_overview')] }));
    await closing;
    const later = await app.again();
    const interrupted = { status: 'error', error_code: 'interrupted', turn_count: 1, holder: null };
    expect(await runRow(later, id)).toMatchObject({ ...interrupted, num_tool_calls: 1 });
    expect(await runRow(later, slow)).toMatchObject({ ...interrupted, num_tool_calls: 0 });
    expect((await linesOf(later, slow)).at(-1)?.data).toMatchObject({ stop_reason: 'interrupted' });
  });

  test('at a start, runs that nobody has taken are worked on, and on a database file all others are closed', async () => {
    const { app, model } = await openWithModel(database);
    model.script = [{ text: 'Done.' }];
    const [waiting, taken] = [await addRun(app), await addRun(app)];
    await app.write('test.take', async (tx) => {
      const lease = { holder: 'gone', fencing_token: 'theirs', lease_expires_at: '2126-01-01T00:00:00.000Z' };
      await tx.q.updateTable('workflow_runs').set(lease).where('id', '=', taken).execute();
    });
    await app.app.instance.runs().recover();
    const isAlone = database.name === 'SQLite';
    expect((await runRow(app, taken)).status).toBe(isAlone ? 'error' : 'in_progress');
    await app.app.instance.runs().look();
    await app.app.instance.runs().settled();
    expect((await runRow(app, waiting)).status).toBe('success');
    const types = (await linesOf(app, taken)).map(({ type }) => type);
    expect(types).toEqual(isAlone ? ['system', 'user_message', 'error', 'result'] : []);
    expect((await runRow(app, taken)).status).toBe(isAlone ? 'error' : 'in_progress');
  });
});

// A database file has room for one server.
forEachDatabase(
  (database) => {
    test('of two servers one works on a run, and whoever lost its lease writes nothing more', async () => {
      const late = Promise.withResolvers<ModelAnswer>();
      const first = await openWithModel(database);
      const { app } = first;
      const other = await app.again();
      const [one, two] = [app.app.instance.runs(), other.app.instance.runs()];

      first.model.script = [{ text: 'Once.' }];
      const once = await addRun(app);
      await Promise.all([one.look(), two.look(), one.look(), two.look()]);
      await Promise.all([one.settled(), two.settled()]);
      expect([first.model.requests.length, (await runRow(app, once)).status]).toEqual([1, 'success']);

      const id = await first.begin([() => late.promise], { toolScope: 'read_write' });
      await two.look();
      expect(await runRow(app, id)).toMatchObject({ status: 'in_progress' });
      // The first one stalls; the other finds out once the lease has lapsed.
      await endLease(app, id);
      await two.look();
      const ended = await runRow(app, id);
      expect(ended).toMatchObject({ status: 'error', error_code: 'interrupted', fencing_token: null });
      const lines = await linesOf(app, id);
      late.resolve(answer({ text: 'Late.', toolCalls: [call('save_tag', { slug: 'by-run' })] }));
      await one.settled();
      expect(await runRow(app, id)).toEqual(ended);
      expect(await linesOf(app, id)).toEqual(lines);
      expect(await tagNames(app)).toEqual([]);
    });
  },
  ['PostgreSQL'],
);
