import { readFile } from 'node:fs/promises';

import { identityToRecipient } from 'age-encryption';
import type { Locator } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';

import { recipientsOf } from '../../src/features/recovery-keys/index.ts';
import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addLogin, PASSWORD, signIn } from '../harness/people/sessions.ts';
import { openJar } from '../harness/people/cookie-jar.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    const PATH = '/settings/backup';

    test('a recovery key is on the sheet once, to print or save, and in no page or storage afterwards', async () => {
      const { app } = dashboard;
      const ana = await addLogin(app, { name: 'Ana' });
      const jar = openJar(app);
      await jar.signIn(ana.login.identifier, PASSWORD);
      const token = jar.cookies.get('homeledger_session') ?? '';
      const headers = { cookie: `homeledger_session=${token}` };
      const page = await dashboard.open(PATH, { as: { ...ana, token, headers } });
      await page.getByText('There is no recovery key yet').waitFor();
      await expectGoodLooks(page, 'backup-without-key');

      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByLabel('Your password', { exact: true }).fill('not the password');
      await page.getByRole('button', { name: 'Make a recovery key' }).click();
      await page.getByText('The current password is wrong').waitFor();
      await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Make a recovery key' }).click();
      const shown = page.getByText(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/).first();
      await shown.waitFor();
      const identity = (await shown.textContent()) as string;
      const code = page.getByRole('img', { name: 'The key as a QR code' });
      await code.locator('path').waitFor();
      expect(await readCode(code)).toBe(identity);
      const recipient = await identityToRecipient(identity);
      expect(await app.app.instance.database.read(recipientsOf)).toEqual([recipient]);
      await expectGoodLooks(page, 'backup-sheet');

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as a file' }).click(),
      ]);
      expect(await readFile(await download.path(), 'utf8')).toContain(`\n${identity}\n`);
      await page.getByRole('button', { name: 'I have it on paper' }).click();
      await page.getByRole('row', { name: new RegExp(recipient) }).waitFor();
      await expectGoodLooks(page, 'backup-with-key');
      const kept = await page.evaluate<string>(
        'JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state])',
      );
      expect(kept).toContain(recipient);
      expect(kept).not.toContain(identity);

      await page.getByRole('button', { name: /^Take away the key age1/ }).click();
      await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Take away', exact: true }).click();
      await page.getByText('There is no recovery key yet').waitFor();
    });

    test('the page is for administrators, and says so', async () => {
      const ben = await signIn(dashboard.app, { name: 'Ben', role: 'viewer' });
      const page = await dashboard.open(PATH, { as: ben });
      await page.getByText(/admin/).first().waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Make a key' }).count()).toBe(0);
    });
  },
  ['SQLite'],
);

/** What a phone reads in the picture: its squares, in the colours that the page gives them. */
async function readCode(code: Locator): Promise<string> {
  const colours = await code
    .page()
    .evaluate(`['rect', 'path'].map((part) => getComputedStyle(document.querySelector('article svg ' + part)).fill)`);
  expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
  const side = Number(await code.locator('rect').getAttribute('width'));
  const path = (await code.locator('path').getAttribute('d')) ?? '';
  const scale = 4;
  const width = side * scale;
  const data = new Uint8Array(width * width * 3).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 3;
      data.fill(0, start, start + scale * 3);
    }
  }
  return decodeQR({ width, height: width, data });
}
