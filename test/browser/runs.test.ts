import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addMember } from '../harness/ledger.ts';
import { answer, call, scriptedModel, silence, type Script } from '../harness/workflows/runs.ts';
import { eventually } from '../harness/eventually.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { setUpModel, start } from '../harness/workflows/started-runs.ts';
import { forEachDatabase } from '../harness/test-app.ts';
import { addRuns, addWorkflow } from '../harness/workflows/workflow-rows.ts';

const HOSTILE = '<img src=x onerror=alert(1)> **All** fine <script>alert(2)</script>';

/** Runs of workflows are listed, followed while they work, and looked into afterwards. */
forEachDatabase(
  (database) => {
    const model = scriptedModel();
    const browser = browserTest(database, { standInModel: () => model });
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app, { name: 'Ana' });
      await addMember(browser.app, 'Ben');
      await setUpModel(browser.app);
    });

    /** An answer that comes once the test says so. */
    function held(given: Parameters<typeof answer>[0]): { script: Script; release: () => void } {
      const gate = Promise.withResolvers<void>();
      const script: Script = async () => {
        await gate.promise;
        return answer(given);
      };
      return { script, release: () => gate.resolve() };
    }

    test('there are none at first', async () => {
      const page = await browser.open('/runs', { as: ana });
      await page.getByText('No runs yet').waitFor();
      await expectGoodLooks(page, 'runs-empty');
    });

    test('a run is followed as it works, and what it did is undone', async () => {
      const last = held({ text: HOSTILE, usage: { input: 900, output: 100, cacheRead: 0, cacheCreation: 0 } });
      model.script = [
        answer({
          text: 'I look first.',
          toolCalls: [call('get_overview'), call('save_tag', { slug: 'checked', name: 'Checked' })],
        }),
        last.script,
      ];
      const workflow = await addWorkflow(browser.app, { name: 'Keeper', tool_scope: 'read_write' });
      const { json } = await start(browser.app, workflow, { prompt_prefix: 'Only this month.' });
      const page = await browser.open(`/runs/${json.short_id}`, { as: ana });
      await page.getByText('I look first.').waitFor();
      await page.getByText('The run is in progress.').waitFor();
      await page.getByText('save_tag').click();
      await page.getByText('"name": "Checked"').first().waitFor();
      await expectGoodLooks(page, 'run-live');
      last.release();
      await page.getByText('The run ended here.').waitFor();
      await page.getByRole('button', { name: 'Run again' }).waitFor();
      await expect.poll(() => page.getByText(HOSTILE).count()).toBe(2);
      expect(await page.locator('main img').count()).toBe(0);
      await page.getByText('Raw').click();
      await page.getByText('"type":"result"').waitFor();
      await page.getByText('Conversation').click();

      await page.getByRole('button', { name: 'Write a note' }).click();
      await page.getByLabel('Your note').fill('It made a tag.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It made a tag.').waitFor();
      await expectGoodLooks(page, 'run');
      await page.getByRole('button', { name: 'Undo all that it changed' }).click();
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      // At the head of the page, and in the list of what it changed.
      await expect.poll(() => page.getByText('Undone', { exact: true }).count()).toBe(2);
      expect((await browser.app.request('GET', '/api/v1/tags/checked')).status).toBe(404);
      await page.goto(`${browser.address}/runs`);
      await page.getByRole('row').filter({ hasText: 'Keeper' }).getByText('Undone', { exact: true }).waitFor();
      // The workflow says so, too, of its last run.
      await page.goto(`${browser.address}/workflows`);
      await page.getByRole('article', { name: 'Keeper' }).getByText('Undone', { exact: true }).waitFor();
    });

    test('a report says that what its run changed was undone', async () => {
      model.script = [
        answer({
          toolCalls: [
            call('submit_report', { title: 'I made a tag', body: 'It is called Seen.' }),
            call('save_tag', { slug: 'seen', name: 'Seen' }),
          ],
        }),
        answer({ text: 'Done.' }),
      ];
      const workflow = await addWorkflow(browser.app, { name: 'Teller of tales', tool_scope: 'read_write' });
      const { json: started } = await start(browser.app, workflow);
      const run = await eventually(async () => {
        const { json } = await browser.app.request('GET', `/api/v1/workflows/runs/${started.short_id}`);
        expect(json.status).toBe('success');
        return json;
      });
      const page = await browser.open(`/reports/${run.report_ids[0]}`, { as: ana });
      await page.getByRole('link', { name: 'Its run' }).waitFor();
      expect(await page.getByText(/undone/i).count()).toBe(0);
      const { json: sets } = await browser.app.request(
        'GET',
        `/api/v1/change-sets?workflow_run_id=${run.id}&entity_type=tag`,
      );
      await browser.app.request('POST', `/api/v1/change-sets/${sets.change_sets[0].id}/revert`, { body: {} });
      await page.reload();
      await page.getByText('Partly undone').waitFor();
      await page.getByText('what this run changed').waitFor();
    });

    test('a run in progress is cancelled, and made again', async () => {
      model.script = [silence];
      const workflow = await addWorkflow(browser.app, { name: 'Slow' });
      const { json } = await start(browser.app, workflow);
      const page = await browser.open(`/runs/${json.short_id}`, { as: ana });
      await page.getByRole('button', { name: 'Cancel the run' }).click();
      await page.getByRole('button', { name: 'Cancel the run' }).last().click();
      await page.getByText('Cancelled', { exact: true }).first().waitFor();
      model.script = [answer({ text: 'Second try.' })];
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('Second try.').first().waitFor();
    });

    test('the list has a tab for each state, and filters', async () => {
      const gone = await addWorkflow(browser.app, { name: 'Gone' });
      await addRuns(browser.app, gone, [
        { status: 'error', error_code: 'auth_error', error_message: 'The model provider refused the API key.' },
        { status: 'skipped', skip_reason: 'quiet_hours', trigger: 'after_sync' },
        { status: 'timeout', hit_cap: 'max_duration', trigger: 'cron' },
      ]);
      const page = await browser.open('/runs', { as: ana });
      await page.getByText('The model provider refused the API key.').waitFor();
      await expectGoodLooks(page, 'runs');
      await page.getByRole('tab', { name: 'Failed' }).click();
      await page.getByText('It stopped at its time limit.').waitFor();
      expect(await page.getByRole('link', { name: 'Keeper' }).count()).toBe(0);
      await page.getByLabel('Why').selectOption('cron');
      await expect.poll(() => page.getByRole('link', { name: 'Gone' }).count()).toBe(1);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(() => page.getByRole('link', { name: 'Gone' }).count()).toBe(2);
      await page.getByRole('tab', { name: 'Skipped' }).click();
      await page.getByText('The start fell in quiet hours.').waitFor();
      await page.getByRole('link', { name: 'Gone' }).click();
      await page.getByRole('heading', { name: 'Gone' }).waitFor();
    });
  },
  ['SQLite'],
);
