import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { browserTest, expectGoodLooks, isFocused } from '../harness/browser/browser.ts';
import { addLogin, PASSWORD, signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** The rooms of those who run the household, as people with each role see and use them. */
forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let people: Promise<{ ana: SignedIn; ben: SignedIn; cleo: SignedIn }> | undefined;
    const household = () =>
      (people ??= (async () => ({
        ana: await signIn(dashboard.app, { name: 'Ana' }),
        ben: await signIn(dashboard.app, { name: 'Ben', role: 'editor' }),
        cleo: await signIn(dashboard.app, { name: 'Cleo', role: 'viewer' }),
      }))());
    const openAs = async (who: 'ana' | 'ben' | 'cleo', path: string): Promise<Page> =>
      dashboard.open(path, { as: (await household())[who] });
    const ask = (path: string, key: string) =>
      fetch(dashboard.address + path, { headers: { 'x-api-key': key } }).then(({ status }) => status);

    test('a key is made by keyboard alone, works, and is in no page afterwards; revoked, it is refused', async () => {
      const page = await openAs('ana', '/settings/api-keys');
      await page.getByRole('button', { name: 'New key' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('input[name=name]:focus').waitFor();
      await page.keyboard.type('Kitchen tablet');
      await page.keyboard.press('Enter');
      const shown = page.getByRole('dialog').getByText(/^hl_\w{43}$/);
      const key = (await shown.textContent()) as string;
      expect(await ask('/api/v1/accounts', key)).toBe(200);
      await page.keyboard.press('Escape');
      await expect.poll(() => shown.isVisible()).toBe(true);
      await page.getByRole('button', { name: 'I have saved it' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: /Kitchen tablet/ }).waitFor();
      expect(await page.content()).not.toContain(key);

      await page.getByRole('button', { name: 'Actions for Kitchen tablet' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
      await page.keyboard.press('End');
      await page.locator('[role=menuitem]:focus', { hasText: 'Revoke' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: /Type Kitchen tablet/ }).fill('Kitchen tablet');
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: /Kitchen tablet.*Revoked/ }).waitFor();
      expect(await ask('/api/v1/accounts', key)).toBe(401);
    });

    test('an agent’s key proposes unless more is chosen, and its access can only be lowered', async () => {
      const page = await openAs('ana', '/settings/api-keys');
      await page.getByRole('button', { name: 'New key' }).click();
      await expect.poll(() => page.getByRole('radio', { name: 'Read only' }).isChecked()).toBe(true);
      await page.getByRole('radio', { name: 'For an agent' }).check();
      await expect.poll(() => page.getByRole('radio', { name: 'Propose' }).isChecked()).toBe(true);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Claws');
      await expectGoodLooks(page, 'api-keys-agent');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('claude mcp add').waitFor();
      const key = (await page
        .getByRole('dialog')
        .getByText(/^hl_\w{43}$/)
        .textContent()) as string;
      const own = await dashboard.app.request('GET', '/api/v1/keys/me', { key });
      expect(own.json).toMatchObject({ scope: 'propose', actor_type: 'agent' });
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByRole('row', { name: /Claws.*Propose/ }).waitFor();
      await page.getByRole('button', { name: 'Actions for Claws' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      const access = page.getByRole('combobox', { name: 'Access' });
      expect(await access.locator('option').allTextContents()).toEqual(['Read only', 'Propose']);
      await access.selectOption('Read only');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: /Claws.*Read only/ }).waitFor();
    });

    test('a key that nobody has saved stays in sight, however often Escape is pressed', async () => {
      const page = await openAs('ana', '/settings/api-keys');
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Insistent');
      await page.getByRole('button', { name: 'Create key' }).click();
      const saved = page.getByRole('button', { name: 'I have saved it' });
      await saved.waitFor();
      // Browsers close a dialog by themselves at the third.
      for (let presses = 0; presses < 4; presses++) {
        await page.keyboard.press('Escape');
        await page.evaluate('new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)))');
      }
      await expect.poll(() => saved.isVisible()).toBe(true);
      await saved.click();
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    });

    test('the name to type is the one that is seen', async () => {
      const { ana } = await household();
      const name = 'Old\u00a0 laptop of Ame\u0301lie\u200b';
      const body = { name, scope: 'read_only' };
      await dashboard.app.request('POST', '/api/v1/api-keys', { body, headers: ana.headers });
      const page = await openAs('ana', '/settings/api-keys');
      await page.getByRole('button', { name: /^Actions for Old/ }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      const field = page.getByRole('textbox', { name: /^Type Old/ });
      await field.fill('Old laptop of Amelie');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
      await field.fill('Old laptop of Amélie');
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: /^Old.*Revoked/ }).waitFor();
    });

    test('a key whose answer was lost on the way is offered to be revoked', async () => {
      const page = await openAs('ana', '/settings/api-keys');
      let isLost = false;
      await page.route('**/api/v1/api-keys', async (route) => {
        if (route.request().method() !== 'POST' || isLost) return route.continue();
        isLost = true;
        await route.fetch();
        await route.abort();
      });
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lost');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Cannot reach Homeledger.').first().waitFor();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'Revoke it and start again' }).click();
      await page.getByRole('row', { name: /Lost.*Revoked/ }).waitFor();
      await expect.poll(() => page.getByRole('row', { name: /Lost/ }).count()).toBe(1);
    });

    test('a person is added and invited by a link that is shown once; the last admin stays one', async () => {
      const page = await openAs('ana', '/household');
      await page.getByRole('button', { name: 'Add a person' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Dora');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Invite Dora' }).click();
      await page.getByRole('textbox', { name: 'Email address for signing in' }).fill('dora@home.example');
      await page.getByText('The link opens only on this computer').waitFor();
      await expectGoodLooks(page, 'household-invite');
      await page.getByRole('button', { name: 'Make invitation link' }).click();
      const link = await page
        .getByRole('dialog')
        .getByText(/\/invite\/[\w-]{43}$/)
        .textContent();
      expect(link).toContain(`${dashboard.address}/invite/`);
      await page.getByText('start it with HOST=0.0.0.0').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('Invited; the link expires').waitFor();
      expect(await page.content()).not.toContain(link);

      await page.getByRole('button', { name: 'Actions for Ana' }).click();
      await page.getByRole('menuitem', { name: 'Change role' }).click();
      await page.getByRole('radio', { name: /Viewer/ }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').filter({ hasText: 'last admin' }).waitFor();
    });

    test('a setting that is refused says so at its field, and one that is accepted stays', async () => {
      const page = await openAs('ana', '/settings/general');
      const address = page.getByRole('textbox', { name: 'Public address' });
      await address.fill('http://money.example');
      await page.getByRole('button', { name: 'Save address' }).click();
      await page.locator('p[role=alert]').filter({ hasText: /https/ }).waitFor();
      await expect.poll(() => isFocused(address)).toBe(true);
      await page.reload();
      await page.getByRole('textbox', { name: 'Name' }).fill('The Lovelaces');
      await page.getByRole('button', { name: 'Save household' }).click();
      await page.getByText('Saved.').waitFor();
      await page.reload();
      await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('The Lovelaces');
    });

    test('a public address that others cannot open is doubted where it is typed, and System says where phones at home go', async () => {
      const page = await openAs('ana', '/settings/general');
      const address = page.getByRole('textbox', { name: 'Public address' });
      await address.fill('http://127.0.0.1:8080');
      await address.press('Tab');
      await page.getByText('Other devices cannot open this address').waitFor();
      await address.fill('http://192.168.1.99:8080');
      const doubt = page.getByText('This server does not listen there');
      await doubt.waitFor();
      await page.getByText('start it with HOST=0.0.0.0').waitFor();
      await expectGoodLooks(page, 'general-address');
      await address.fill('https://money.example');
      await expect.poll(() => doubt.count()).toBe(0);
      await address.fill('');
      await page.getByRole('link', { name: 'System', exact: true }).click();
      await page.getByText('Phones at home open').waitFor();
      await page.getByText('The server listens on its own computer only').waitFor();
    });

    test('a setting that somebody else changes meanwhile is shown, and what was typed in another is kept and saved alone', async () => {
      const page = await openAs('ana', '/settings/general');
      const name = page.getByRole('textbox', { name: 'Name' });
      await page.getByLabel('Currency').selectOption('CHF');
      const body = { value: 'The Byrons' };
      expect((await dashboard.app.request('PUT', '/api/v1/config/household.name', { body })).status).toBe(200);
      await page.clock.setFixedTime(dashboard.app.clock.now() + 60_000);
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await expect.poll(() => name.inputValue()).toBe('The Byrons');
      await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('CHF');
      await page.getByRole('link', { name: 'Home', exact: true }).click();
      await page.getByRole('button', { name: 'Stay' }).click();
      await page.getByRole('button', { name: 'Save household' }).click();
      await page.getByText('Saved.').waitFor();
      const stored = (await dashboard.app.request('GET', '/api/v1/config')).json as { key: string; value: string }[];
      const valueOf = (key: string): string | undefined => stored.find((entry) => entry.key === key)?.value;
      expect([valueOf('household.name'), valueOf('default_currency')]).toEqual(['The Byrons', 'CHF']);
    });

    test('the secret of a provider is never in the page again', async () => {
      const page = await openAs('ana', '/settings/providers');
      await page.getByRole('textbox', { name: 'Client ID' }).fill('64f0a1b2c3d4e5f6a7b89f3c');
      await page.getByLabel('Secret', { exact: true }).fill('plaid-secret-of-this-test');
      await page.getByRole('button', { name: 'Save Plaid' }).click();
      await page.getByText('Set, ends in 9f3c').waitFor();
      await page.getByText('Ready').waitFor();
      expect(await page.content()).not.toContain('plaid-secret-of-this-test');
      await expect.poll(() => page.getByLabel('Secret', { exact: true }).inputValue()).toBe('');
      await expect.poll(() => page.getByRole('textbox', { name: 'Client ID' }).inputValue()).toBe('');
    });

    test('a viewer and an editor find no administration, and are told why at its addresses', async () => {
      for (const who of ['ben', 'cleo'] as const) {
        const page = await openAs(who, '/settings/profile');
        await page.getByRole('heading', { name: 'Profile' }).waitFor();
        const menu = page.getByRole('navigation', { name: 'Settings' });
        await expect.poll(() => menu.getByRole('link').allInnerTexts()).toEqual(['Profile', 'System']);
        await page.goto(`${dashboard.address}/settings/api-keys`);
        await page.getByRole('heading', { name: 'You need more rights' }).waitFor();
      }
    });

    test('a viewer changes their own name, and sees where they are signed in', async () => {
      const eve = await signIn(dashboard.app, { name: 'Eve', role: 'viewer' });
      const page = await dashboard.open('/settings/profile', { as: eve });
      await page.getByRole('textbox', { name: 'Name' }).fill('Eva');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Saved.').waitFor();
      await expect.poll(() => page.getByRole('row', { name: /This browser/ }).count()).toBe(1);
    });

    test('a password that was changed is in no field afterwards', async () => {
      const { login } = await addLogin(dashboard.app, { name: 'Fay' });
      const page = await dashboard.open('/login?next=/settings/profile');
      await page.getByLabel('Email').fill(login.identifier);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      const form = page.locator('form', { hasText: 'Change password' });
      await form.getByLabel('Current password').fill(PASSWORD);
      await form.getByLabel('New password', { exact: true }).fill(`${PASSWORD} two`);
      await form.getByLabel('Repeat new password').fill(`${PASSWORD} two`);
      await form.getByLabel('Also revoke my API keys').check();
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Password changed.').waitFor();
      for (const label of ['Current password', 'New password', 'Repeat new password']) {
        await expect.poll(() => form.getByLabel(label, { exact: true }).inputValue()).toBe('');
      }
      await expect.poll(() => form.getByLabel('Also revoke my API keys').isChecked()).toBe(false);
    });

    describe('pass axe in both themes and widths', () => {
      test.each([
        ['/household', 'Household'],
        ['/settings/api-keys', 'API keys'],
        ['/settings/general', 'General'],
        ['/settings/providers', 'Bank providers'],
        ['/settings/profile', 'Profile'],
      ])('%s', async (path, title) => {
        const page = await openAs('ana', path);
        await page.getByRole('heading', { name: title, level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        await expectGoodLooks(page, path.replaceAll('/', '-').slice(1));
      });
    });
  },
  ['SQLite'],
);
