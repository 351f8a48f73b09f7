import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import {
  browserTest,
  expectForFinger,
  expectGoodLooks,
  focusedName,
  isFocused,
  photograph,
} from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let page: Page;
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app);
      page = await browser.open('/internal/components', { as: ana });
      await page.getByRole('heading', { name: 'Buttons' }).waitFor();
    });
    const dialog = () => page.getByRole('dialog');

    test('every component is accessible and fits, in both themes and widths', async () => {
      await expectGoodLooks(page, 'components-actions');
      for (const tab of ['Forms', 'Data', 'Charts', 'States']) {
        await page.getByRole('tab', { name: tab }).click();
        await expectGoodLooks(page, `components-${tab.toLowerCase()}`);
      }
      await page.getByRole('tab', { name: 'Actions' }).click();
    });

    test('each of a few choices is large enough for a finger', async () => {
      const phone = await browser.open('/internal/components', { as: ana, width: 360 });
      await phone.getByRole('tab', { name: 'Charts' }).click();
      const choices = phone.locator('fieldset label:has(input.absolute)');
      await choices.first().waitFor();
      for (const choice of await choices.all()) await expectForFinger(choice);
    });

    test('a button that may not be used stays in the tab order and says why', async () => {
      const button = page.getByRole('button', { name: 'Invite', exact: true });
      await button.focus();
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
      const described = await button.getAttribute('aria-describedby');
      await expect.poll(() => page.locator(`[id="${described}"]`).textContent()).toContain('Only an admin');
      await button.press('Enter');
      expect(await dialog().count()).toBe(0);
    });

    test('a dialog keeps the focus, closes the topmost by Escape, and gives the focus back', async () => {
      await page.getByRole('button', { name: 'Open a dialog' }).press('Enter');
      await dialog().waitFor();
      for (let presses = 0; presses < 6; presses++) {
        await page.keyboard.press('Tab');
        // Past the last element the browser's own controls come, never the page behind.
        expect(await page.locator(':focus').count()).toBe(await page.locator('dialog :focus').count());
      }
      await page.getByRole('button', { name: 'Open another' }).press('Enter');
      await page.getByRole('heading', { name: 'Revoke “Kitchen tablet”?' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog().count()).toBe(0);
      await page.getByRole('button', { name: 'Open a dialog' }).press('Enter');
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog().count()).toBe(0);
      await expect.poll(() => focusedName(page)).toBe('Open a dialog');
    });

    test('a destructive dialog begins at Cancel; one that asks for a name waits for it', async () => {
      await page.getByRole('button', { name: 'Revoke a key' }).press('Enter');
      await dialog().waitFor();
      await expect.poll(() => focusedName(page)).toBe('Cancel');
      await expectGoodLooks(page, 'components-confirm');
      await page.keyboard.press('Enter');
      await expect.poll(() => dialog().count()).toBe(0);

      await page.getByRole('button', { name: 'Delete a member' }).press('Enter');
      const remove = dialog().getByRole('button', { name: 'Delete' });
      await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true');
      await dialog().getByLabel('Type Ana to confirm').fill('Ana');
      await expectGoodLooks(page, 'components-type-name');
      await page.keyboard.press('Enter');
      await page.getByText('Deleted.').waitFor();
      await expect.poll(() => dialog().count()).toBe(0);
    });

    test('a dialog with something typed in it asks before it closes, by Escape and by its cross', async () => {
      await page.goto(`${browser.address}/settings/api-keys`);
      await page.getByRole('button', { name: 'New key' }).click();
      const name = dialog().getByRole('textbox', { name: 'Name', exact: true });
      const question = page.getByRole('heading', { name: 'Close without saving?' });
      // Nothing has been typed.
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog().count()).toBe(0);
      await page.getByRole('button', { name: 'New key' }).click();
      await name.fill('Kitchen tablet');
      await page.keyboard.press('Escape');
      await question.waitFor();
      await expectGoodLooks(page, 'close-without-saving');
      // Escape closes the topmost only, however often it is pressed.
      await page.keyboard.press('Escape');
      await expect.poll(() => question.count()).toBe(0);
      await expect.poll(() => name.inputValue()).toBe('Kitchen tablet');
      await dialog().getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Stay' }).click();
      await expect.poll(() => name.inputValue()).toBe('Kitchen tablet');
      await page.keyboard.press('Escape');
      await question.waitFor();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Close' }).last().click();
      await expect.poll(() => dialog().count()).toBe(0);
      await expect.poll(() => focusedName(page)).toBe('New key');
      // What was typed and taken away again, and what only finds something, may be lost.
      await page.getByRole('button', { name: 'New key' }).click();
      await name.fill('x');
      await name.fill('');
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog().count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('sys');
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog().count()).toBe(0);
      await page.goto(`${browser.address}/internal/components`);
    });

    test('the menu works by keyboard', async () => {
      await page.getByRole('button', { name: 'More actions' }).press('Enter');
      await page.getByRole('menu').waitFor();
      await expectGoodLooks(page, 'components-menu');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('menu').count()).toBe(0);
      await expect.poll(() => focusedName(page)).toBe('More actions');
    });

    test('where the system decides colours, what is chosen is still seen', async () => {
      const styleOf = (selector: string, property: string): Promise<string> =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
      await page.emulateMedia({ forcedColors: 'active' });
      await page.getByRole('button', { name: 'More actions' }).press('Enter');
      await page.locator('[role=menuitem][data-highlighted]').waitFor();
      expect(await styleOf('[role=menuitem][data-highlighted]', 'forcedColorAdjust')).toBe('none');
      expect(await styleOf('[role=menuitem]:not([data-highlighted])', 'forcedColorAdjust')).toBe('auto');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Search/ }).waitFor();
      expect(await styleOf('[role=option][aria-selected=true]', 'forcedColorAdjust')).toBe('none');
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Forms' }).click();
      expect(await styleOf('[role=switch]', 'appearance')).toBe('auto');
      await photograph(page, 'components-forced-colours');
      await page.emulateMedia({ forcedColors: 'none' });
      await page.getByRole('tab', { name: 'Actions' }).click();
    });

    test('errors are tied to their fields, the first gets the focus, and leaving with changes asks', async () => {
      await page.getByRole('tab', { name: 'Forms' }).click();
      await page.getByLabel('Note').fill('half a sentence');
      await page.getByRole('button', { name: 'Save' }).click();
      const name = page.getByLabel('Name', { exact: true });
      await page.getByText('Must not be empty.').waitFor();
      await expect.poll(() => isFocused(name)).toBe(true);
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
      const described = (await name.getAttribute('aria-describedby')) ?? '';
      expect(described.split(' ')).toHaveLength(2);
      await expectGoodLooks(page, 'components-form-errors');
      await page.getByRole('link', { name: 'Home' }).first().click();
      await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
      await page.getByRole('button', { name: 'Stay' }).click();
      await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('half a sentence');
    });

    test('a field that somebody else changed shows both values, and nothing is sent before one is chosen', async () => {
      const own = await browser.open('/internal/components', { as: ana });
      await own.getByRole('tab', { name: 'Forms' }).click();
      const label = own.getByLabel('Label', { exact: true });
      const saved = own.getByText('Saved.');
      await label.fill('Ours');
      await own.keyboard.press('Enter');
      await own.getByText('This was changed elsewhere while you edited it.').waitFor();
      await expect.poll(() => own.getByLabel('Remark').inputValue()).toBe('Changed by Ben');
      await expectGoodLooks(own, 'components-conflict');
      const keep = own.getByRole('button', { name: 'Keep it' });
      await expect.poll(() => keep.getAttribute('aria-disabled')).toBe('true');
      await own.getByRole('button', { name: 'Saved meanwhile: Household account' }).press('Enter');
      await expect.poll(() => label.inputValue()).toBe('Household account');
      await expect.poll(() => isFocused(label)).toBe(true);
      expect(await saved.count()).toBe(0);
      await keep.press('Enter');
      await saved.waitFor();
    });

    test('the palette finds a page by its name, and g then a letter opens one', async () => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Search/ }).fill('sys');
      await expectGoodLooks(page, 'palette');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await expect.poll(() => focusedName(page)).toBe('Home');
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    });
  },
  ['SQLite'],
);
