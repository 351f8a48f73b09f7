import { kitty, type BankFile } from './bank-files.ts';
import type { Actor, Stage } from './stage.ts';

/** What the household does itself: rules, files, a wallet, corrections, what it says about its transactions. */

const GROCERS = [
  'fred-meyer',
  'safeway',
  'trader joe',
  'winco',
  'wholefds',
  'green leaf',
  'saturday mkt',
  'rewe',
  'edeka',
  'lidl',
];
const COFFEE = ['corner cafe', 'espresso', 'starbucks', 'morgenrot', 'bäckerei'];

const contains = (...texts: string[]) => ({ or: texts.map((value) => ({ field: 'name', op: 'contains', value })) });
const category = (slug: string) => ({ type: 'set_category', category_slug: slug });
const tag = (slug: string) => ({ type: 'add_tag', tag_slug: slug });

const ADAS_RULES = [
  { name: 'Groceries', condition: contains(...GROCERS), actions: [category('food_and_drink_groceries')] },
  { name: 'Coffee', condition: contains(...COFFEE), actions: [category('food_and_drink_coffee')] },
  {
    name: 'Eating out',
    condition: contains('tst* pho', 'tst* noodle', 'thai basil', 'taqueria', 'cafe ole'),
    actions: [category('food_and_drink_restaurant')],
  },
  { name: 'Mia’s things', condition: contains('omsi', 'oregon zoo', 'allegro music'), actions: [tag('kids')] },
  {
    name: 'Receipts for the tax',
    condition: contains('wikimedia', 'opb ', 'food bank'),
    actions: [tag('tax-deductible')],
  },
  { name: 'Ski passes', condition: contains('meadows lift'), actions: [tag('kids')] },
] as const;
const BENS_RULES = [
  {
    name: 'Getting around Berlin',
    condition: contains('bvg', 'db vertrieb'),
    actions: [category('transportation_public_transit'), tag('work:berlin')],
  },
  {
    name: 'Eating out in Berlin',
    condition: contains('döner', 'letzten instanz'),
    actions: [category('food_and_drink_restaurant')],
  },
] as const;
const LARGE_CHARGES = {
  name: 'Ask about large charges',
  condition: { field: 'amount', op: 'gt', value: '1500.00' },
  actions: [{ type: 'flag' }],
  enabled: false,
};

export async function setUpRules({ ada, ben, at }: Stage): Promise<void> {
  at(74, '19:02');
  await ada.ask('PUT', 'config/household.name', { value: 'Keller and Okafor' });
  await ada.ask('POST', 'rules/batch', { rules: [...ADAS_RULES, LARGE_CHARGES] });
  at(60, '20:41');
  await ben.ask('POST', 'rules/batch', { rules: BENS_RULES });
}

/** Old marks that nobody will look at again. */
export async function lookThrough({ ben, at, dayAgo }: Stage): Promise<void> {
  at(28, '07:50');
  const account = (await ben.ask('GET', 'accounts')).find((one: { name: string }) => one.name === 'Girokonto');
  const filter = { tag: 'needs-review', account_id: account.id, date_to: dayAgo(30) };
  await changeWhere(ben, filter, { tags_to_remove: ['needs-review'] });
}

export async function tidyUp({ ada, at, dayAgo }: Stage): Promise<void> {
  at(73, '20:15');
  await changeWhere(ada, { tag: 'needs-review', date_to: dayAgo(75) }, { tags_to_remove: ['needs-review'] });
  await changeWhere(ada, { flagged: true, date_to: dayAgo(75) }, { flagged: false });
}

async function changeWhere(who: Actor, filter: Readonly<Record<string, unknown>>, changes: object): Promise<void> {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  const { count } = await who.ask('GET', `transactions/count?${query.toString()}`);
  if (count > 0) await who.ask('POST', 'transactions/bulk-update', { filter, changes, expected_count: count });
}

