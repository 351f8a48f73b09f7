import { expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { chat } from '../harness/workflows/model-answers.ts';
import { scriptedServer, type Recorded, type Scripted } from '../harness/servers/scripted-server.ts';
import { signIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const KEY = 'sk-local-abcdefghijkl';

/** A model that does not call tools, and forgets the beginning of long prompts. */
function forgetful({ body }: Recorded): Scripted {
  return chat({ content: body.length > 10_000 ? 'Which code word?' : 'Ready.' });
}

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    const settings = async () => (await dashboard.app.request('GET', '/api/v1/workflows/settings')).json;

    test('a model server of one’s own is set up, tested, and told what it lacks', async () => {
      const server = await scriptedServer();
      const page = await dashboard.open('/settings/models', { as: await signIn(dashboard.app, { name: 'Ana' }) });
      await page.getByRole('radio', { name: /^Anthropic/ }).check();
      await page.getByText('Anthropic gets the texts and tools of a workflow').waitFor();
      await page.getByRole('radio', { name: /^Another model server/ }).check();
      await page.getByText('Nothing, if the server is on this machine').waitFor();
      await page.getByRole('textbox', { name: 'Address' }).fill('ftp://models.example');
      await page.getByRole('textbox', { name: 'Default model' }).fill('local-model');
      await page.getByRole('button', { name: 'Save models' }).click();
      await page.getByRole('alert').filter({ hasText: 'must be an address' }).waitFor();
      await page.getByRole('textbox', { name: 'Address' }).fill(`${server.url}/v1`);
      await page.getByRole('textbox', { name: /^Key/ }).fill(KEY);
      await page.getByRole('button', { name: 'Save models' }).click();
      await page.getByText('Models saved.').first().waitFor();
      await page.getByText('Set, ends in ijkl.').waitFor();
      expect(await page.content()).not.toContain(KEY);
      await expect.poll(() => page.getByRole('textbox', { name: /^Key/ }).inputValue()).toBe('');
      await page.getByRole('textbox', { name: /^Key/ }).fill(KEY);
      await page.getByRole('button', { name: 'Save models' }).click();
      await expect.poll(() => page.getByRole('textbox', { name: /^Key/ }).inputValue()).toBe('');
      expect(await settings()).toMatchObject({
        provider: 'openai_compatible',
        model: 'local-model',
        base_url: `${server.url}/v1`,
        api_key_hint: 'ijkl',
      });

      server.script(forgetful);
      await page.getByRole('button', { name: 'Test the model' }).click();
      await page.getByText('It does not call tools').waitFor();
      await page.getByText('It forgets the beginning of long prompts').waitFor();
      await expectGoodLooks(page, 'settings-models');
      await server.close();
      await page.getByRole('button', { name: 'Test the model' }).click();
      await page.getByText('The model server cannot be reached.').waitFor();
    });

    test('limits and prices are saved, and a price of one’s own replaces the one that comes with the program', async () => {
      const page = await dashboard.open('/settings/models', { as: await signIn(dashboard.app, { name: 'Eva' }) });
      const ceiling = page.getByRole('textbox', { name: /^Most to spend/ });
      await ceiling.fill('lots');
      await page.getByRole('button', { name: 'Save limits' }).click();
      await page.getByRole('alert').filter({ hasText: 'must be an amount' }).waitFor();
      await ceiling.fill('12.5');
      await page.getByRole('textbox', { name: 'Workflows at once' }).fill('51');
      await page.getByRole('button', { name: 'Save limits' }).click();
      await page.getByRole('alert').filter({ hasText: 'from 1 to 50' }).waitFor();
      await page.getByRole('textbox', { name: 'Workflows at once' }).fill('2');
      await page.getByRole('button', { name: 'Save limits' }).click();
      await expect.poll(settings).toMatchObject({ global_max_budget_usd: 12.5, max_concurrent: 2 });

      await page.getByRole('button', { name: 'Change the price of claude-opus-5' }).click();
      await page.getByRole('textbox', { name: 'Input', exact: true }).fill('4');
      await expectGoodLooks(page, 'settings-models-price');
      await page.getByRole('button', { name: 'Save price' }).click();
      await page.getByRole('row', { name: /claude-opus-5.*You/ }).waitFor();
      await page.getByRole('button', { name: 'Remove the price of claude-opus-5' }).click();
      await page.getByRole('row', { name: /claude-opus-5.*Homeledger/ }).waitFor();
      expect((await settings()).prices).toEqual([]);
    });
  },
  ['SQLite'],
);
