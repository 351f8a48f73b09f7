import { expect, test } from 'vitest';

import { importFile, previewFile, sendBytes } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember, openHousehold } from '../../../../test/harness/ledger.ts';
import { asCamt } from '../../../../test/harness/bank-files/statement-files.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

const IBAN = 'DE89370400440532013000';
const DKB =
  '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"';

/** Rows as `DD.MM.YY text amount` below the preamble of a DKB export. */
function dkb(balance: string, ...rows: readonly string[]): string {
  const lines = rows.map((row) => {
    const [date, text, amount] = row.split(' ');
    return `"${date}";"${date}";"Gebucht";"Me";"${text}";"${text}";"Ausgang";"";"${amount}";"";"";""`;
  });
  return `"Girokonto";"${IBAN}"\n""\n"${balance.replace('=', '";"')}"\n""\n${DKB}\n${lines.join('\n')}\n`;
}

const JANUARY = dkb('Kontostand vom 31.01.2026:=996,50 €', '31.01.26 COFFEE -3,50', '05.01.26 SALARY 1.000');

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);
  const accountsOf = async (app: TestApp) => (await app.request('GET', '/api/v1/accounts')).json;

  const balanceDays = async (app: TestApp) =>
    (await rowsOf(app.app.instance.database, 'select balance_date from accounts')).map((one) => one['balance_date']);

  test('the account number in the preamble finds the account again, and the balance goes to it', async () => {
    const app = await household();
    const ben = await addMember(app, 'Ben');
    const first = await importFile(app, JANUARY, { user_id: ben.id, account_name: 'Giro' });
    expect([first.status, first.json.imported_transactions]).toEqual([201, 2]);
    expect(await accountsOf(app)).toMatchObject([{ name: 'Giro', mask: '3000', balance_current: '996.50' }]);
    expect(first.text + JSON.stringify(await accountsOf(app))).not.toContain(IBAN);
    const february = dkb('Kontostand vom 28.02.2026:=986,50 €', '28.02.26 TEA -10,00');
    const next = await importFile(app, february, { file_name: 'other.csv' });
    expect([next.status, next.json.account_id]).toEqual([201, first.json.account_id]);
    expect(next.json.import).toMatchObject({
      user_id: ben.short_id,
      accounts: [{ suggested: true }],
      balance_proof: { status: 'proved', results: [{ method: 'anchors', closing_balance: '986.50' }] },
      detection: { account: { evidence: ['content'], confidence: 'certain' } },
    });
    expect(await accountsOf(app)).toMatchObject([{ balance_current: '986.50' }]);
    const statement = {
      account: IBAN,
      openingCents: 98_650,
      openingDate: '2026-03-01',
      closingCents: 98_600,
      closingDate: '2026-03-31',
    };
    const camt = await sendBytes(
      app,
      asCamt([{ ...statement, entries: [{ date: '2026-03-15', cents: 50, text: 'FEE', id: 'R1' }] }]),
    );
    expect(camt.json.account_id).toBe(first.json.account_id);
  });

  test('rows above the only known column names are asked about, and left out only if the caller says so', async () => {
    const app = await household();
    const file = 'Sími;05.01.2026;-39,95\nBónus;16.01.2026;-9,99\nText;Datum;Betrag\nNetflix;18.01.2026;-12,99\n';
    const refused = await importFile(app, file);
    expect([refused.status, refused.json.error]).toMatchObject([
      422,
      {
        code: 'AMBIGUOUS_FORMAT',
        message: expect.stringContaining('2 rows above the column names on line 3'),
        details: [{ path: 'line 1' }, { path: 'line 2' }, { path: 'header_line' }],
        candidates: [{ parameter: 'header_line', values: [{ value: '3', line: 3 }] }],
      },
    ]);
    expect(await accountsOf(app)).toEqual([]);
    const done = await importFile(app, file, { header_line: 3 });
    expect([done.status, done.json.imported_transactions]).toEqual([201, 1]);
  });

  test('rows of a further section with other columns are refused with their lines, or skipped and listed', async () => {
    const app = await household();
    const file =
      'Datum;Text;Betrag\n05.01.2026;Telekom;-39,95\n' +
      'Datum;Empfänger;Kategorie;Währung;Betrag\n18.01.2026;Netflix;Film;EUR;-12,99\n';
    const refused = await importFile(app, file);
    expect([refused.status, refused.json.error]).toMatchObject([
      422,
      { code: 'INVALID_ROWS', details: [{ path: 'line 4: fields' }] },
    ]);
    const done = await importFile(app, file, { skip_invalid: true });
    expect([done.status, done.json.imported_transactions]).toEqual([201, 1]);
    const { counts } = done.json.import;
    expect(counts).toMatchObject({ added: 1, invalid: 1 });
  });

  test('a missing row breaks the proof of the closing balance; a balance of a later day refuses nothing', async () => {
    const app = await household();
    await importFile(app, JANUARY);
    const missing = dkb('Kontostand vom 28.02.2026:=980,00 €', '28.02.26 TEA -10,00');
    const refused = await importFile(app, missing);
    expect([refused.status, refused.json.error.code]).toEqual([422, 'BALANCE_MISMATCH']);
    const later = dkb('Kontostand vom 15.03.2026:=980,00 €', '28.02.26 TEA -10,00');
    const done = await importFile(app, later);
    expect([done.status, done.json.import.balance_proof.status]).toEqual([201, 'not_available']);
    expect(await accountsOf(app)).toMatchObject([{ balance_current: '980.00' }]);
    expect(await balanceDays(app)).toEqual(['2026-03-15']);
  });

  test.each([
    ['Kontonummer;12345678', 'Kontostand am 31.01.2026;1.234,56', '1234.56'],
    ['Compte;FR7630006000011234567890189', 'Solde au 31/01/2026;1 234,56 €', '1234.56'],
    ['Conto: IT60X0542811101000000123456', 'Saldo al 31/01/2026: 1.234,56', '1234.56'],
    ['Cuenta;ES9121000418450200051332', 'Saldo final;31/01/2026;-1.234,56', '-1234.56'],
    ['Rekening;NL91ABNA0417164300', 'Eindsaldo op 31-01-2026;1234,56', '1234.56'],
    ['Account number;12-34-56 12345678', 'Closing balance;31 January 2026;1,234.56', '1234.56'],
  ])('%s / %s', async (number, balance, stated) => {
    const app = await household();
    const file = (month: string): string =>
      `${number}\n${balance}\n\nDate;Description;Amount;Currency\n2026-${month}-30;ONE;-3,50;EUR\n2026-${month}-31;TWO;-13,50;EUR\n`;
    const first = await importFile(app, file('01'));
    expect(first.status, first.text).toBe(201);
    expect(await accountsOf(app)).toMatchObject([{ balance_current: stated }]);
    expect(await balanceDays(app)).toEqual(['2026-01-31']);
    const next = await previewFile(app, file('03').replace(balance, ''));
    expect(next.json.accounts).toMatchObject([{ account_id: first.json.account_id, suggested: true }]);
    expect(next.json.detection.account.confidence).toBe('certain');
  });

  test('an account column with one number names the account: Sparkasse', async () => {
    const app = await household();
    const header =
      'Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Beguenstigter/Zahlungspflichtiger;Kontonummer;BLZ;Betrag;Waehrung;Info';
    const file = (account: string, date: string): string =>
      `${header}\n${account};${date};${date};KARTENZAHLUNG;COFFEE;Cafe;DE02120300000000202051;BYLADEM1001;-3,50;EUR;Umsatz gebucht\n`;
    const first = await importFile(app, file(IBAN, '05.01.26'));
    expect(await accountsOf(app)).toMatchObject([{ name: 'Sparkasse', mask: '3000' }]);
    const other = await importFile(app, file('DE02120300000000202051', '05.02.26'));
    expect(other.json.import.accounts).toMatchObject([{ created: true, account_name: 'Sparkasse 2' }]);
    const again = await importFile(app, file(IBAN, '05.03.26'));
    expect(again.json.account_id).toBe(first.json.account_id);
  });

  test('opening and closing balance prove the rows in between', async () => {
    const app = await household();
    const file = (rows: string): string =>
      `Opening balance;100,00\nClosing balance on 31.01.2026;83,00\n\nDate;Description;Amount;Currency\n${rows}`;
    const whole = await previewFile(app, file('30.01.2026;ONE;-3,50;EUR\n31.01.2026;TWO;-13,50;EUR\n'));
    expect(whole.json.balance_proof).toMatchObject({ status: 'proved', results: [{ method: 'statement_balances' }] });
    const lacking = await previewFile(app, file('31.01.2026;TWO;-13,50;EUR\n'));
    expect(lacking.json.blockers[0].code).toBe('BALANCE_MISMATCH');
  });

  test('number and closing balance below the last row belong to the account', async () => {
    const app = await household();
    const file = (rows: string, below: string): string =>
      `Buchungstag;Verwendungszweck;Betrag;Währung\n${rows}\n${below}\n`;
    const above = file('05.01.2026;SALARY;1000,00;EUR', `\nKonto:;${IBAN}\nKontostand am 05.01.2026;996,50`);
    const first = await importFile(app, above, { account_name: 'Giro' });
    expect(first.json).toMatchObject({ imported_transactions: 1, import: { counts: { invalid: 0 } } });
    expect(await accountsOf(app)).toMatchObject([{ name: 'Giro', mask: '3000', balance_current: '996.50' }]);
    expect(JSON.stringify(await accountsOf(app))).not.toContain(IBAN);
    await importFile(app, file('06.01.2026;RENT;-800,00;EUR', 'Konto;DE02120300000000202051'));
    expect(await accountsOf(app)).toHaveLength(2);
    const next = file('06.01.2026;TEA;-10,00;EUR', `;Kontostand am 06.01.2026;986,50;EUR\nKonto;${IBAN}`);
    const found = await importFile(app, next, { file_name: 'other.csv' });
    expect([found.status, found.json.account_id]).toEqual([201, first.json.account_id]);
    expect(found.json.import).toMatchObject({
      balance_proof: { status: 'proved', results: [{ method: 'anchors', closing_balance: '986.50' }] },
      detection: { account: { evidence: ['content'], confidence: 'certain' } },
    });
  });
});