export async function importFile({ ben }: Stage, { name, csv }: BankFile): Promise<void> {
  if (csv === '') return;
  const account = (await ben.ask('GET', 'accounts')).find((one: { name: string }) => one.name === 'Girokonto');
  await ben.ask('POST', 'imports', {
    file_base64: Buffer.from(csv).toString('base64'),
    file_name: name,
    account_id: account.id,
    iso_currency_code: 'EUR',
  });
}

/** The kitty's file goes to the wrong account, and is taken back. */
export async function importByMistake({ ben, at, until }: Stage): Promise<void> {
  at(40, '21:12');
  const account = (await ben.ask('GET', 'accounts')).find((one: { name: string }) => one.name === 'Girokonto');
  const { id } = await ben.ask('POST', 'imports', {
    file_base64: Buffer.from(kitty(until)).toString('base64'),
    file_name: 'WG-Kasse.csv',
    account_id: account.id,
    sign: 'positive_is_in',
    iso_currency_code: 'EUR',
  });
  at(40, '21:16');
  await ben.ask('POST', `imports/${id}/revert`, {});
}

const PURCHASES = [
  { daysAgo: 48, amount: '3.20', name: 'Coffee at the station', category_slug: 'food_and_drink_coffee' },
  { daysAgo: 41, amount: '14.00', name: 'Flea market: desk lamp', comment: 'For the room in Berlin.' },
] as const;

export async function keepAWallet({ ben, at, dayAgo }: Stage): Promise<void> {
  at(49, '08:30');
  const { user } = await ben.ask('GET', '/auth/session');
  const wallet = await ben.ask('POST', 'accounts', {
    name: 'Wallet',
    iso_currency_code: 'EUR',
    user_id: user.id,
    opening_balance: '60.00',
    opening_date: dayAgo(49),
  });
  for (const { daysAgo, ...purchase } of PURCHASES) {
    at(daysAgo, '18:20');
    await ben.ask('POST', 'transactions', { account_id: wallet.id, date: dayAgo(daysAgo), ...purchase });
  }
  await ben.ask('PUT', `accounts/${wallet.id}/balances/${dayAgo(41)}`, { balance_current: '42.80' });
}

/** An evening's talk about the card, with a change that Ada takes back. */
export async function talkItOver({ ada, ben, at, dayAgo }: Stage): Promise<void> {
  at(9, '20:05');
  const { transactions } = await ada.ask(
    'GET',
    `transactions?date_to=${dayAgo(10)}&amount_min=20&pending=false&limit=40`,
  );
  const [first, second, third] = transactions.filter((row: { flagged_at: string | null }) => row.flagged_at === null);
  if (!first || !second || !third) return;
  await ada.ask('POST', `transactions/${first.id}/comments`, { body: 'Is this the present for Rosa?' });
  await ben.ask('POST', `transactions/${first.id}/comments`, { body: 'Yes, half of it. Lena pays the rest.' });
  await ben.ask('POST', `transactions/${second.id}/flag`, { reason: 'Looks higher than last month.' });
  const moved = { transaction_ids: [second.id, third.id], category_slug: 'general_merchandise_gifts_and_novelties' };
  const { change_set_id: id } = await ada.ask('POST', 'transactions/batch-categorize', moved);
  if (id !== null) await ada.ask('POST', `change-sets/${id}/revert`, {});
}

export async function inviteRosa({ ada, at }: Stage): Promise<void> {
  at(0, '17:45');
  const { id } = await ada.ask('POST', 'users', { name: 'Rosa Keller', kind: 'member', email: 'rosa@home.example' });
  await ada.ask('POST', `users/${id}/login`, { identifier: 'rosa@home.example', role: 'viewer' });
}

/** Every rule over all transactions, as a job. */
export async function applyRules({ ada, at }: Stage): Promise<void> {
  at(0, '19:30');
  await ada.ask('POST', 'rules/apply-all', {});
}
