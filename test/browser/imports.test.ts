import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

interface GivenFile {
  name: string;
  text: string;
}

/** A current account whose balances prove it: rows of one day each, newest last. */
function statement(name: string, rows: readonly (readonly [day: string, text: string, cents: number])[]): GivenFile {
  let balance = 100_000;
  const lines = rows.map(([day, text, cents]) => {
    balance += cents;
    return `${day};${text};${euros(cents)};${euros(balance)}`;
  });
  return { name, text: ['Buchungstag;Verwendungszweck;Betrag;Saldo', ...lines].join('\n') };
}

function euros(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',');
}

const APRIL = statement('umsatz.csv', [
  ['13.04.2026', 'REWE SAGT DANKE', -2_340],
  ['14.04.2026', 'STADTWERKE STROM', -8_900],
  ['15.04.2026', 'GEHALT APRIL', 312_000],
  ['16.04.2026', 'BAECKEREI', -450],
]);

const asFile = ({ name, text }: GivenFile) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** A household brings its bank files in, and takes them back. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;

    beforeAll(async () => {
      ana = await signIn(browser.app, { name: 'Ana' });
    });

    const choose = (page: Page, ...files: GivenFile[]) =>
      page.getByLabel('Bank files').first().setInputFiles(files.map(asFile));
    const sheet = (page: Page) => page.getByRole('dialog');
    const rowCount = async (): Promise<number> =>
      (await browser.app.request('GET', '/api/v1/transactions?limit=500')).json.transactions.length;

    test('there is nothing at first', async () => {
      const page = await browser.open('/imports', { as: ana });
      await page.getByRole('button', { name: /Choose a file from your bank/ }).waitFor();
      await expectGoodLooks(page, 'imports-empty');
    });

    test('a file is said in one sentence, gets a name people know, and one key imports it', async () => {
      const page = await browser.open('/imports', { as: ana });
      await choose(page, APRIL);
      await sheet(page).getByText('4 new, 0 known, adds up to the bank’s balance').waitFor();
      await expectGoodLooks(page, 'imports-sheet');
      expect(await rowCount()).toBe(0);
      await sheet(page).getByLabel('What do you call this account?').fill('Sparkasse …9890');
      await page.keyboard.press('Enter');
      await page.getByText('4 transactions imported into Sparkasse …9890.').waitFor();
      await sheet(page).waitFor({ state: 'detached' });
      expect(await rowCount()).toBe(4);
      await page.getByRole('link', { name: 'umsatz.csv' }).waitFor();
      await page.getByRole('link', { name: 'Sparkasse …9890' }).waitFor();
      await expectGoodLooks(page, 'imports');
    });
  },
  ['SQLite'],
);
