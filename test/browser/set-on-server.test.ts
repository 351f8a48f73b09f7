import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { browserTest } from '../harness/browser/browser.ts';
import { signIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const env = {
  PLAID_CLIENT_ID: '64f0a1b2c3d4e5f6a7b89f3c',
  PLAID_SECRET: 'plaid-secret-of-this-test',
  TELLER_APPLICATION_ID: 'app_of_this_test',
  WORKFLOW_MODEL_PROVIDER: 'anthropic',
  ANTHROPIC_API_KEY: 'sk-ant-of-this-test-ijkl',
};

/** All notes below a field that cannot be changed. */
async function notesOf(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: true });
  expect(await field.isDisabled()).toBe(true);
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  const notes = await Promise.all(ids.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()));
  return notes.join(' ');
}

/** Settings that come from environment variables, as the dashboard shows them. */
forEachDatabase(
  (database) => {
    const dashboard = browserTest(database, { env });

    test('the credentials of a provider say whether they are set, and where they can be changed', async () => {
      const page = await dashboard.open('/settings/providers', { as: await signIn(dashboard.app, { name: 'Ana' }) });
      const plaid = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Plaid' }) });
      await plaid.getByText('can be changed only there').waitFor();
      await expect
        .poll(() => plaid.locator('dl').innerText())
        .toMatch(/Client ID\s+Set, ends in 9f3c\s+Secret\s+Set\s/);
      const teller = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Teller' }) });
      await expect.poll(() => teller.locator('dl').innerText()).toMatch(/private key\s+Not set/);
      // Nothing is asked for that could not be saved.
      expect(
        await page
          .getByLabel('Client ID')
          .or(page.getByLabel('Secret', { exact: true }))
          .count(),
      ).toBe(0);
      await page.getByLabel('Webhook address (optional)').waitFor();
    });

    test('the key of a model says once that it is set on the server', async () => {
      const page = await dashboard.open('/settings/models', { as: await signIn(dashboard.app, { name: 'Ben' }) });
      await expect.poll(() => notesOf(page, 'Key')).toBe('Set on the server.');
    });
  },
  ['SQLite'],
);
