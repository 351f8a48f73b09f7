import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import {
  browserTest,
  expectGoodLooks,
  expectNoSidewaysScrolling,
  focusedName,
  isFocused,
  photograph,
} from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

interface GivenFile {
  name: string;
  text: string;
}

/** A current account whose balances prove it: rows of one day each, newest last. */
function statement(
  name: string,
  rows: readonly (readonly [day: string, text: string, cents: number])[],
  opening = 100_000,
): GivenFile {
  let balance = opening;
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

const MAY = statement(
  'mai.csv',
  [
    ['17.04.2026', 'EDEKA', -1_999],
    ['18.04.2026', 'KINO', -2_400],
  ],
  400_310,
);
const JUNE = statement(
  'juni.csv',
  [
    ['20.04.2026', 'APOTHEKE', -1_275],
    ['21.04.2026', 'TANKSTELLE', -6_100],
    ['23.04.2026', 'BUCHLADEN', -1_800],
  ],
  395_911,
);
const SAVINGS = statement(
  'sparen.csv',
  [
    ['13.04.2026', 'ZINSEN', 120],
    ['16.04.2026', 'UEBERTRAG SPAREN', 20_000],
  ],
  500_000,
);
const CARD: GivenFile = {
  name: 'card.csv',
  text: [
    'Date,Details,Amount,Currency',
    '03/04/2026,CORNER CAFE,-3.50,GBP',
    '05/04/2026,CORNER SHOP,-12.00,GBP',
    '04/04/2026,CORNER REFUND,4.00,GBP',
  ].join('\n'),
};
/** A row of 20.00 is missing before the fourth. */
const BROKEN: GivenFile = {
  name: 'luecke.csv',
  text: [
    'Datum;Text;Betrag;Saldo',
    '13.01.2026;MIETE;-700,00;300,00',
    '14.01.2026;BUS;-10,00;290,00',
    '15.01.2026;MARKT;-30,00;260,00',
    '16.01.2026;LOHN;100,00;340,00',
  ].join('\n'),
};
const HALF_READABLE: GivenFile = {
  name: 'halb.csv',
  text: [
    'Day,What,Sum,Currency',
    '2026-02-13,BOOKS,-3.50,EUR',
    '99.99.2026,LOST,-12.00,EUR',
    '2026-02-15,LAMP,-40.00,EUR',
  ].join('\n'),
};
/** As the browser does it for files above a page; says whether the page takes them. */
function dragging(event: 'dragover' | 'drop', files: readonly GivenFile[]): string {
  return `(() => {
    const data = new DataTransfer();
    for (const { name, text } of ${JSON.stringify(files)}) data.items.add(new File([text], name));
    const event = new DragEvent('${event}', { dataTransfer: data, bubbles: true, cancelable: true });
    return !document.body.dispatchEvent(event);
  })()`;
}

/** So large that it is made where it is dropped. */
const TOO_LARGE = `(() => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(50 * 1024 * 1024 + 1)], 'large.csv'));
  document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
})()`;

const asFile = ({ name, text }: GivenFile) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const WAIT = Number(process.env['WAIT'] ?? 30_000);

/** A household brings its bank files in, and takes them back. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;

    beforeAll(async () => {
      ana = await signIn(browser.app, { name: 'Ana' });
    });

    const open = async (path: string, as: SignedIn): Promise<Page> => {
      const page = await browser.open(path, { as });
      page.setDefaultTimeout(WAIT);
      return page;
    };
    const choose = (page: Page, ...files: GivenFile[]) =>
      page.getByLabel('Bank files').first().setInputFiles(files.map(asFile));
    const drop = async (page: Page, ...files: GivenFile[]): Promise<void> => {
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expect.poll(() => page.evaluate<boolean>(dragging('dragover', files))).toBe(true);
      await page.evaluate(dragging('drop', files));
    };
    const sheet = (page: Page) => page.getByRole('dialog');
    const rowCount = async (): Promise<number> =>
      (await browser.app.request('GET', '/api/v1/transactions?limit=500')).json.transactions.length;

    const transactionsOf = async (search: string) =>
      (await browser.app.request('GET', '/api/v1/transactions', { query: { search } })).json.transactions;
    const importsOf = async () => (await browser.app.request('GET', '/api/v1/imports')).json.imports;
    const everything = async () => {
      const paths = ['transactions?limit=500', 'accounts', 'connections', 'imports', 'import-profiles', 'change-sets'];
      return Promise.all(paths.map(async (path) => (await browser.app.request('GET', `/api/v1/${path}`)).json));
    };

    test('there is nothing at first', async () => {
      const page = await open('/imports', ana);
      await page.getByRole('button', { name: /Choose a file from your bank/ }).waitFor();
      await expectGoodLooks(page, 'imports-empty');
    });

    test('a file is said in one sentence, gets a name people know, and one key imports it', async () => {
      const page = await open('/imports', ana);
      await choose(page, APRIL);
      await sheet(page).getByText('4 new, 0 known, adds up to the bank’s balance').waitFor();
      await expectGoodLooks(page, 'imports-sheet');
      expect(await rowCount()).toBe(0);
      await expect.poll(() => focusedName(page)).toBe('');
      await page.keyboard.type('Sparkasse …9890');
      await page.keyboard.press('Enter');
      await page.getByText('4 transactions imported into Sparkasse …9890.').waitFor();
      await sheet(page).waitFor({ state: 'detached' });
      expect(await rowCount()).toBe(4);
      // Sent with the file, the name would have chosen an account.
      expect((await importsOf())[0].accounts[0].account_name).toBe('umsatz');
      await page.getByRole('link', { name: 'umsatz.csv' }).waitFor();
      await page.getByRole('link', { name: 'Sparkasse …9890' }).waitFor();
      await expectGoodLooks(page, 'imports');
    });

    test('the same file again has nothing new', async () => {
      const page = await open('/accounts', ana);
      await drop(page, APRIL);
      await sheet(page).getByText('Sparkasse …9890').waitFor();
      await sheet(page).getByText('0 new, 4 known').waitFor();
      const button = sheet(page).getByRole('button', { name: 'Nothing new' });
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Escape');
      await sheet(page).waitFor({ state: 'detached' });
      expect((await importsOf()).length).toBe(1);
    });

    test('an ambiguous order of dates is asked in the words of a household, not guessed', async () => {
      const page = await open('/transactions', ana);
      await drop(page, CARD);
      await sheet(page).getByRole('heading', { name: 'Is 03/04/2026 3 Apr 2026 or 4 Mar 2026?' }).waitFor();
      await sheet(page).getByRole('cell', { name: 'CORNER CAFE' }).waitFor();
      expect(
        await sheet(page)
          .getByRole('button', { name: /^Import/ })
          .count(),
      ).toBe(0);
      await expectGoodLooks(page, 'imports-question');
      await sheet(page)
        .getByRole('button', { name: /4 Mar 2026/ })
        .click();
      await sheet(page).getByText('3 new, 0 known').waitFor();
      await sheet(page).getByRole('button', { name: 'Import 3 rows' }).click();
      await page.getByText('3 transactions imported into card.').waitFor();
      const dates = (await transactionsOf('CORNER')).map(({ date }: { date: string }) => date);
      expect(dates.toSorted()).toEqual(['2026-03-04', '2026-04-04', '2026-05-04']);
    });

    test('a file can be brought in by keyboard alone, from any page', async () => {
      const page = await open('/reports', ana);
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Search/ }).waitFor();
      await page.getByRole('combobox', { name: /Search/ }).fill('import a file');
      await page
        .getByRole('option', { name: /Import a file/ })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      const area = page.getByRole('button', { name: /Choose a file from your bank/ });
      await area.waitFor();
      await expect.poll(() => isFocused(area)).toBe(true);
      await page.keyboard.press('Enter');
      await (await chooser).setFiles([asFile(MAY)]);
      const button = page.getByRole('button', { name: 'Import 2 rows' });
      await button.waitFor();
      await expectGoodLooks(page, 'imports-new');
      // Everything is in the order of Tab, the button last.
      for (let tabs = 0; tabs < 80 && !(await isFocused(button)); tabs += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('2 transactions imported into Sparkasse …9890.').waitFor();
      await page.getByRole('heading', { name: 'mai.csv' }).waitFor();
      await page.getByText('Imported', { exact: true }).waitFor();
      await expectGoodLooks(page, 'import');
    });

    test('leaving the page with everything stores nothing, whatever was chosen there', async () => {
      const before = await everything();
      const page = await open('/transactions', ana);
      await drop(page, JUNE);
      await sheet(page).getByText('3 new').waitFor();
      await sheet(page).getByRole('button', { name: 'Show everything' }).click();
      await page.getByRole('heading', { name: 'juni.csv' }).waitFor();
      await sheet(page).waitFor({ state: 'detached' });
      await page.getByRole('checkbox', { name: /Import line 3/ }).uncheck();
      await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
      await page.getByText('you left it out').waitFor();
      await page.getByRole('main').getByLabel('Where the rows go').selectOption({ label: 'A new account' });
      await page.getByLabel('What do you call this account?').fill('Second');
      await page.getByRole('checkbox', { name: /Import line 3/ }).check();
      await page.getByRole('button', { name: 'Import 3 rows' }).waitFor();
      await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Home' }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await everything()).toEqual(before);
    });

    test('what the page understood can be said otherwise, and what does not fit can be taken back', async () => {
      const page = await open('/imports/new', ana);
      await choose(page, JUNE);
      const main = page.getByRole('main');
      await main.getByText('The balances prove it: the amounts add up only so').first().waitFor();
      await main.getByRole('combobox', { name: 'Money out' }).selectOption('positive_is_out');
      await main.getByRole('heading', { name: 'The amounts do not add up to the bank’s balance' }).waitFor();
      await main.getByRole('combobox', { name: 'Money out' }).selectOption('');
      await main.getByRole('button', { name: 'Import 3 rows' }).waitFor();
      await main.getByRole('combobox', { name: 'Meaning of Betrag' }).selectOption('tags');
      await main.getByRole('heading', { name: 'Which column has the amount?' }).waitFor();
      await main.getByRole('combobox', { name: 'Meaning of Betrag' }).selectOption('amount');
      await main.getByRole('button', { name: 'Import 3 rows' }).waitFor();
    });

    test('a file whose balance is broken says where', async () => {
      const page = await open('/', ana);
      await drop(page, BROKEN);
      await sheet(page).getByRole('heading', { name: 'The amounts do not add up to the bank’s balance' }).waitFor();
      await sheet(page)
        .getByText(/On line 5/)
        .waitFor();
      expect(
        await sheet(page)
          .getByRole('button', { name: /^Import \d/ })
          .count(),
      ).toBe(0);
      await expectGoodLooks(page, 'imports-broken');
    });

    test('a file whose balance is broken is imported anyway only as a choice of its own', async () => {
      const page = await open('/transactions', ana);
      await drop(page, BROKEN);
      await sheet(page).getByRole('button', { name: 'Show everything' }).click();
      await page
        .getByText(/Probably a row is missing/)
        .first()
        .waitFor();
      await expectGoodLooks(page, 'imports-new-broken');
      await page.getByRole('checkbox', { name: /Import although it does not add up/ }).check();
      await page.getByRole('button', { name: 'Import 4 rows' }).click();
      await page.getByText('Does not add up').first().waitFor();
      await page.getByRole('heading', { name: 'luecke.csv' }).waitFor();
    });

    test('what cannot be read is said in the words of the server, or before anything is sent', async () => {
      const page = await open('/transactions', ana);
      await drop(page, { name: 'statement.pdf', text: '%PDF-1.7\n%âãÏÓ\n1 0 obj' });
      await sheet(page)
        .getByText(/The file is a PDF document/)
        .waitFor();
      await expectGoodLooks(page, 'imports-unreadable');
      await page.keyboard.press('Escape');
      await page.evaluate(TOO_LARGE);
      await sheet(page).getByText('The file is larger than 50 MiB. Split it into smaller files.').waitFor();
    });

    test('unreadable rows are listed, and left out only as a choice', async () => {
      const page = await open('/transactions', ana);
      await drop(page, HALF_READABLE);
      await sheet(page)
        .getByText(/1 of 3 rows cannot be read/)
        .waitFor();
      await sheet(page)
        .getByRole('cell', { name: '99.99.2026' })
        .or(sheet(page).getByText('99.99.2026'))
        .first()
        .waitFor();
      await sheet(page)
        .getByRole('button', { name: /Leave out 1 unreadable row/ })
        .click();
      await sheet(page).getByText('2 new, 0 known, 1 unreadable').waitFor();
      await page.keyboard.press('Escape');
    });

    test('which account it is can be asked, and a new one is really new', async () => {
      const page = await open('/transactions', ana);
      await drop(page, SAVINGS);
      await sheet(page).getByRole('heading', { name: 'Which account is this?' }).waitFor();
      await expectGoodLooks(page, 'imports-which-account');
      await sheet(page)
        .getByRole('button', { name: /A new account/ })
        .click();
      // Its amounts have no signs, which is the next question.
      await sheet(page).getByRole('heading', { name: 'Is 1.20 money spent, or money received?' }).waitFor();
      await sheet(page).getByRole('button', { name: 'Money received' }).click();
      await sheet(page).getByLabel('What do you call this account?').fill('Sparkasse …9890');
      await sheet(page).getByRole('button', { name: 'Import 2 rows' }).click();
      await page.getByText('2 transactions imported into Sparkasse …9890.').waitFor();
      const rows = await transactionsOf('ZINSEN');
      const april = await transactionsOf('REWE SAGT');
      expect(rows[0].account_id).not.toBe(april[0].account_id);
    });

    test('undo says first what it does, takes out exactly the rows that were added, and can itself be undone', async () => {
      const before = await rowCount();
      const page = await open('/imports', ana);
      await page.getByRole('link', { name: 'mai.csv' }).click();
      await page.getByRole('button', { name: 'Undo import' }).click();
      await sheet(page).getByText('2 transactions that it brought are deleted.').waitFor();
      expect(await rowCount()).toBe(before);
      await expectGoodLooks(page, 'import-undo');
      await sheet(page).getByRole('button', { name: 'Delete 2 transactions' }).click();
      await page.getByText('Import undone.').waitFor();
      await page.getByText('Undone', { exact: true }).first().waitFor();
      expect(await rowCount()).toBe(before - 2);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByText('Imported', { exact: true }).waitFor();
      expect(await rowCount()).toBe(before);
    });

    test('with rows that somebody has worked on, undo asks: leave all, keep those, or take all', async () => {
      const [worked] = await transactionsOf('REWE SAGT');
      const edit = await browser.app.request('POST', `/api/v1/transactions/${worked.id}/comments`, {
        body: { body: 'for the party' },
      });
      expect(edit.status, edit.text).toBe(201);
      const page = await open('/imports', ana);
      await page.getByRole('link', { name: 'umsatz.csv' }).click();
      await page.getByRole('button', { name: 'Undo import' }).click();
      await sheet(page)
        .getByText(/Somebody has worked on 1 transaction of it since/)
        .waitFor();
      await expectGoodLooks(page, 'import-undo-worked');
      expect(
        await sheet(page)
          .getByRole('button', { name: /^Delete/ })
          .count(),
      ).toBe(0);
      await sheet(page)
        .getByRole('radio', { name: /Undo all of it/ })
        .check();
      await sheet(page).getByRole('button', { name: 'Delete 4 transactions' }).waitFor();
      await sheet(page)
        .getByRole('radio', { name: /Undo the rest/ })
        .check();
      await sheet(page).getByRole('button', { name: 'Delete 3 transactions' }).click();
      await page.getByText('Partly undone').first().waitFor();
      expect((await transactionsOf('REWE SAGT')).length).toBe(1);
      expect((await transactionsOf('STADTWERKE')).length).toBe(0);
    });

    test('a viewer sees what was imported, and why they cannot import', async () => {
      const vera = await signIn(browser.app, { name: 'Vera', role: 'viewer' });
      const page = await open('/imports', vera);
      await page.getByRole('link', { name: 'umsatz.csv' }).waitFor();
      const button = page.getByRole('button', { name: 'Import a file' });
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
      await expect.poll(() => button.getAttribute('title')).toMatch(/^Viewers cannot make changes/);
      await drop(page, JUNE);
      await page
        .getByText(/^Viewers cannot make changes/)
        .last()
        .waitFor();
      expect(await sheet(page).count()).toBe(0);
      await page.getByRole('link', { name: 'mai.csv' }).click();
      await expect
        .poll(() => page.getByRole('button', { name: 'Undo import' }).getAttribute('aria-disabled'))
        .toBe('true');
    });

    test('at 320 px no page of imports, and no sheet, scrolls sideways', async () => {
      const page = await browser.open('/imports', { as: ana, width: 320 });
      await page.getByRole('link', { name: 'umsatz.csv' }).waitFor();
      await expectNoSidewaysScrolling(page);
      await page.getByRole('link', { name: 'umsatz.csv' }).click();
      await page.getByRole('heading', { name: 'Does it add up?' }).waitFor();
      await expectNoSidewaysScrolling(page);
      await drop(page, JUNE);
      await sheet(page).getByText('3 new').waitFor();
      await expectNoSidewaysScrolling(page);
      await sheet(page).getByRole('button', { name: 'Show everything' }).click();
      await page.getByRole('heading', { name: 'Understood as' }).waitFor();
      await expectNoSidewaysScrolling(page);
      await photograph(page, 'imports-new-320');
    });

    test('no page that a parent sees has a command line', async () => {
      for (const path of ['/connections/new', '/connections', '/accounts', '/imports', '/imports/new']) {
        const page = await open(path, ana);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await page.getByText(/curl|X-API-Key|npm run/).count(), path).toBe(0);
        await page.context().close();
      }
    });
  },
  ['SQLite'],
);
