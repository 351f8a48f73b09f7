import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';
import { addFromPreset, addRuns, addWorkflow } from '../harness/workflows/workflow-rows.ts';

/** Workflows as a person writes, changes and copies them. */
forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let people: Promise<{ ana: SignedIn; vic: SignedIn }> | undefined;
    const household = () =>
      (people ??= (async () => ({
        ana: await signIn(dashboard.app, { name: 'Ana' }),
        vic: await signIn(dashboard.app, { name: 'Vic', role: 'viewer' }),
      }))());
    const openAs = async (who: 'ana' | 'vic', path: string): Promise<Page> =>
      dashboard.open(path, { as: (await household())[who] });
    const workflow = async (slug: string) => (await dashboard.app.request('GET', `/api/v1/workflows/${slug}`)).json;

    test('a new workflow is composed before the eyes, saved paused by keyboard, and says when it would start', async () => {
      const zone = { body: { value: 'Asia/Kathmandu' } };
      await dashboard.app.request('PUT', '/api/v1/config/instance.timezone', zone);
      const page = await openAs('ana', '/workflows/new');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Weekend report');
      await page.getByRole('combobox', { name: 'Task' }).selectOption('strategy-spending-report');
      await page.getByText('Composed prompt').click();
      await page.getByRole('textbox', { name: /^Additional instructions/ }).fill('Mention the garden.');
      await page.getByText('Mention the garden.', { exact: false }).last().waitFor();
      await page.getByText(/\d characters, about [\d,]+ tokens/).waitFor();
      await page.getByRole('radio', { name: /^Reads and writes/ }).check();
      await page.getByText('Nobody looks at its changes first').waitFor();
      await page.getByRole('radio', { name: 'On a schedule' }).check();
      const schedule = page.getByRole('textbox', { name: 'Schedule' });
      await schedule.fill('@daily');
      await page.getByText('must have five fields', { exact: false }).waitFor();
      await schedule.fill('0 7 * * MON');
      await page.getByText('Next starts, if it is enabled').waitFor();
      const starts = page.getByRole('listitem').filter({ has: page.locator('time') });
      expect(await starts.allTextContents()).toEqual(Array(5).fill(expect.stringMatching(/^Monday.*\b0?7:00/)));
      await page.getByRole('textbox', { name: /^Tools/ }).fill('get_overview\nquery_transaction');
      await expectGoodLooks(page, 'workflow-new');
      const save = page.getByRole('button', { name: 'Save paused' });
      await save.click();
      await page.getByText('Did you mean query_transactions?', { exact: false }).waitFor();
      await page.getByRole('textbox', { name: /^Tools/ }).fill('get_overview, query_transactions');
      await save.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Weekend report' }).waitFor();
      expect(await workflow('weekend-report')).toMatchObject({
        enabled: false,
        prompt_edited: false,
        prompt_blocks: ['strategy-spending-report'],
        extra_instructions: 'Mention the garden.',
        tool_scope: 'read_write',
        allowed_tools: ['get_overview', 'query_transactions'],
        schedule_cron: '0 7 * * MON',
      });
    });

    test('a workflow of a preset is changed, written by hand, composed again, and never enabled by that', async () => {
      const { slug, prompt } = await addFromPreset(dashboard.app);
      const page = await openAs('ana', `/workflows/${slug}`);
      await page.getByRole('combobox', { name: 'How to apply' }).selectOption('flag_only');
      await page.getByRole('textbox', { name: 'Dollars per run' }).fill('0.25');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect
        .poll(() => workflow(slug))
        .toMatchObject({
          preset_options: { apply_mode: 'flag_only' },
          max_budget_usd: 0.25,
          enabled: false,
        });
      await page.getByRole('radio', { name: /^My own text/ }).check();
      await page.getByRole('textbox', { name: 'Your text' }).fill('Only look.');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(() => workflow(slug)).toMatchObject({ prompt: 'Only look.', prompt_edited: true });
      await expectGoodLooks(page, 'workflow');
      await page.getByRole('button', { name: 'Compose again' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Compose again' }).click();
      await expect.poll(async () => (await workflow(slug)).prompt_edited).toBe(false);
      const again = await workflow(slug);
      expect([again.prompt.startsWith(prompt), again.enabled]).toEqual([true, false]);
    });

    test('leaving with changes asks; a copy begins with what the original has', async () => {
      const original = await addWorkflow(dashboard.app, {
        name: 'Original',
        quiet_hours_start: '22:00',
        quiet_hours_end: '06:00',
      });
      const page = await openAs('ana', `/workflows/${original.slug}`);
      await page.getByRole('textbox', { name: 'Your text' }).fill('Half a thought');
      await page.getByRole('link', { name: 'Duplicate' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('textbox', { name: 'Your text' }).inputValue()).toBe('Half a thought');

      const copy = await openAs('ana', `/workflows/new?from=${original.slug}`);
      await expect
        .poll(() => copy.getByRole('textbox', { name: 'Name', exact: true }).inputValue())
        .toBe('Original copy');
      await copy.getByRole('button', { name: 'Save paused' }).click();
      await copy.getByRole('heading', { name: 'Original copy' }).waitFor();
      expect(await workflow('original-copy')).toMatchObject({
        prompt: 'Look at what is new.',
        quiet_hours_start: '22:00',
        enabled: false,
      });
    });

    test('a workflow is run from its page, which says what that will cost, and leads to its last run', async () => {
      const started = await addWorkflow(dashboard.app, { name: 'Costly', max_budget_usd: 0.5 });
      await addRuns(dashboard.app, started, [
        { status: 'error', error_code: 'api_error', total_cost_micros: 30_000 },
        { status: 'error', error_code: 'api_error', total_cost_micros: 10_000 },
      ]);
      const page = await openAs('ana', `/workflows/${started.slug}`);
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByText('A run costs about US$0.02. It stops when it has cost US$0.50.', { exact: false }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: /^Workflows, 2 failed|^Workflows.*2 failed/ }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Failed' }).click();
      await page.waitForURL(/\/runs\/\w{8}$/);
    });

    test('a viewer reads a workflow and is told why nothing can be saved', async () => {
      const { slug } = await addWorkflow(dashboard.app, { name: 'Seen' });
      const page = await openAs('vic', `/workflows/${slug}`);
      await page.getByRole('heading', { name: 'Seen' }).waitFor();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    });
  },
  ['SQLite'],
);
