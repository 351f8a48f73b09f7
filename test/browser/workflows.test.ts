import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { browserTest, expectGoodLooks, expectRefused } from '../harness/browser/browser.ts';
import { answer, scriptedModel, type Script } from '../harness/workflows/runs.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { changeModels, setUpModel } from '../harness/workflows/started-runs.ts';
import { forEachDatabase } from '../harness/test-app.ts';
import { addRuns, addWorkflow } from '../harness/workflows/workflow-rows.ts';

/** From a household without a model to workflows that are on, run, fail and go. The tests build on each other. */
forEachDatabase(
  (database) => {
    const model = scriptedModel();
    const dashboard = browserTest(database, { standInModel: () => model });
    let people: Promise<Record<'ana' | 'viewer', SignedIn>> | undefined;
    const household = () =>
      (people ??= (async () => ({
        ana: await signIn(dashboard.app, { name: 'Ana' }),
        viewer: await signIn(dashboard.app, { name: 'Vera', role: 'viewer' }),
      }))());
    const openAs = async (who: 'ana' | 'viewer'): Promise<Page> =>
      dashboard.open('/workflows', { as: (await household())[who] });
    const get = async (path: string) => (await dashboard.app.request('GET', `/api/v1${path}`)).json;
    const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

    test('without a model it says what is missing, and shows what could be added', async () => {
      const page = await openAs('ana');
      await page.getByText('No model is chosen').waitFor();
      await page.getByRole('link', { name: 'Open the settings of models' }).waitFor();
      await page.getByText('No workflow yet').waitFor();
      await page.getByText('The household has set no ceiling.').waitFor();
      const gallery = card(page, 'File what is new');
      // What it is called comes second.
      await gallery.getByText('Routine Reviewer').waitFor();
      await gallery.getByText('After each sync or import').waitFor();
      await gallery.getByText('Proposes changes; you decide').waitFor();
      await gallery.getByText('About US$0.02 a run').waitFor();
      await card(page, 'Catch up on old transactions').getByText('Mondays at 07:00').waitFor();
      await card(page, 'Report on the past month').getByText('On day 1 of each month at 08:00').waitFor();
      await expectGoodLooks(page, 'workflows-empty');
    });

    test('a preset is added paused, with what was chosen', async () => {
      const page = await openAs('ana');
      await button(page, 'Add: File what is new').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: 'Only flag' }).check();
      await dialog.getByLabel('Extra instructions').fill('The cat is called Momo.');
      await dialog.getByLabel('Budget of a run').fill('lots');
      await button(page, 'Add').click();
      await dialog.getByText('Must be a number of US dollars from 0 to 1000.').waitFor();
      await expectGoodLooks(page, 'workflows-add');
      await dialog.getByLabel('Budget of a run').fill('0.25');
      await dialog.getByRole('radio', { name: 'Only when you run it' }).check();
      await button(page, 'Add').click();
      await page.getByText('“File what is new” is added, and paused.').first().waitFor();
      await button(page, 'Run now: File what is new').waitFor();
      expect(await get('/workflows/routine-reviewer')).toMatchObject({
        enabled: false,
        preset_options: { apply_mode: 'flag_only' },
        extra_instructions: 'The cat is called Momo.',
        max_budget_usd: 0.25,
        trigger_on_sync_complete: false,
      });

      await button(page, 'Add: Report on the past month').click();
      await dialog.getByRole('checkbox', { name: 'Switch it on now' }).check();
      await button(page, 'Add').click();
      await page.getByText('“Report on the past month” is on.').first().waitFor();
      await button(page, 'Pause: Report on the past month').waitFor();
      const close = await get('/workflows/monthly-close');
      expect([close.enabled, close.schedule_cron]).toEqual([true, '0 8 1 * *']);
      await page.getByText('Added, and on.').waitFor();
    });

    test('a workflow is paused, resumed by undoing that, run with a note, and followed', async () => {
      const gate = Promise.withResolvers<void>();
      const held: Script = async () => {
        await gate.promise;
        return answer({ toolCalls: [{ id: 'look', tool: 'get_overview', input: {} }] });
      };
      model.script = [held, { text: 'Done.' }];
      const page = await openAs('ana');
      await expectRefused(button(page, 'Run now: Report on the past month'));
      await button(page, 'Pause: Report on the past month').click();
      await button(page, 'Resume: Report on the past month').waitFor();
      await page.getByRole('button', { name: 'Undo' }).first().click();
      await button(page, 'Pause: Report on the past month').waitFor();

      await setUpModel(dashboard.app, { global_max_budget_usd: 1.2 });
      await page.reload();
      await page.getByText('Ready', { exact: true }).waitFor();
      await button(page, 'Run now: Report on the past month').click();
      await page.getByRole('dialog').getByLabel('Note').fill('Mind the holiday.');
      await expectGoodLooks(page, 'workflows-run');
      await button(page, 'Run now').click();
      const running = page.getByRole('article').filter({ hasText: 'Last 30 days' }).filter({ hasText: 'Running' });
      await running.first().waitFor();
      await page.getByText('and US$1.00 reserved by runs in progress').waitFor();
      await page.getByText('83 % is used').waitFor();
      expect((await get('/workflows/monthly-close')).last_prompt_prefix).toBe('Mind the holiday.');
      gate.resolve();
      await page.getByRole('link', { name: 'Done' }).waitFor();
      await button(page, 'Run now: Report on the past month').click();
      await page.getByRole('button', { name: 'Use the last note' }).click();
      await expect.poll(() => page.getByRole('dialog').getByLabel('Note').inputValue()).toBe('Mind the holiday.');
      await page.keyboard.press('Escape');
    });

    test('failures and caps stand out, and a ceiling that is used up is said', async () => {
      const watcher = await addWorkflow(dashboard.app, { name: 'Watcher', tool_scope: 'read_write' });
      await addRuns(dashboard.app, watcher, [
        { status: 'error', error_code: 'api_error' },
        { status: 'timeout', hit_cap: 'max_duration', total_cost_micros: 2_500 },
      ]);
      await changeModels(dashboard.app, { global_max_budget_usd: 0 });
      const page = await openAs('ana');
      await page.getByText('2 of the last 2 runs failed').waitFor();
      await page.getByText('1 of the last 2 runs reached a cap').waitFor();
      await page.getByText('Nothing is left').waitFor();
      await expectGoodLooks(page, 'workflows');
    });

    test('a viewer sees everything and can change nothing', async () => {
      const page = await openAs('viewer');
      for (const name of [
        'New workflow',
        'Run now: Watcher',
        'Pause: Report on the past month',
        'Delete: Watcher',
        'Add: Catch up on old transactions',
      ]) {
        await expectRefused(button(page, name));
      }
      await expectRefused(page.getByRole('button', { name: /^Edit.*Watcher/ }));
    });

    test('deleting says what goes and what stays, and can be undone', async () => {
      const page = await openAs('ana');
      await button(page, 'Delete: Report on the past month').click();
      const dialog = page.getByRole('dialog', { name: 'Delete “Report on the past month”?' });
      await dialog.getByText('It no longer starts by itself (on day 1 of each month at 08:00).').waitFor();
      await dialog.getByText('1 run of the last 30 days').waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await button(page, 'Add: Report on the past month').waitFor();
      await page.getByRole('button', { name: 'Undo' }).first().click();
      await button(page, 'Delete: Report on the past month').waitFor();
    });
  },
  ['SQLite'],
);
