import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addCall } from '../harness/agents/agent-calls.ts';
import { browserTest, expectForFinger, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** What agents may do, and what they did, as those who run the household see it. */
forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let people: Promise<{ ana: SignedIn; ben: SignedIn }> | undefined;
    const household = () =>
      (people ??= (async () => ({
        ana: await signIn(dashboard.app, { name: 'Ana' }),
        ben: await signIn(dashboard.app, { name: 'Ben', role: 'editor' }),
      }))());
    const openAs = async (who: 'ana' | 'ben', path: string, width = 1280): Promise<Page> =>
      dashboard.open(path, { as: (await household())[who], width });
    const settings = async () => (await dashboard.app.request('GET', '/api/v1/settings/mcp')).json;

    test('agents are told how to connect to this very server', async () => {
      const page = await openAs('ana', '/settings/agents');
      const address = `${dashboard.address}/mcp`;
      await page.getByLabel('the address').getByText(address, { exact: true }).waitFor();
      for (const [client, expected] of [
        ['Claude Code', `claude mcp add --transport http homeledger ${address}`],
        ['Cursor', `"url": "${address}"`],
        ['VS Code', `"type": "http"`],
        ['Claude Desktop', `"HOMELEDGER_URL": "${dashboard.address}"`],
      ] as const) {
        await page.getByRole('tab', { name: client }).click();
        await page.getByRole('tabpanel').getByText(expected).first().waitFor();
      }
      await page.getByRole('tab', { name: 'Claude Code' }).click();
      await page.getByText('Tools that read').click();
      await expectGoodLooks(page, 'settings-agents');
    });

    test('a key for a client is made on the spot, may propose, and stands in the snippet until it is saved', async () => {
      const page = await openAs('ana', '/settings/agents');
      await page.getByRole('tab', { name: 'Cursor' }).click();
      await page.getByRole('button', { name: 'Make a key for Cursor' }).click();
      const shown = page.getByRole('tabpanel').getByText(/^hl_\w{43}$/);
      const key = (await shown.textContent()) as string;
      await page.getByText(`"Authorization": "Bearer ${key}"`).waitFor();
      const own = await dashboard.app.request('GET', '/api/v1/keys/me', { key });
      expect(own.json).toMatchObject({ name: 'Cursor', scope: 'propose', actor_type: 'agent' });
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByText(`"Authorization": "Bearer YOUR_KEY"`).waitFor();
      expect(await page.content()).not.toContain(key);
    });

    test('before a mode is saved, the page says what it means for the keys, and turns a person’s key into an agent’s', async () => {
      const mine = await dashboard.app.newKey({ name: 'On my laptop' });
      await dashboard.app.newKey({ name: 'Desk assistant', actor_type: 'agent' });
      const page = await openAs('ana', '/settings/agents');
      await page.getByRole('radio', { name: /^Propose/ }).check();
      await page.getByText(/agent.* will only propose, over the REST API too: .*Desk assistant/).waitFor();
      await expectGoodLooks(page, 'settings-agents-keys');
      await page.getByRole('button', { name: 'Make it an agent’s key: On my laptop' }).click();
      await page.getByText(/will only propose, over the REST API too: .*On my laptop/).waitFor();
      const own = await dashboard.app.request('GET', '/api/v1/keys/me', { key: mine.key });
      expect(own.json).toMatchObject({ actor_type: 'agent', effective_scope: 'full_access' });
    });

    test('mode, tools, texts and answers are saved, refused at their field, and reset', async () => {
      const page = await openAs('ana', '/settings/agents');
      await page.getByRole('radio', { name: /^Propose/ }).check();
      await page.getByRole('button', { name: 'Save what agents may do' }).click();
      await page.getByText('Saved.').first().waitFor();
      await page.getByText('Tools that change something').click();
      await page.getByRole('switch', { name: /^Delete a tag/ }).click();
      await page.getByText('“Delete a tag” is off.').waitFor();
      expect(await settings()).toMatchObject({ mode: 'propose', disabled_tools: ['delete_tag'] });
      await page.getByRole('switch', { name: /^Delete a tag/ }).click();
      await page.getByText('“Delete a tag” is on.').waitFor();
      expect((await settings()).disabled_tools).toEqual([]);
      const areBothChosen = Promise.withResolvers<void>();
      await page.route('**/settings/mcp', async (route) => {
        await areBothChosen.promise;
        await route.continue();
      });
      await page.getByRole('switch', { name: /^Delete a tag/ }).click();
      await page.getByRole('switch', { name: /^Create or change a tag/ }).click();
      areBothChosen.resolve();
      await page.getByText('“Create or change a tag” is off.').waitFor();
      expect((await settings()).disabled_tools).toEqual(['delete_tag', 'save_tag']);
      await page.unroute('**/settings/mcp');

      await page.getByRole('button', { name: 'Write your own: Instructions' }).click();
      const text = page.getByRole('textbox', { name: 'Your text' });
      await expect.poll(() => text.inputValue()).toContain('Begin with get_overview.');
      await text.fill('Ask before you write.');
      await page.getByRole('button', { name: 'Save: instructions' }).click();
      await page.getByRole('button', { name: 'Use the built-in text: Instructions' }).waitFor();
      expect((await settings()).instructions).toBe('Ask before you write.');
      const full = { code: 'UNAVAILABLE', message: 'The disk is full.' };
      await page.route('**/settings/mcp', (route) => route.fulfill({ status: 503, json: { error: full } }), {
        times: 1,
      });
      await page.getByRole('button', { name: 'Use the built-in text: Instructions' }).click();
      await page.getByRole('alert').filter({ hasText: 'The disk is full.' }).waitFor();
      await page.getByRole('button', { name: 'Use the built-in text: Instructions' }).click();
      await page.getByRole('button', { name: 'Write your own: Instructions' }).waitFor();
      expect((await settings()).instructions).toBeNull();

      await page.getByRole('textbox', { name: 'Largest answer in bytes' }).fill('9999');
      await page.getByRole('button', { name: 'Save answers and records' }).click();
      await page.getByRole('alert').filter({ hasText: '10000 to 1000000' }).waitFor();
      await page.getByRole('textbox', { name: 'Largest answer in bytes' }).fill('20000');
      await page.getByRole('checkbox', { name: /Shorten account and card numbers/ }).check();
      await page.getByRole('button', { name: 'Save answers and records' }).click();
      await expect.poll(settings).toMatchObject({ max_response_bytes: 20_000, mask_numbers: true });
    });

    test('calls are listed with who made them and what came of them, filtered, and shown whole', async () => {
      const page = await openAs('ben', '/agent-calls');
      await page.getByText('No calls yet').waitFor();
      const { app } = dashboard;
      await addCall(app, { tool: 'list_tags', arguments: '{"hidden":"<img src=x onerror=alert(1)>"}' });
      await addCall(
        app,
        { tool: 'update_transactions', effect: 'write', reason: 'weekly review', client_name: 'desk \u202e elpmaxe' },
        { outcome: 'error', errorCode: 'BATCH_ABORTED' },
      );
      await addCall(app, { tool: 'save_tag', effect: 'write' }, { proposalId: '0199e2a0-1f00-7aa1-9b10-5d2c11aa0002' });
      await page.reload();
      await page.getByRole('row', { name: /Update transactions.*Desk assistant.*Failed.*weekly review/ }).waitFor();
      await page.getByRole('row', { name: /Save tag.*Proposed/ }).waitFor();
      await expectGoodLooks(page, 'agent-calls');
      const phone = await openAs('ben', '/agent-calls', 360);
      await expectForFinger(phone.getByRole('button', { name: 'Save tag' }));

      await page.getByLabel('Result').selectOption('error');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('button', { name: 'List tags' }).click();
      const call = page.getByRole('dialog');
      await call.getByText('<img src=x onerror=alert(1)>').waitFor();
      await expectGoodLooks(page, 'agent-call');
      await call.getByRole('button', { name: 'Only calls of this tool' }).click();
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
    });

    test('an editor sees the calls, and is told why not the settings', async () => {
      const page = await openAs('ben', '/settings/agents');
      await page.getByRole('heading', { name: 'You need more rights' }).waitFor();
    });
  },
  ['SQLite'],
);
