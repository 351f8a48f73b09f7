import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { addCall } from '../harness/agents/agent-calls.ts';
import { browserTest, focusedName } from '../harness/browser/browser.ts';
import { addBankConnection } from '../harness/banks/bank-connection.ts';
import { addMember, type Made } from '../harness/ledger.ts';
import { addChannel, allowPrivateNetworks, tell } from '../harness/servers/notifications.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { addSyncLog } from '../harness/syncs/sync-logs.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const PER_PAGE = 50;
const HOUR_MS = 3_600_000;
const PATIENCE_MS = 10_000;

/** Long lists: the page, the row and the place on the screen that a person left are found again. */
forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    const logs: Made[] = [];
    beforeAll(async () => {
      const { app } = dashboard;
      ana = await signIn(app, { name: 'Ana' });
      const connection = await addBankConnection(app, await addMember(app, 'Ben'));
      for (let count = 0; count < 2 * PER_PAGE + 5; count++) {
        const started = new Date(app.clock.now() - count * HOUR_MS).toISOString();
        logs.push(await addSyncLog(app, connection, { started_at: started }));
      }
    });
    const seeRows = (page: Page, count: number) =>
      expect.poll(() => page.getByRole('row').count(), { timeout: PATIENCE_MS }).toBe(count);
    const linkTo = (page: Page, { short_id: id }: Made) => page.locator(`main a[href="/sync-logs/${id}"]`);
    const scrolled = (page: Page) => page.evaluate<number>('scrollY');
    const pressNext = (page: Page) => page.getByRole('button', { name: 'Next' }).click();

    test('back out of a dialog asks before what was typed, or a key that is shown once, is lost', async () => {
      const page = await dashboard.open('/settings/profile', { as: ana });
      await page.getByRole('link', { name: 'API keys' }).first().click();
      await page.getByRole('button', { name: 'New key' }).click();
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('Kitchen tablet');
      const goBackAndStay = async (question: string): Promise<void> => {
        await page.evaluate('history.back()');
        await page.getByRole('heading', { name: question }).waitFor();
        await page.getByRole('button', { name: 'Stay' }).click();
        await expect.poll(() => page.getByRole('heading', { name: question }).count()).toBe(0);
      };
      await goBackAndStay('Close without saving?');
      await expect.poll(() => name.inputValue()).toBe('Kitchen tablet');
      await page.getByRole('button', { name: 'Create key' }).click();
      const saved = page.getByRole('button', { name: 'I have saved it' });
      await saved.waitFor();
      await goBackAndStay('Leave without saving it?');
      const asked = page.waitForEvent('dialog');
      void page.evaluate('setTimeout(() => location.reload())');
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.dismiss();
      await saved.click();
      await page.evaluate('history.back()');
      await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    });

    test('back from a row, the list is where it was: its filter, its page, its place, and the row has the focus', async () => {
      const page = await dashboard.open('/sync-logs?status=success', { as: ana });
      await linkTo(page, logs[0] as Made).waitFor();
      await pressNext(page);
      const left = logs[PER_PAGE + 30] as Made;
      await linkTo(page, left).waitFor();
      await expect.poll(() => scrolled(page)).toBe(0);
      for (const wayBack of ['the browser', 'the link']) {
        await linkTo(page, left).scrollIntoViewIfNeeded();
        const place = await scrolled(page);
        expect(place).toBeGreaterThan(0);
        await linkTo(page, left).press('Enter');
        await page.getByRole('heading', { name: 'Summary' }).waitFor();
        if (wayBack === 'the browser') await page.goBack();
        else await page.getByRole('main').getByRole('link', { name: 'Syncs', exact: true }).click();
        await linkTo(page, left).waitFor();
        expect(new URL(page.url()).search, wayBack).toBe('?status=success');
        await expect
          .poll(() => focusedName(page), { message: wayBack, timeout: PATIENCE_MS })
          .toBe((await linkTo(page, left).textContent())?.trim());
        expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(`/sync-logs/${left.short_id}`);
        await expect.poll(() => scrolled(page), { message: wayBack, timeout: PATIENCE_MS }).toBe(place);
      }
      await page.goBack();
      await linkTo(page, logs[0] as Made).waitFor();
      await page.reload();
      await pressNext(page);
      await pressNext(page);
      await seeRows(page, 6);
      await page.reload();
      await seeRows(page, 6);
      await page.getByRole('button', { name: 'Previous' }).click();
      await seeRows(page, PER_PAGE + 1);
      await page.getByLabel('Why').selectOption('cron');
      await linkTo(page, logs[0] as Made).waitFor();
    });

    test('messages are listed further back on request, and still are after the way back', async () => {
      const { app } = dashboard;
      await allowPrivateNetworks(app);
      await addChannel(app, { url: 'http://127.0.0.1:9/hook' });
      for (let count = 0; count < PER_PAGE + 5; count++) await tell(app);
      const page = await dashboard.open('/settings/notifications', { as: ana });
      const messages = page.getByRole('table', { name: 'Messages, newest first' }).getByRole('row');
      const seeMessages = (count: number) =>
        expect.poll(() => messages.count(), { timeout: PATIENCE_MS }).toBe(count + 1);
      await seeMessages(PER_PAGE);
      await page.getByRole('button', { name: 'Show more' }).click();
      await seeMessages(PER_PAGE + 5);
      expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
      await page.getByRole('link', { name: 'System' }).click();
      await page.goBack();
      await seeMessages(PER_PAGE + 5);
    });

    test('a page that began after a row that is gone is read from the start', async () => {
      const { app } = dashboard;
      const calls: Made[] = [];
      for (let count = 0; count < PER_PAGE + 5; count++) calls.unshift(await addCall(app));
      const page = await dashboard.open('/agent-calls', { as: ana });
      await seeRows(page, PER_PAGE + 1);
      await app.write('test.call', (tx) =>
        tx.q
          .deleteFrom('mcp_calls')
          .where('id', '=', (calls[PER_PAGE - 1] as Made).id)
          .execute(),
      );
      await pressNext(page);
      await page.getByRole('button', { name: 'Previous' }).and(page.locator('[aria-disabled=true]')).waitFor();
      await seeRows(page, PER_PAGE + 1);
      expect(await page.getByRole('alert').filter({ hasText: 'cursor' }).count()).toBe(0);
    });
  },
  ['SQLite'],
);
