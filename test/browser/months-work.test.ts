import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { generateHousehold } from '../../simulators/household.ts';
import { writeHousehold } from '../../simulators/write-household.ts';
import { browserTest } from '../harness/browser/browser.ts';
import { signIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** A card's statement of a month, in which a day could also be a month. */
const FILE = [
  'Date,Details,Amount,Currency',
  '01/04/2026,GREEN GROCER,-23.40,GBP',
  '02/04/2026,CORNER BAKERY,-4.50,GBP',
  '02/04/2026,GREEN GROCER,-31.10,GBP',
  '03/04/2026,CITY CINEMA,-18.00,GBP',
  '03/04/2026,CORNER BAKERY,-3.90,GBP',
  '04/04/2026,RIVERSIDE GYM,-29.00,GBP',
  '03/04/2026,GREEN GROCER,-27.75,GBP',
  '04/04/2026,CORNER BAKERY,-5.20,GBP',
].join('\n');

/** As the browser does it; says whether the page takes the file. */
const dragging = (event: 'dragover' | 'drop'): string => `(() => {
  const data = new DataTransfer();
  data.items.add(new File([${JSON.stringify(FILE)}], 'card-april.csv'));
  const event = new DragEvent('${event}', { dataTransfer: data, bubbles: true, cancelable: true });
  return !document.body.dispatchEvent(event);
})()`;

async function drop(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>(dragging('dragover'))).toBe(true);
  await page.evaluate(dragging('drop'));
}

/** What a household does each month with a file of its bank, from beginning to end, by keyboard once it is dropped. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);

    test(
      'a month’s work: a file, its question, review, two rules, and all of it taken back and done again',
      {
        timeout: 120_000,
      },
      async () => {
        const { app } = browser;
        const ana = await signIn(app, { name: 'Ana' });
        await writeHousehold(
          app.app.instance,
          generateHousehold({ seed: 1, transactions: 1_500, until: '2026-04-20' }),
        );
        // The household is up to date before the month's file comes.
        const looked = { filter: { tag: ['needs-review'] }, changes: { tags_to_remove: ['needs-review'] } };
        expect((await app.request('POST', '/api/v1/transactions/bulk-update', { body: looked })).status).toBe(200);
        const get = async (path: string, query: Record<string, string> = {}) =>
          (await app.request('GET', `/api/v1/${path}`, { query })).json;
        const rows = async (search: string) => (await get('transactions', { search })).transactions;
        const categoriesOf = async (search: string) =>
          (await rows(search)).map(({ category }: { category: { name: string } | null }) => category?.name ?? null);
        const rules = async () => (await get('rules')).rules.map(({ name }: { name: string }) => name);
        const before = { waiting: (await get('overview')).needs_review_count, rules: (await rules()).length };

        const page = await browser.open('/accounts', { as: ana });
        const keys = countKeys(page);
        const sheet = page.getByRole('dialog');
        await page.getByRole('heading', { level: 1 }).waitFor();

        const choose = async (question: RegExp, answer: RegExp) => {
          await sheet.getByRole('heading', { name: question }).waitFor();
          await sheet.getByRole('button', { name: answer }).focus();
          await keys.press('Enter');
        };

        // 1. The file is dropped; it asks one thing.
        await drop(page);
        await choose(/^Is 0\d\/04\/2026/, /Apr 2026/);
        await sheet.getByText('8 new, 0 known').waitFor();
        await sheet.getByRole('button', { name: 'Import 8 rows' }).focus();
        await keys.press('Enter');
        await page.getByText(/8 transactions imported/).waitFor();

        // 2. All that is new is reviewed, group by group; two of the groups become rules.
        await sheet.waitFor({ state: 'detached' });
        await keys.press('g', 'v');
        const group = page.locator('[aria-current=true]', { has: page.getByText('Skip') });
        const groupIs = (name: string) => expect.poll(() => group.getAttribute('aria-label')).toBe(name);
        const file = async (name: string, key: string, category: string) => {
          await groupIs(name);
          await keys.press(key);
          await page.getByRole('combobox', { name: `Category of ${name}` }).waitFor();
          await keys.type(category);
          await keys.press('Enter');
        };
        await file('CORNER BAKERY, 3 rows', 'R', 'coff');
        await file('GREEN GROCER, 3 rows', 'R', 'groc');
        await file('RIVERSIDE GYM, 1 row', 'c', 'gym');
        await file('CITY CINEMA, 1 row', 'c', 'even');
        await expect.poll(() => categoriesOf('GREEN GROCER')).toEqual(['Groceries', 'Groceries', 'Groceries']);
        await expect.poll(() => categoriesOf('CITY CINEMA')).toEqual(['Events & Attractions']);
        await expect.poll(async () => (await get('overview')).needs_review_count).toBe(before.waiting);
        expect((await rules()).length).toBe(before.rules + 2);

        // 3. The newest decisions are undone, down to one of the rules.
        await keys.press('z', 'z', 'z');
        await expect.poll(() => categoriesOf('GREEN GROCER')).toEqual([null, null, null]);
        await expect.poll(async () => (await rules()).length).toBe(before.rules + 1);
        expect(await categoriesOf('CORNER BAKERY')).toEqual(['Coffee Shops', 'Coffee Shops', 'Coffee Shops']);

        // 4. The import is undone: everything of it is gone, and the rule that was made stays.
        await keys.press('g', 'i');
        await page.getByRole('link', { name: 'card-april.csv' }).focus();
        await keys.press('Enter');
        await page.getByRole('button', { name: 'Undo import' }).focus();
        await keys.press('Enter');
        await undoWithWork(page, keys);
        await expect.poll(async () => (await rows('CORNER BAKERY')).length).toBe(0);
        expect((await rules()).length).toBe(before.rules + 1);

        // 5. The same file again: the rule files its rows by itself.
        await drop(page);
        const question = sheet.getByRole('heading', { name: /^Is 0/ });
        await sheet.getByText('8 new, 0 known').or(question).waitFor();
        if ((await question.count()) > 0) await choose(/^Is 0/, /Apr 2026/);
        await sheet.getByText('8 new, 0 known').waitFor();
        await sheet.getByRole('button', { name: 'Import 8 rows' }).focus();
        await keys.press('Enter');
        await expect
          .poll(() => categoriesOf('CORNER BAKERY'))
          .toEqual(['Coffee Shops', 'Coffee Shops', 'Coffee Shops']);
        expect(await categoriesOf('GREEN GROCER')).toEqual([null, null, null]);
        // Besides the moves to a button.
        expect(keys.count()).toBeLessThanOrEqual(40);
      },
    );
  },
  ['SQLite'],
);

interface Keys {
  press: (...keys: string[]) => Promise<void>;
  type: (text: string) => Promise<void>;
  count: () => number;
}

function countKeys(page: Page): Keys {
  let count = 0;
  return {
    press: async (...keys) => {
      for (const key of keys) {
        count += 1;
        await page.keyboard.press(key);
      }
    },
    type: async (text) => {
      count += text.length;
      await page.keyboard.type(text);
    },
    count: () => count,
  };
}

/** Rows with work on them are asked about; the household takes all of it back. */
async function undoWithWork(page: Page, keys: Keys): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const all = dialog.getByRole('radio', { name: /all of it/i });
  await all.check();
  await dialog.getByRole('button', { name: /^Delete 8/ }).focus();
  await keys.press('Enter');
}
