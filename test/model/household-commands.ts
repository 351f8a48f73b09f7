import fc from 'fast-check';

import type { Made } from '../harness/ledger.ts';
import type { Answer, TestApp } from '../harness/test-app.ts';

/** A household that random commands are played on: a few of everything, so that commands meet each other. */
export interface Household {
  app: TestApp;
  transactions: readonly Made[];
  accounts: readonly Made[];
}

/** One thing somebody does over HTTP; numbers pick among what exists at the time. */
export interface Command {
  kind: (typeof KINDS)[number];
  a: number;
  b: number;
  text: string;
}

const KINDS = [
  'categorize',
  'uncategorize',
  'resetCategory',
  'tag',
  'untag',
  'flag',
  'unflag',
  'putMetadata',
  'patchMetadata',
  'deleteTransaction',
  'restoreTransaction',
  'comment',
  'editComment',
  'deleteComment',
  'updateSeveral',
  'batchCategorize',
  'createTag',
  'renameTag',
  'deleteTag',
  'createCategory',
  'changeCategory',
  'deleteCategory',
  'mergeCategories',
  'createSeries',
  'linkSeries',
  'unlinkSeries',
  'deleteSeries',
  'createCounterparty',
  'linkCounterparty',
  'changeCounterparty',
  'mergeCounterparties',
  'deleteCounterparty',
  'changeAccount',
  'createAccount',
  'renameAccount',
  'deleteAccount',
  'stateBalance',
  'unstateBalance',
  'enterTransaction',
  'importFile',
] as const;

export const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(...KINDS),
  a: fc.nat(1_000),
  b: fc.nat(1_000),
  text: fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'Épsilon'),
});

const LIVE = '/api/v1/transactions';

