import { expect } from 'vitest';

import type { Answer, RequestOptions, TestApp } from '../test-app.ts';

export type Fields = Readonly<Record<string, unknown>>;

const DOOR = '/api/v1/connections/csv';

/** Sends a file as JSON. */
export async function importFile(
  app: TestApp,
  text: string,
  fields: Fields = {},
  more: RequestOptions = {},
): Promise<Answer> {
  return app.request('POST', `${DOOR}/import`, {
    body: { csv_base64: base64(text), file_name: 'bank.csv', ...fields },
    ...more,
  });
}

export async function previewFile(
  app: TestApp,
  text: string,
  fields: Fields = {},
  more: RequestOptions = {},
): Promise<Answer> {
  return app.request('POST', `${DOOR}/preview`, {
    body: { csv_base64: base64(text), file_name: 'bank.csv', ...fields },
    ...more,
  });
}

/** Sends a file of any format as JSON. */
export async function sendBytes(
  app: TestApp,
  content: string | Uint8Array,
  fields: Fields = {},
  more: RequestOptions = {},
): Promise<Answer> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  return app.request('POST', '/api/v1/imports', {
    body: { file_base64: bytes.toString('base64'), ...fields },
    ...more,
  });
}

/** Imports a file into the account "Giro" a second later, and answers with the record. CSV amounts are positive coming in. */
export async function takeFile(app: TestApp, text: string, fields: Fields = {}): Promise<Answer['json']> {
  app.clock.advance(1_000);
  const sign = /^(OFX|<\?xml|:20:)/.test(text) ? {} : { sign: 'positive_is_in' };
  const { status, json } = await sendBytes(app, text, { account_name: 'Giro', ...sign, ...fields });
  expect(status, JSON.stringify(json)).toBe(201);
  return json;
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** A file of `Date,Description,Amount,Currency`, one line per row as `date text amount`. */
export function csvOf(...rows: readonly string[]): string {
  const lines = rows.map((row) => {
    const [date, ...words] = row.split(' ');
    const amount = words.pop();
    return `${date},${words.join(' ')},${amount},EUR`;
  });
  return `Date,Description,Amount,Currency\n${lines.join('\n')}\n`;
}

/** The same with a running balance that starts at `opening` hundredths. */
export function csvWithBalance(opening: number, ...rows: readonly string[]): string {
  let cents = opening;
  const lines = rows.map((row) => {
    const [date, ...words] = row.split(' ');
    const amount = words.pop() as string;
    cents += Math.round(Number(amount) * 100);
    return `${date},${words.join(' ')},${amount},EUR,${(cents / 100).toFixed(2)}`;
  });
  return `Date,Description,Amount,Currency,Balance\n${lines.join('\n')}\n`;
}

/** Live transactions as `date name amount`, newest first. */
export async function listed(app: TestApp): Promise<string[]> {
  const { json } = await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } });
  return json.transactions.map((one: Record<string, string>) => `${one['date']} ${one['name']} ${one['amount']}`);
}
