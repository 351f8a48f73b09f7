import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { sendBytes } from '../harness/bank-files/bank-files.ts';
import { endImport, startEndlessImport } from '../harness/bank-files/import-queue.ts';
import { eventually } from '../harness/eventually.ts';
import { addMember } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const HEADER = 'Day,What,Sum,Currency';
/** Of another bank: no account has had such a file. */
const LONG_HEADER = 'Datum,Text,Betrag,Waehrung';
const LONG = 50_000;

interface GivenFile {
  name: string;
  text: string;
}

function fileOf(name: string, rows: readonly string[], header = HEADER): GivenFile {
  return { name, text: [header, ...rows].join('\n') };
}

/** Rows of two years, a negative and a positive amount among them so that nothing is open. */
function longFile(): GivenFile {
  const start = Date.parse('2024-03-01');
  const rows = Array.from({ length: LONG }, (_, index) => {
    const day = new Date(start + (index % 700) * 86_400_000).toISOString().slice(0, 10);
    return `${day},PURCHASE NUMBER ${index},${index % 50 === 0 ? '' : '-'}${1 + (index % 97)}.50,EUR`;
  });
  return fileOf('seven-years.csv', rows, LONG_HEADER);
}

const CHECKING = fileOf('checking.csv', ['2026-04-13,REWE,-23.40,EUR', '2026-04-16,SALARY,3120.00,EUR']);
const SAVINGS = {
  name: 'savings.csv',
  text: 'When;Purpose;Sum;Currency\n2026-04-13;INTEREST;1,20;EUR\n2026-04-14;FEE;-2,00;EUR',
};
const PDF = { name: 'statement.pdf', text: '%PDF-1.7\n1 0 obj' };
const RENT = fileOf('rent.csv', [
  '2026-04-20,RENT,-700.00,EUR',
  '2026-04-21,DEPOSIT,50.00,EUR',
  '2026-04-22,BUS,-3.00,EUR',
]);

