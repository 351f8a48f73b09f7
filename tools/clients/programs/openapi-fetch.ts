import { readFileSync } from 'node:fs';

import createClient from 'openapi-fetch';

import type { paths } from './schema.d.ts';

const { API_URL = '', API_KEY = '', BANK_FILE = '' } = process.env;
const client = createClient<paths>({ baseUrl: API_URL, headers: { 'X-API-Key': API_KEY } });

/** What an answer holds; an error of the service says what is wrong. */
function dataOf<T>(answer: { data?: T; error?: { error: { message: string } } }): T {
  if (answer.data === undefined) throw new Error(answer.error?.error.message ?? 'No answer');
  return answer.data;
}

const list = dataOf(
  await client.GET('/api/v1/transactions', {
    params: { query: { limit: 3, fields: ['core', 'tags'] } },
  }),
);
const [account] = dataOf(await client.GET('/api/v1/accounts'));
if (!account) throw new Error('No account');
const patched = dataOf(
  await client.PATCH('/api/v1/accounts/{id}', {
    params: { path: { id: account.short_id } },
    body: { display_name: 'Patched by openapi-fetch' },
  }),
);
const [user] = dataOf(await client.GET('/api/v1/users'));
if (!user) throw new Error('No member');
const imported = dataOf(
  await client.POST('/api/v1/imports', {
    body: {
      csv_base64: readFileSync(BANK_FILE).toString('base64'),
      user_id: user.short_id,
      account_name: 'openapi-fetch',
      iso_currency_code: 'USD',
    },
  }),
);
const name: string | null = patched.display_name;
process.stdout.write(
  JSON.stringify({
    list: list.transactions.length,
    patch: name,
    import: 'counts' in imported ? imported.counts.total : 0,
  }),
);
