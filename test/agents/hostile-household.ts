import { expect } from 'vitest';

import { base64 } from '../harness/bank-files/bank-files.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import type { TestApp } from '../harness/test-app.ts';
import { HOSTILE_TEXTS, lettersOf, type HostileText } from './hostile-texts.ts';

/** Control characters, directions, and what is invisible: nothing of it helps a reader. */
export const UNSEEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

/** What the orders of hostile texts are about. */
export interface Ids {
  row: string;
  import: string;
}

/** Puts each text where it came from: rows of a bank, files, comments, reports. */
export async function plant(app: TestApp): Promise<Ids> {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const of = (place: HostileText['place']): string[] =>
    HOSTILE_TEXTS.filter((one) => one.place === place).map(({ text }) => text);
  const names = of('description');
  const payees = of('payee');
  const rows = await addTransactions(
    app,
    Array.from({ length: Math.max(names.length, payees.length) }, (_, index) => ({
      account,
      date: '2026-04-20',
      amount_cents: 450 + index,
      name: names[index] ?? 'Corner Cafe',
      merchant_name: payees[index] ?? null,
    })),
  );
  const row = (rows[0] as { id: string }).id;
  for (const body of of('comment')) {
    const made = await app.request('POST', `/api/v1/transactions/${row}/comments`, { body: { body } });
    expect(made.status, made.text).toBe(201);
  }
  for (const body of of('report')) {
    const made = await app.request('POST', '/api/v1/reports', { body: { title: 'Findings', body } });
    expect(made.status, made.text).toBe(201);
  }
  let imported = '';
  for (const [index, name] of of('file name').entries()) {
    const file = `Date,Description,Amount,Currency\n2026-03-0${index + 1},MARKET ${index},-${index + 1}.50,EUR\n`;
    const body = { file_base64: base64(file), file_name: name, account_name: 'Giro', sign: 'positive_is_in' };
    const made = await app.request('POST', '/api/v1/imports', { body });
    expect(made.status, made.text).toBe(201);
    imported = made.json.id as string;
  }
  return { row, import: imported };
}

/** Whether the letters of a hostile text are in another. */
export function isIn(text: string, hostile: HostileText): boolean {
  return lettersOf(text).includes(lettersOf(hostile.text.replaceAll(new RegExp(UNSEEN, 'gu'), ' ')));
}

/** The arguments of an order, with the ids that its placeholders stand for. */
export function filledIn(args: Readonly<Record<string, unknown>>, ids: Ids): Record<string, unknown> {
  const filled = JSON.stringify(args).replaceAll('$row', ids.row).replaceAll('$import', ids.import);
  return JSON.parse(filled) as Record<string, unknown>;
}
