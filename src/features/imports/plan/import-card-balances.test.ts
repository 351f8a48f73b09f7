import { expect, test } from 'vitest';

import { sendBytes, type Fields } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { ofxFile, type OfxStatement } from '../../../../test/harness/bank-files/ofx-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

function card(account: string, balance: string, date = '2026-01-31'): OfxStatement {
  const entries = [{ id: `${account}-${date}`, date, amount: '-9.00', text: 'BOOKS' }];
  return { account, type: 'CREDITCARD', closing: [balance, date], entries };
}

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function send(app: TestApp, cards: readonly OfxStatement[], fields: Fields = {}): Promise<Answer['json']> {
    const { status, json } = await sendBytes(app, ofxFile(...cards), fields);
    expect([200, 201], JSON.stringify(json)).toContain(status);
    return json;
  }

  async function owed(app: TestApp): Promise<Record<string, string>> {
    const { json } = await app.request('GET', '/api/v1/accounts');
    return Object.fromEntries(json.map((one: Record<string, string>) => [one['mask'], one['balance_current']]));
  }

  function warned(json: Answer['json']): string[] {
    return json.warnings
      .filter(({ code }: { code: string }) => code === 'DEFAULT_ASSUMED')
      .map(({ message }: { message: string }) => message.split('. ')[1]);
  }

  test('one positive balance of a card among negative ones is money in the holder’s favour, with a warning', async () => {
    const app = await household();
    const cards = [
      card('4111000000001111', '-120.00'),
      card('4111000000002222', '15.00'),
      card('4111000000003333', '-9.00'),
    ];
    const preview = await send(app, cards, { dry_run: true });
    const json = await send(app, cards);
    expect(await owed(app)).toEqual({ '1111': '120.00', '2222': '-15.00', '3333': '9.00' });
    for (const answer of [preview, json]) expect(warned(answer)).toEqual(['We assumed that it is yours']);
    const [, second] = json.accounts;
    const { balances } = (await app.request('GET', `/api/v1/accounts/${second.account_id}/balances`)).json;
    expect(balances).toMatchObject([{ date: '2026-01-31', balance_current: '-15.00' }]);
  });

  test('a single positive balance of a card is assumed to be owed, with a warning', async () => {
    const app = await household();
    const json = await send(app, [card('4111000000001111', '250.00')]);
    expect(await owed(app)).toEqual({ '1111': '250.00' });
    expect(json.warnings.map(({ message }: { message: string }) => message)).toEqual([
      'The file does not say whether the balance 250.00 on 2026-01-31 is owed to the bank or is yours. We assumed that it is owed to the bank. If that is wrong, correct the balance of the account.',
    ]);
  });

  test('balances that are all negative are owed, as the format defines', async () => {
    const app = await household();
    const json = await send(app, [card('4111000000001111', '-250.00'), card('4111000000002222', '-1.00')]);
    expect([await owed(app), json.warnings]).toEqual([{ '1111': '250.00', '2222': '1.00' }, []]);
  });

  test('a balance that follows from the one before needs no warning', async () => {
    const app = await household();
    await send(app, [card('4111000000001111', '250.00')]);
    const json = await send(app, [card('4111000000001111', '259.00', '2026-02-28')]);
    expect([json.balance_proof.status, json.warnings]).toEqual(['proved', []]);
  });

  test('a card that its bank calls a checking account is still a card next month', async () => {
    const app = await household();
    const checking = (balance: string, date: string) => ({ ...card('55556666', balance, date), type: 'CHECKING' });
    await send(app, [checking('0.00', '2026-01-31')], { account_type: 'credit' });
    const next = checking('30.00', '2026-02-28');
    const preview = await send(app, [next], { dry_run: true, accept_unproved: true });
    expect(preview.balance_proof.results).toMatchObject([{ kind: 'debt' }]);
  });
});
