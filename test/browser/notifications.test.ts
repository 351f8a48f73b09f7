import { afterAll, beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { allowPrivateNetworks, sendDue, tell } from '../harness/servers/notifications.ts';
import { scriptedServer, type ScriptedServer } from '../harness/servers/scripted-server.ts';
import { signIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

let receiver: ScriptedServer;
beforeAll(async () => {
  receiver = await scriptedServer();
});
afterAll(() => receiver.close());

/** Channels and messages, as an admin sets them up and looks after them. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);

    test('a webhook is made, shows its secret once, is tested, and its failed message is sent again', async () => {
      const { app } = browser;
      const ana = await signIn(app, { name: 'Ana' });
      const page = await browser.open('/settings/notifications', { as: ana });
      await page.getByText('No channels yet').waitFor();
      await expectGoodLooks(page, 'notifications-empty');
      await page.getByRole('checkbox', { name: 'Allow addresses at home' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();

      await page.getByRole('button', { name: 'New channel' }).click();
      await page.getByRole('radio', { name: /^Webhook/ }).check();
      await page.getByRole('textbox', { name: 'Name' }).fill('Home Assistant');
      await page.getByRole('textbox', { name: 'Address' }).fill('http://169.254.169.254/');
      await page.getByRole('button', { name: 'Create channel' }).click();
      await page.getByText(/Leads to a link-local or cloud metadata address/).waitFor();
      await expectGoodLooks(page, 'notifications-new-channel');
      await page.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/api/webhook/4711`);
      await page.getByRole('checkbox', { name: 'A bank syncs again' }).uncheck();
      await page.getByLabel('Quiet from').fill('22:00');
      await page.getByLabel('Quiet until').fill('05:00');
      await page.getByRole('button', { name: 'Create channel' }).click();
      const secret = (await page.getByRole('dialog').locator('code').textContent()) as string;
      expect(secret).toMatch(/^\w{43}$/);
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByRole('rowheader', { name: /Home Assistant/ }).waitFor();
      expect(await page.content()).not.toContain(secret);
      expect(await page.content()).not.toContain('4711');

      receiver.script({ status: 200 }, { status: 410 }, { status: 200 });
      await page.getByRole('button', { name: 'Send a test message to Home Assistant' }).click();
      await page.getByText('Home Assistant accepted the test message').waitFor();
      await tell(app, { event: 'sync.failed', priority: 'warning' });
      await sendDue(app);
      await page.reload();
      await page.getByText('The server answered 410.').first().waitFor();
      await expectGoodLooks(page, 'notifications');
      await page.getByRole('button', { name: 'Send again to Home Assistant: A bank stopped syncing' }).click();
      await page.getByText('The message is sent again.').waitFor();
      await sendDue(app);
      expect(receiver.requests).toHaveLength(3);

      await page.getByRole('button', { name: 'Actions for Home Assistant' }).click();
      await page.getByRole('menuitem', { name: 'New signing secret' }).click();
      await page.getByRole('button', { name: 'Replace it' }).click();
      const next = (await page.getByRole('dialog').locator('code').textContent()) as string;
      expect([next.length, next === secret]).toEqual([43, false]);
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByRole('button', { name: 'Actions for Home Assistant' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('combobox', { name: 'How important' }).selectOption('critical');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page
        .getByText(/Only critical messages/)
        .first()
        .waitFor();
      const [channel] = (await app.request('GET', '/api/v1/notification-channels')).json;
      expect(channel).toMatchObject({ min_priority: 'critical', quiet_hours_start: '22:00', quiet_hours_end: '05:00' });
      expect(channel.events).toHaveLength(8);
      await page.getByRole('button', { name: 'Actions for Home Assistant' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No channels yet').waitFor();
      await allowPrivateNetworks(app, false);
    });
  },
  ['SQLite'],
);
