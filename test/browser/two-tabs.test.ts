import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { importFile } from '../harness/bank-files/bank-files.ts';
import { addBankConnection, configureProviders } from '../harness/banks/bank-connection.ts';
import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addMember } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { setUpModel } from '../harness/workflows/started-runs.ts';
import { addRuns, addWorkflow } from '../harness/workflows/workflow-rows.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** A form whose record somebody else changes while it is open. */
interface Case {
  /** The page and how its form is reached. */
  at: string | (() => string);
  open?: (page: Page) => Promise<unknown>;
  /** The field that both change; what this page enters, and what the other sends. */
  field: (page: Page) => Locator;
  mine: string;
  theirs: string;
  send: readonly [method: string, path: string | (() => string), body: object];
  submit: string;
  /** What is stored then, by the read of the same path unless another is named. */
  stored: (json: Answered) => unknown;
  read?: string | (() => string);
}
// oxlint-disable-next-line typescript/no-explicit-any
type Answered = any;

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const textbox = (name: string) => (page: Page) => page.getByRole('textbox', { name });
const choice = (name: string) => (page: Page) => page.getByRole('combobox', { name });

/** Whoever saves second sees both values wherever a form shows what is stored (contract 80.1, Forms). */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    const ids = { bank: '', files: '', run: '', ben: '', login: '' };
    beforeAll(async () => {
      const { app } = browser;
      ana = await signIn(app, { name: 'Ana' });
      await configureProviders(app);
      await setUpModel(app, { model: 'first-model' });
      const ben = await addMember(app, 'Ben');
      ids.ben = ben.id;
      const made = await app.request('POST', `/api/v1/users/${ben.id}/login`, {
        body: { identifier: 'ben@example.com' },
      });
      ids.login = made.json.id;
      ids.bank = (await addBankConnection(app, ben)).id;
      const file = 'Date,Description,Amount\n2026-04-01,RENT,-450.00\n';
      const fields = { account_name: 'Giro', user_id: ben.id, sign: 'positive_is_in', iso_currency_code: 'EUR' };
      ids.files = (await importFile(app, file, fields)).json.connection_id;
      ids.run = (await addRuns(app, await addWorkflow(app), [{}]))[0] as string;
    });

    const cases: Record<string, Case> = {
      'how often a bank syncs': {
        at: () => `/connections/${ids.bank}`,
        open: press('Change how often it syncs'),
        field: choice('Sync'),
        mine: '3600',
        theirs: '86400',
        send: ['PATCH', () => `/connections/${ids.bank}`, { sync_interval_seconds: 86_400 }],
        submit: 'Save',
        stored: (json) => String(json.sync_interval_seconds),
      },
      'the name of what files feed': {
        at: () => `/connections/${ids.files}`,
        open: press('Change the name'),
        field: textbox('Name'),
        mine: 'Mine',
        theirs: 'Theirs',
        send: ['PATCH', () => `/connections/${ids.files}`, { institution_name: 'Theirs' }],
        submit: 'Save',
        stored: (json) => json.institution_name,
      },
      'a setting of the household': {
        at: '/settings/general',
        field: textbox('Name'),
        mine: 'Our house',
        theirs: 'Their house',
        send: ['PUT', '/config/household.name', { value: 'Their house' }],
        submit: 'Save household',
        stored: (json) => json.value,
      },
      'the times of syncs': {
        at: '/settings/sync',
        field: (page) => page.getByLabel('Days of warning before a permission ends'),
        mine: '10',
        theirs: '20',
        send: ['PUT', '/config/consent_warning_days', { value: '20' }],
        submit: 'Save for all banks',
        stored: (json) => json.value,
      },
      'the model of workflows': {
        at: '/settings/models',
        field: textbox('Default model'),
        mine: 'my-model',
        theirs: 'their-model',
        send: ['PUT', '/workflows/settings', { model: 'their-model' }],
        submit: 'Save models',
        stored: (json) => json.model,
      },
      'the limits of workflows': {
        at: '/settings/models',
        field: textbox('Workflows at once'),
        mine: '4',
        theirs: '7',
        send: ['PUT', '/workflows/settings', { max_concurrent: 7 }],
        submit: 'Save limits',
        stored: (json) => String(json.max_concurrent),
      },
      'the price of a model': {
        at: '/settings/models',
        open: press('Change the price of claude-sonnet-5'),
        field: (page) => page.getByRole('dialog').getByLabel('Input', { exact: true }),
        mine: '1.5',
        theirs: '2.5',
        send: [
          'PUT',
          '/workflows/settings',
          { prices: [{ model: 'claude-sonnet-5', input_per_mtok: 2.5, output_per_mtok: 15 }] },
        ],
        submit: 'Save price',
        stored: (json) => String(json.prices[0].input_per_mtok),
      },
      'the settings of a provider': {
        at: '/settings/providers',
        field: textbox('Webhook address'),
        mine: 'https://mine.example/hook',
        theirs: 'https://theirs.example/hook',
        send: ['PUT', '/settings/providers/plaid', { webhook_url: 'https://theirs.example/hook' }],
        submit: 'Save Plaid',
        read: '/settings/providers',
        stored: (json) => json.plaid.webhook_url,
      },
      'the answers to agents': {
        at: '/settings/agents',
        field: textbox('Largest answer in bytes'),
        mine: '20000',
        theirs: '30000',
        send: ['PATCH', '/settings/mcp', { max_response_bytes: 30_000 }],
        submit: 'Save answers and records',
        stored: (json) => String(json.max_response_bytes),
      },
      'what agents are told': {
        at: '/settings/agents',
        open: press('Write your own: Guide to reporting'),
        field: (page) => page.getByRole('textbox', { name: 'Your text' }),
        mine: 'Mine.',
        theirs: 'Theirs.',
        send: ['PATCH', '/settings/mcp', { report_guide: 'Theirs.' }],
        submit: 'Save: guide to reporting',
        stored: (json) => json.report_guide,
      },
      'how messages are sent': {
        at: '/settings/notifications',
        field: (page) => page.getByLabel('Days for which messages are listed'),
        mine: '11',
        theirs: '22',
        send: ['PATCH', '/settings/notifications', { delivery_retention_days: 22 }],
        submit: 'Save',
        stored: (json) => String(json.delivery_retention_days),
      },
      'a workflow': {
        at: '/workflows/watcher',
        field: (page) => page.getByLabel('Steps per run'),
        mine: '33',
        theirs: '44',
        send: ['PATCH', '/workflows/watcher', { max_turns: 44 }],
        submit: 'Save',
        stored: (json) => String(json.max_turns),
      },
      'the note of a run': {
        at: () => `/runs/${ids.run}`,
        open: press('Write a note'),
        field: textbox('Your note'),
        mine: 'Looked at it',
        theirs: 'Nobody has looked',
        send: ['PATCH', () => `/workflows/runs/${ids.run}`, { note: 'Nobody has looked' }],
        submit: 'Save',
        stored: (json) => json.operator_note,
      },
      'how a member signs in': {
        at: '/household',
        open: async (page) => {
          await page.getByRole('button', { name: /Actions for Ben/ }).click();
          await page.getByRole('menuitem', { name: /role/i }).click();
        },
        field: textbox('Email address for signing in'),
        mine: 'mine@example.com',
        theirs: 'theirs@example.com',
        send: ['PATCH', () => `/users/${ids.ben}/login/${ids.login}`, { identifier: 'theirs@example.com' }],
        submit: 'Save',
        read: () => `/users/${ids.ben}/login`,
        stored: (json) => json[0].identifier,
      },
    };

    const said = (text: string | (() => string)): string => (typeof text === 'string' ? text : text());
    const enter = async (field: Locator, value: string): Promise<void> => {
      await field.waitFor();
      const isList = (await field.evaluate((element) => element.tagName)) === 'SELECT';
      await (isList ? field.selectOption(value) : field.fill(value));
    };

    test.for(Object.keys(cases))('%s: both values are shown, and nothing is overwritten unasked', async (name) => {
      const one = cases[name] as Case;
      const [method, path, body] = one.send;
      const stored = async (): Promise<unknown> =>
        one.stored((await browser.app.request('GET', `/api/v1${said(one.read ?? path)}`)).json);
      const page = await browser.open(said(one.at), { as: ana });
      await one.open?.(page);
      const field = one.field(page);
      await enter(field, one.mine);
      const sent = await browser.app.request(method, `/api/v1${said(path)}`, { body });
      expect(sent.status, sent.text).toBe(200);
      await page.getByRole('button', { name: one.submit, exact: true }).click();
      const conflict = page.locator('[data-conflict]');
      await conflict.getByRole('button', { name: /^Saved meanwhile: / }).waitFor();
      expect(await stored()).toBe(one.theirs);
      if (name === 'the settings of a provider') await expectGoodLooks(page, 'provider-conflict');
      await conflict.getByRole('button', { name: /^Yours: / }).click();
      await page.getByRole('button', { name: one.submit, exact: true }).click();
      await expect.poll(stored).toBe(one.mine);
    });

    test('a save that is on its way cannot be pressed again while another form of the record is saved', async () => {
      const page = await browser.open('/settings/models', { as: ana });
      const held = Promise.withResolvers<void>();
      let sent = 0;
      await page.route('**/api/v1/workflows/settings', async (route) => {
        const isModel = route.request().method() === 'PATCH' && route.request().postDataJSON().model !== undefined;
        if (isModel && (sent += 1) === 1) await held.promise;
        await route.continue();
      });
      const models = page.getByRole('button', { name: 'Save models', exact: true });
      await enter(textbox('Default model')(page), 'held-model');
      await models.click();
      await expect.poll(() => models.getAttribute('aria-busy')).toBe('true');
      await enter(textbox('Workflows at once')(page), '6');
      const reread = page.waitForResponse(
        (answer) => answer.request().method() === 'GET' && /workflows.settings/.test(answer.url()),
      );
      await page.getByRole('button', { name: 'Save limits', exact: true }).click();
      await reread;
      await expect
        .poll(() => page.getByRole('button', { name: 'Save limits', exact: true }).getAttribute('aria-busy'))
        .toBeNull();
      await expect.poll(() => models.getAttribute('aria-busy')).toBe('true');
      await models.press('Enter');
      expect(sent).toBe(1);
      held.resolve();
      const stored = async () => (await browser.app.request('GET', '/api/v1/workflows/settings')).json;
      await expect.poll(stored).toMatchObject({ model: 'held-model', max_concurrent: 6 });
    });
  },
  ['SQLite'],
);