const asFile = ({ name, text }: GivenFile) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Imports that outlive their tab, their turn or their server. */
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
    const get = async (path: string) => (await browser.app.request('GET', `/api/v1/${path}`)).json;
    const rowsOf = async (search: string) => (await get(`transactions?search=${search}`)).transactions;

    test('several files come one after the other; one that is known or unreadable is left out', async () => {
      const known = await sendBytes(browser.app, SAVINGS.text, { file_name: SAVINGS.name, user_id: ana.member.id });
      expect(known.status, known.text).toBe(201);
      const page = await browser.open('/imports', { as: ana });
      await page.getByRole('link', { name: 'savings.csv' }).waitFor();
      await choose(page, CHECKING, SAVINGS, PDF);
      await sheet(page).getByText('checking.csv, then 2 more files').waitFor();
      await sheet(page).getByLabel('What do you call this account?').fill('Joint …1234');
      await sheet(page).getByRole('button', { name: 'Import 2 rows' }).click();
      await sheet(page).getByText('savings.csv, then 1 more file').waitFor();
      await sheet(page).getByText('0 new, 2 known').waitFor();
      await page.getByText('2 transactions imported into Joint …1234.').waitFor();
      await expectGoodLooks(page, 'imports-several');
      await sheet(page).getByRole('button', { name: 'Leave this file out' }).click();
      await sheet(page)
        .getByText(/The file is a PDF document/)
        .waitFor();
      await sheet(page).getByRole('button', { name: 'Cancel' }).click();
      await sheet(page).waitFor({ state: 'detached' });
      expect((await get('imports')).imports.length).toBe(2);
    });

    test('50,000 rows show how far they are, go on without their tab, and are shown when it is opened again', async () => {
      // Another import has its turn until this one has been seen.
      const other = await startEndlessImport(browser.app);
      const page = await browser.open('/imports', { as: ana });
      await choose(page, longFile());
      await sheet(page).getByLabel('What do you call this account?').fill('Household …7777', { timeout: 60_000 });
      await sheet(page).getByRole('button', { name: 'Import 50,000 rows' }).click({ timeout: 60_000 });
      await sheet(page).getByText('You can close this, and the page').waitFor({ timeout: 60_000 });
      await sheet(page).getByRole('progressbar', { name: 'Import of seven-years.csv' }).waitFor();
      await page.close();
      const { imports } = await get('imports?limit=1');
      expect(imports[0]).toMatchObject({ file_name: 'seven-years.csv', status: 'queued' });
      const again = await page.context().newPage();
      await again.goto(`${browser.address}/imports`);
      await again.getByRole('progressbar', { name: 'Import of seven-years.csv' }).waitFor();
      await again.getByText('Waiting for another import').waitFor();
      await expectGoodLooks(again, 'imports-running');
      await endImport(browser.app, other);
      const row = again.getByRole('row').filter({ hasText: 'seven-years.csv' });
      await row.getByText('Imported', { exact: true }).waitFor({ timeout: 120_000 });
      await row.getByText('50,000').waitFor();
      expect((await get('imports?limit=1')).imports[0]).toMatchObject({ status: 'completed', counts: { added: LONG } });
      // The name that was typed before the tab was closed is given by the next one.
      const names = async () => (await get('accounts')).map(({ name }: { name: string }) => name);
      await expect.poll(names).toContain('Household …7777');
      await again.close();
    }, 300_000);

    test('an import that is no longer there is forgotten', async () => {
      const page = await browser.open('/imports', { as: ana });
      const gone = { id: '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10', fileName: 'old.csv', accountName: 'Old' };
      await page.evaluate(`localStorage.setItem('homeledger.imports', ${JSON.stringify(JSON.stringify([gone]))})`);
      await page.reload();
      await expect.poll(() => page.evaluate(`localStorage.getItem('homeledger.imports')`)).toBe('[]');
    });

    test('a server that is restarted between the write and its answer doubles nothing', async () => {
      const page = await browser.open('/imports', { as: ana });
      await choose(page, RENT);
      const button = sheet(page).getByRole('button', { name: 'Import 3 rows' });
      await button.waitFor();
      let lost = 0;
      const line = await page.context().newCDPSession(page);
      await line.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/v1/imports', requestStage: 'Response' }] });
      line.on('Fetch.requestPaused', ({ requestId }) => {
        lost += 1;
        void (lost === 1 ? loseAnswer(requestId) : line.send('Fetch.continueRequest', { requestId }));
      });
      const loseAnswer = async (requestId: string): Promise<void> => {
        await eventually(async () =>
          expect((await get('imports?limit=1')).imports[0]).toMatchObject({
            file_name: 'rent.csv',
            status: 'completed',
          }),
        );
        await browser.app.close();
        await line.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionClosed' });
        browser.app = await browser.app.again({ env: { PORT: new URL(browser.address).port } });
        await browser.app.app.listen();
      };
      await button.click();
      await page.getByText('3 transactions imported into Joint …1234.').waitFor({ timeout: 60_000 });
      expect(lost).toBeGreaterThan(1);
      expect(
        (await get('imports')).imports.filter(({ file_name: name }: { file_name: string }) => name === 'rent.csv')
          .length,
      ).toBe(1);
      expect((await rowsOf('RENT')).length).toBe(1);
    }, 120_000);

    test('where two live in the household, a new account says whose it is', async () => {
      const ben = await addMember(browser.app, 'Ben');
      const page = await browser.open('/imports', { as: ana });
      await choose(page, {
        name: 'ben.csv',
        text: 'When;Text;Value;Cur\n2026-04-02;BOOKS;-3,20;EUR\n2026-04-03;GIFT;20,00;EUR',
      });
      await sheet(page).getByLabel('Whose account is it?').selectOption({ label: 'Ben' });
      await sheet(page).getByRole('button', { name: 'Import 2 rows' }).click();
      await page.getByText('2 transactions imported into ben.').waitFor();
      expect((await rowsOf('BOOKS'))[0].user_id).toBe(ben.short_id);
    });
  },
  ['SQLite'],
);
