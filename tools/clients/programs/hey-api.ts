import { readFileSync } from 'node:fs';

import { importFile, listAccounts, listTransactions, listUsers, updateAccount } from './generated/index.ts';
import { client } from './generated/client.gen.ts';

const { API_URL = '', API_KEY = '', BANK_FILE = '' } = process.env;
client.setConfig({ baseUrl: API_URL, headers: { 'X-API-Key': API_KEY } });

const list = await listTransactions({ query: { limit: 3, fields: ['core', 'tags'] }, throwOnError: true });
const [account] = (await listAccounts({ throwOnError: true })).data;
if (!account) throw new Error('No account');
const patched = await updateAccount({
  path: { id: account.short_id },
  body: { display_name: 'Patched by hey-api' },
  throwOnError: true,
});
const [user] = (await listUsers({ throwOnError: true })).data;
if (!user) throw new Error('No member');
const imported = await importFile({
  body: {
    csv_base64: readFileSync(BANK_FILE).toString('base64'),
    user_id: user.short_id,
    account_name: 'hey-api',
    iso_currency_code: 'USD',
  },
  throwOnError: true,
});
const name: string | null = patched.data.display_name;
process.stdout.write(
  JSON.stringify({ list: list.data.transactions.length, patch: name, import: imported.data.counts.total }),
);