/** Plays a command; what does not apply at the time is refused by the service and changes nothing. */
export async function play(household: Household, { kind, a, b, text }: Command): Promise<Answer | null> {
  const { app } = household;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    app.request(method, path, body === undefined ? {} : { body });
  const transaction = pick(household.transactions, a);
  const at = `${LIVE}/${transaction.id}`;
  const list = async (path: string, key?: string): Promise<Record<string, string>[]> => {
    const { json } = await call('GET', path);
    return (key === undefined ? json : json[key]) as Record<string, string>[];
  };
  const own = async (): Promise<Record<string, string>[]> =>
    (await list('/api/v1/categories')).filter((category) => !category['is_system']);
  const slug = text.toLowerCase().replace(/[^a-z]/g, 'e');
  switch (kind) {
    case 'categorize':
      return call('PATCH', `${at}/category`, { category_id: pick(await list('/api/v1/categories'), b)['id'] });
    case 'uncategorize':
      return call('PATCH', `${at}/category`, { category_id: null });
    case 'resetCategory':
      return call('DELETE', `${at}/category`);
    case 'tag':
      return call('POST', `${at}/tags`, { slug });
    case 'untag':
      return call('DELETE', `${at}/tags/${slug}`);
    case 'flag':
      return call('POST', `${at}/flag`, b % 2 === 0 ? { reason: text } : {});
    case 'unflag':
      return call('DELETE', `${at}/flag`);
    case 'putMetadata':
      return call('PUT', `${at}/metadata`, { metadata: { [text]: b, shared: { list: [a % 3, null] } } });
    case 'patchMetadata':
      return call('PATCH', `${at}/metadata`, b % 2 === 0 ? { set: { [text]: text } } : { unset: [text] });
    case 'deleteTransaction':
      return call('DELETE', at);
    case 'restoreTransaction':
      return call('POST', `${at}/restore`, {});
    case 'comment':
      return call('POST', `${at}/comments`, { body: `${text} ${b}` });
    case 'editComment':
    case 'deleteComment': {
      const { json } = await call('GET', `${at}/comments?include_deleted=true`);
      if (!Array.isArray(json) || json.length === 0) return null;
      const path = `${at}/comments/${pick(json as Record<string, string>[], b)['id']}`;
      return kind === 'editComment' ? call('PUT', path, { body: `${text}, edited` }) : call('DELETE', path);
    }
    case 'updateSeveral': {
      const other = pick(household.transactions, b);
      const operations = [
        { transaction_id: transaction.id, tags_to_add: [slug], metadata_set: { [text]: a }, comment: text },
        { transaction_id: other.short_id, flagged: a % 2 === 0, tags_to_remove: ['alpha'] },
      ];
      return call('POST', `${LIVE}/update`, { operations, on_error: 'continue' });
    }
    case 'batchCategorize': {
      const categories = await list('/api/v1/categories');
      const ids = household.transactions.slice(a % 3, (a % 3) + 3).map(({ id }) => id);
      const live = await Promise.all(
        ids.map(async (id) => ((await call('GET', `${LIVE}/${id}`)).status === 200 ? id : null)),
      );
      const wanted = live.filter((id) => id !== null);
      if (wanted.length === 0) return null;
      return call('POST', `${LIVE}/batch-categorize`, {
        transaction_ids: wanted,
        category_id: pick(categories, b)['id'],
      });
    }
    case 'createTag':
      return call('POST', '/api/v1/tags', { name: `${text} ${b % 3}` });
    case 'renameTag':
    case 'deleteTag': {
      const tags = await list('/api/v1/tags');
      if (tags.length === 0) return null;
      const path = `/api/v1/tags/${pick(tags, b)['id']}`;
      return kind === 'renameTag' ? call('PATCH', path, { name: `${text} again` }) : call('DELETE', path);
    }
    case 'createCategory':
      return call('POST', '/api/v1/categories', { name: `${text} ${b % 2}` });
    case 'changeCategory': {
      const categories = await list('/api/v1/categories');
      return call('PATCH', `/api/v1/categories/${pick(categories, a)['id']}`, { name: text, icon: `icon-${b}` });
    }
    case 'deleteCategory': {
      const categories = await own();
      return categories.length === 0
        ? null
        : call('DELETE', `/api/v1/categories/${pick(categories, a)['id']}?reassign_to=${b % 2 ? 'none' : 'travel'}`);
    }
    case 'mergeCategories': {
      const categories = await list('/api/v1/categories');
      const [into, from] = [pick(categories, a), pick(categories, b)];
      return call('POST', `/api/v1/categories/${into['id']}/merge`, { from_category_id: from['id'] });
    }
    case 'createSeries':
      return call('POST', '/api/v1/series', { name: text, transaction_ids: b % 2 === 0 ? [] : [transaction.id] });
    case 'linkSeries':
    case 'unlinkSeries':
    case 'deleteSeries': {
      const all = await list('/api/v1/series', 'series');
      if (all.length === 0) return null;
      const path = `/api/v1/series/${pick(all, b)['id']}`;
      if (kind === 'linkSeries') return call('POST', `${path}/transactions`, { transaction_ids: [transaction.id] });
      if (kind === 'unlinkSeries') return call('DELETE', `${path}/transactions/${transaction.id}`);
      return call('DELETE', `${path}?unlink=true`);
    }
    case 'createCounterparty':
      return call('POST', '/api/v1/counterparties', { name: text, mcc: b % 2 === 0 ? '5814' : null });
    case 'linkCounterparty':
    case 'changeCounterparty':
    case 'mergeCounterparties':
    case 'deleteCounterparty': {
      const all = await list('/api/v1/counterparties', 'counterparties');
      if (all.length === 0) return null;
      const path = `/api/v1/counterparties/${pick(all, b)['id']}`;
      if (kind === 'linkCounterparty')
        return call('POST', `${path}/transactions`, { transaction_ids: [transaction.id] });
      if (kind === 'changeCounterparty') return call('PATCH', path, { website_url: `https://example.org/${a}` });
      if (kind === 'deleteCounterparty') return call('DELETE', path);
      return call('POST', `${path}/merge`, { from_counterparty_id: pick(all, a)['id'] });
    }
    case 'changeAccount': {
      const account = pick(household.accounts, a);
      return call('PATCH', `/api/v1/accounts/${account.id}`, {
        display_name: b % 3 ? text : '',
        is_excluded: b % 2 === 0,
      });
    }
    case 'createAccount': {
      const opening = b % 2 === 0 ? {} : { opening_balance: b, opening_date: '2026-05-01' };
      return call('POST', '/api/v1/accounts', { name: text, iso_currency_code: 'USD', ...opening });
    }
    case 'renameAccount':
    case 'deleteAccount':
    case 'stateBalance':
    case 'unstateBalance':
    case 'enterTransaction': {
      const accounts = await list('/api/v1/accounts');
      if (accounts.length === 0) return null;
      const id = pick(accounts, a)['id'] as string;
      const path = `/api/v1/accounts/${id}`;
      const day = `2026-05-0${(b % 5) + 1}`;
      if (kind === 'renameAccount') {
        return call('PATCH', path, { name: `${text} ${b}`, type: 'loan', iso_currency_code: b % 4 ? 'USD' : 'EUR' });
      }
      if (kind === 'deleteAccount') return call('DELETE', `${path}?delete_transactions=${b % 2 === 0}`);
      if (kind === 'stateBalance') return call('PUT', `${path}/balances/${day}`, { balance_current: a });
      if (kind === 'unstateBalance') return call('DELETE', `${path}/balances/${day}`);
      const said = b % 2 === 0 ? { tags: [slug], comment: text } : { category_id: 'travel', metadata: { [text]: a } };
      const name = `Bakery ${b % 5}`;
      return call('POST', LIVE, { account_id: id, date: day, amount: '10.00', name, ...said });
    }
    case 'importFile':
      return importDays(app, pick(household.accounts, a), a % 4, (b % 3) + 1);
    default:
      return kind satisfies never;
  }
}

