import { describe, expect, test } from 'vitest';

import { changeModels, setUpModel, start } from '../../../test/harness/workflows/started-runs.ts';
import {
  HOUR,
  MINUTE,
  endAll,
  look,
  lookTogether,
  opened,
  pass,
  patch,
  put,
  runs,
  scheduled,
  starts,
} from '../../../test/harness/workflows/starts.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  describe('a schedule', () => {
    test('starts its workflow once for each occurrence, also where clocks change', async () => {
      const app = await opened(database, '2026-03-27T12:00:00.000Z');
      await scheduled(app, '30 2 * * *');
      await look(app);
      for (const day of ['03-28', '03-29', '03-30', '10-24', '10-25', '10-26']) {
        app.clock.set(`2026-${day}T00:00:00.000Z`);
        await pass(app, `2026-${day}T02:00:00.000Z`, 20 * MINUTE);
      }
      expect(await starts(app)).toEqual([
        '2026-03-28T01:40',
        // 02:30 does not exist: 03:00 is next.
        '2026-03-29T01:00',
        '2026-03-30T00:40',
        // This one was missed.
        '2026-10-24T00:20',
        '2026-10-24T00:40',
        // 02:30 comes twice.
        '2026-10-25T00:40',
        '2026-10-26T01:40',
      ]);
    });

    test('has no occurrences in quiet hours, while paused, and while workflows are switched off', async () => {
      const app = await opened(database, '2026-07-01T12:00:00.000Z', 'UTC');
      const quiet = { quiet_hours_start: '22:00', quiet_hours_end: '07:00' };
      const workflow = await scheduled(app, '0 * * * *', quiet);
      await look(app);
      await pass(app, '2026-07-01T13:30:00.000Z', 10 * MINUTE);
      await changeModels(app, { enabled: false });
      await pass(app, '2026-07-01T15:30:00.000Z', 10 * MINUTE);
      await changeModels(app, { enabled: true });
      await pass(app, '2026-07-01T17:30:00.000Z', 10 * MINUTE);
      await app.request('POST', `/api/v1/workflows/${workflow.id}/disable`);
      await pass(app, '2026-07-01T19:30:00.000Z', 10 * MINUTE);
      // It can still be run by hand.
      expect((await start(app, workflow)).status).toBe(201);
      await app.request('POST', `/api/v1/workflows/${workflow.id}/enable`);
      await endAll(app);
      await pass(app, '2026-07-02T08:30:00.000Z', 10 * MINUTE);
      expect((await runs(app)).map(({ trigger, started_at: at }) => `${trigger} ${at.slice(8, 16)}`)).toEqual([
        'cron 01T13:00',
        'cron 01T16:00',
        'cron 01T17:00',
        'manual 01T19:30',
        'cron 01T20:00',
        'cron 01T21:00',
        'cron 02T07:00',
        'cron 02T08:00',
      ]);
    });

    test('that was missed is made up for once, if it is not a day old and not quiet', async () => {
      const app = await opened(database, '2026-07-01T12:30:00.000Z', 'UTC');
      await scheduled(app, '0 */6 * * *', { name: 'often' });
      await scheduled(app, '0 7 * * *', { name: 'daily', quiet_hours_start: '20:00', quiet_hours_end: '06:00' });
      await scheduled(app, '0 7 * * MON', { name: 'weekly' });
      const restartAt = async (at: string): Promise<string[]> => {
        const before = (await runs(app)).length;
        app.clock.set(at);
        const again = await app.again();
        await look(again);
        await look(again);
        await endAll(again);
        await again.close();
        return (await runs(app)).slice(before).map(({ workflow_name: name }) => name);
      };
      expect(await restartAt('2026-07-02T10:00:00.000Z')).toEqual(['daily', 'often']);
      expect(await restartAt('2026-07-02T11:00:00.000Z')).toEqual([]);
      // Quiet: the run of seven o'clock is not made up for, later neither.
      expect(await restartAt('2026-07-03T21:00:00.000Z')).toEqual(['often']);
      expect(await restartAt('2026-07-04T06:30:00.000Z')).toEqual(['often']);
      // Monday the 6th at seven is a day ago.
      expect(await restartAt('2026-07-07T07:00:00.000Z')).toEqual(['daily', 'often']);
      expect(await restartAt('2026-07-14T06:59:00.000Z')).toEqual(['daily', 'often', 'weekly']);
    });

    test('begins anew when it is changed, its deletion is undone, or the time zone changes', async () => {
      const app = await opened(database, '2026-07-01T10:00:00.000Z', 'UTC');
      const workflow = await scheduled(app, '0 9 * * *');
      await look(app);
      app.clock.set('2026-07-01T10:05:00.000Z');
      await look(app);
      await patch(app, workflow, { schedule_cron: '0 10 * * *' });
      await look(app);
      app.clock.set('2026-07-01T20:00:00.000Z');
      await look(app);
      // It has been ten o'clock there since the schedule was changed.
      await put(app, 'instance.timezone', 'America/New_York');
      await look(app);
      await put(app, 'instance.timezone', 'Asia/Tokyo');
      await look(app);
      expect(await starts(app)).toEqual([]);
      // Ten o'clock in Tokyo. The next day it passes while the workflow is deleted.
      await pass(app, '2026-07-02T01:00:00.000Z', HOUR);
      expect(await starts(app)).toEqual(['2026-07-02T01:00']);
      expect((await app.request('DELETE', `/api/v1/workflows/${workflow.id}`)).status).toBe(204);
      app.clock.set('2026-07-03T02:00:00.000Z');
      const { json } = await app.request('GET', '/api/v1/change-sets', { query: { action: 'workflow.delete' } });
      const undone = await app.request('POST', `/api/v1/change-sets/${json.change_sets[0].id}/revert`);
      expect(undone.status, undone.text).toBe(200);
      await look(app);
      expect(await starts(app)).toHaveLength(1);
      await pass(app, '2026-07-04T01:00:00.000Z', HOUR);
      expect((await starts(app)).slice(1)).toEqual(['2026-07-04T01:00']);
    });

    test('outlives a clock that was wrong', async () => {
      const app = await opened(database, '2026-07-01T06:30:00.000Z', 'UTC');
      await scheduled(app, '0 7 * * *');
      await look(app);
      // Two hours fast for a while: the occurrence that it then saw is not repeated.
      await pass(app, '2026-07-01T08:30:00.000Z', HOUR);
      app.clock.set('2026-07-01T06:45:00.000Z');
      await pass(app, '2026-07-01T12:00:00.000Z', HOUR);
      expect(await starts(app)).toEqual(['2026-07-01T07:30']);
      // A year fast: it does not wait for the year to pass.
      app.clock.set('2027-07-01T06:00:00.000Z');
      await look(app);
      await endAll(app);
      app.clock.set('2026-07-01T13:00:00.000Z');
      await look(app);
      const before = (await starts(app)).length;
      await pass(app, '2026-07-03T12:00:00.000Z', HOUR);
      expect((await starts(app)).filter((at) => at.startsWith('2026')).slice(1)).toEqual([
        '2026-07-02T07:00',
        '2026-07-03T07:00',
      ]);
      expect(await starts(app)).toHaveLength(before + 2);
    });

    test('leaves a row that says why when no model is set up, or it still runs', async () => {
      const app = await opened(database, '2026-07-01T06:30:00.000Z', 'UTC');
      await scheduled(app, '0 * * * *');
      await changeModels(app, { provider: null });
      app.clock.set('2026-07-01T07:00:00.000Z');
      await look(app);
      await look(app);
      await setUpModel(app);
      for (const hour of ['08', '09']) {
        app.clock.set(`2026-07-01T${hour}:00:00.000Z`);
        await look(app);
      }
      expect(await starts(app)).toEqual([
        '2026-07-01T07:00 model_not_configured',
        '2026-07-01T08:00',
        '2026-07-01T09:00 already_running',
      ]);
    });

    test('starts one run where two processes look at the same time', async () => {
      const app = await opened(database, '2026-07-01T06:30:00.000Z', 'UTC');
      const other = await app.again();
      for (const minute of [10, 20, 30]) await scheduled(app, `${minute} * * * *`, { name: `At ${minute}` });
      await changeModels(app, { max_concurrent: 10 });
      await lookTogether(app, other);
      for (let hour = 7; hour < 10; hour += 1) {
        app.clock.set(`2026-07-01T0${hour}:45:00.000Z`);
        await lookTogether(app, other);
        await endAll(app);
      }
      expect((await runs(app)).map(({ workflow_name: name, status }) => `${name} ${status}`)).toEqual(
        [7, 8, 9].flatMap(() => ['At 10 success', 'At 20 success', 'At 30 success']),
      );
    });
  });
});