/** Imports consecutive days of one bank account, so that the files of several imports overlap. */
export async function importDays(app: TestApp, account: Made, from: number, count: number): Promise<Answer> {
  const lines = ['Date,Description,Amount,Balance', ...linesOf(from, count)];
  const csv_base64 = Buffer.from(lines.join('\n')).toString('base64');
  const body = { csv_base64, account_id: account.id, sign: 'positive_is_in' };
  return app.request('POST', '/api/v1/connections/csv/import', { body });
}

function linesOf(from: number, count: number): string[] {
  let balance = 1_000 - from * 10;
  return Array.from({ length: count }, (_, index) => {
    balance -= 10;
    return `2026-05-${String(from + index + 1).padStart(2, '0')},Bakery ${from + index},-10.00,${balance}.00`;
  });
}

function pick<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}

/** Everything that a person could see of the household, but for stamps of the last change. */
export async function visibleState({ app, transactions }: Household): Promise<unknown> {
  const get = async (path: string): Promise<unknown> => (await app.request('GET', path)).json as unknown;
  const live = (await get(`${LIVE}?limit=500`)) as { transactions: { id: string }[] };
  const known = new Set(transactions.map(({ id }) => id));
  const deleted = (await get(`${LIVE}?limit=500&deleted=true`)) as { transactions: { id: string }[] };
  const comments = await Promise.all(
    transactions.map(async ({ id }) => [id, await get(`${LIVE}/${id}/comments?include_deleted=true`)]),
  );
  const accounts = (await get('/api/v1/accounts?include_disconnected=true')) as { id: string }[];
  return withoutStamps({
    live: live.transactions,
    // A row that an import made stays, deleted, when the import is taken back.
    deleted: deleted.transactions.filter(({ id }) => known.has(id)),
    comments,
    tags: await get('/api/v1/tags'),
    categories: await get('/api/v1/categories'),
    series: await get('/api/v1/series'),
    counterparties: await get('/api/v1/counterparties?include_merged=true'),
    accounts,
    balances: await Promise.all(accounts.map(({ id }) => get(`/api/v1/accounts/${id}/balances`))),
  });
}

function withoutStamps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStamps);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([key]) => key !== 'updated_at' && key !== 'balance_updated_at');
  return Object.fromEntries(members.map(([key, member]) => [key, withoutStamps(member)]));
}
