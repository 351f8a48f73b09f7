import fc from 'fast-check';

import type { Made } from '../harness/ledger.ts';
import { addBank, suggest } from '../harness/syncs/synced-ledger.ts';
import type { Answer, TestApp } from '../harness/test-app.ts';

/** A household that random commands are played on: a few of everything, so that commands meet each other. */
export interface Household {
  app: TestApp;
  transactions: readonly Made[];
  accounts: readonly Made[];
}

/** One thing somebody does over HTTP; numbers pick among what exists at the time. */
export interface Command {
  kind: Kind;
  a: number;
  b: number;
  text: string;
}

const LIVE = '/api/v1/transactions';

type Row = Record<string, string>;

/** What a move does with: the numbers of its command, what they pick, and calls of the service. */
interface Turn {
  household: Household;
  a: number;
  b: number;
  text: string;
  slug: string;
  transaction: Made;
  /** The path of the transaction. */
  at: string;
  call: (method: string, path: string, body?: unknown) => Promise<Answer>;
  list: (path: string, key?: string) => Promise<Row[]>;
}

/** Null where there is nothing to do it with. */
type Move = (turn: Turn) => Promise<Answer | null>;

/** Accepts the suggestion of a sync that the two transactions are one; null if there can be none. */
async function acceptMerge({ app }: Household, newer: Made, older: Made, call: Turn['call']): Promise<Answer | null> {
  const { json: row } = await call('GET', `${LIVE}/${newer.id}`);
  if (newer.id === older.id || row.account_id === undefined) return null;
  const { json: banks } = await call('GET', '/api/v1/connections?provider=plaid');
  const [member] = (await call('GET', '/api/v1/users')).json as Made[];
  const bank = (banks as Made[])[0] ?? (await addBank(app, member as Made));
  const where = { connectionId: bank.id, accountId: row.account_id as string };
  const candidates = [{ transaction_id: older.id, reasons: ['same_amount'] as const }];
  await suggest(app, [{ kind: 'possible_duplicate', ...where, transactionId: newer.id, candidates }]);
  const { json } = await call('GET', '/api/v1/sync/suggestions');
  const open = (json.suggestions as { id: string; transaction_id: string }[]).find(
    (one) => one.transaction_id === newer.id,
  );
  return open ? call('POST', `/api/v1/sync/suggestions/${open.id}/accept`, { transaction_id: older.id }) : null;
}

/** The path of one of the things in a list, by the second number of the command. */
const onOne =
  (path: string, key: string | undefined, move: (turn: Turn, path: string, all: readonly Row[]) => Promise<Answer>) =>
  async (turn: Turn): Promise<Answer | null> => {
    const all = await turn.list(path, key);
    return all.length === 0 ? null : move(turn, `${path}/${pick(all, turn.b)['id']}`, all);
  };

const onTransaction = {
  categorize: async ({ call, list, at, b }) =>
    call('PATCH', `${at}/category`, { category_id: pick(await list('/api/v1/categories'), b)['id'] }),
  uncategorize: ({ call, at }) => call('PATCH', `${at}/category`, { category_id: null }),
  resetCategory: ({ call, at }) => call('DELETE', `${at}/category`),
  tag: ({ call, at, slug }) => call('POST', `${at}/tags`, { slug }),
  untag: ({ call, at, slug }) => call('DELETE', `${at}/tags/${slug}`),
  flag: ({ call, at, b, text }) => call('POST', `${at}/flag`, b % 2 === 0 ? { reason: text } : {}),
  merge: async ({ household, transaction, b, call }) =>
    acceptMerge(household, transaction, pick(household.transactions, b), call),
  unflag: ({ call, at }) => call('DELETE', `${at}/flag`),
  putMetadata: ({ call, at, a, b, text }) =>
    call('PUT', `${at}/metadata`, { metadata: { [text]: b, shared: { list: [a % 3, null] } } }),
  patchMetadata: ({ call, at, b, text }) =>
    call('PATCH', `${at}/metadata`, b % 2 === 0 ? { set: { [text]: text } } : { unset: [text] }),
  deleteTransaction: ({ call, at }) => call('DELETE', at),
  restoreTransaction: ({ call, at }) => call('POST', `${at}/restore`, {}),
  comment: ({ call, at, b, text }) => call('POST', `${at}/comments`, { body: `${text} ${b}` }),
  editComment: async (turn) => {
    const path = await pathOfComment(turn);
    return path === null ? null : turn.call('PUT', path, { body: `${turn.text}, edited` });
  },
  deleteComment: async (turn) => {
    const path = await pathOfComment(turn);
    return path === null ? null : turn.call('DELETE', path);
  },
} satisfies Record<string, Move>;

async function pathOfComment({ call, at, b }: Turn): Promise<string | null> {
  const { json } = await call('GET', `${at}/comments?include_deleted=true`);
  if (!Array.isArray(json) || json.length === 0) return null;
  return `${at}/comments/${pick(json as Row[], b)['id']}`;
}

const onSeveral = {
  updateSeveral: ({ household, call, transaction, a, b, text, slug }) => {
    const other = pick(household.transactions, b);
    const operations = [
      { transaction_id: transaction.id, tags_to_add: [slug], metadata_set: { [text]: a }, comment: text },
      { transaction_id: other.short_id, flagged: a % 2 === 0, tags_to_remove: ['alpha'] },
    ];
    return call('POST', `${LIVE}/update`, { operations, on_error: 'continue' });
  },
  batchCategorize: async ({ household, call, list, a, b }) => {
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
  },
  bulkUpdate: async ({ call, list, a, b, text, slug }) => {
    const changes = [
      { tags_to_add: [slug], metadata_set: { [text]: b }, flagged: b % 2 === 0, comment: text },
      { category_id: pick(await list('/api/v1/categories'), b)['id'], tags_to_remove: [slug], metadata_unset: [text] },
      { reset_category: true, flagged: false },
      { deleted: true },
    ];
    const filter = b % 2 === 0 ? { flagged: true } : { amount_min: 0 };
    return call('POST', `${LIVE}/bulk-update`, { filter, changes: pick(changes, a) });
  },
} satisfies Record<string, Move>;

const onTagsAndCategories = {
  createTag: ({ call, b, text }) => call('POST', '/api/v1/tags', { name: `${text} ${b % 3}` }),
  renameTag: onOne('/api/v1/tags', undefined, ({ call, text }, path) => call('PATCH', path, { name: `${text} again` })),
  deleteTag: onOne('/api/v1/tags', undefined, ({ call }, path) => call('DELETE', path)),
  createCategory: ({ call, b, text }) => call('POST', '/api/v1/categories', { name: `${text} ${b % 2}` }),
  changeCategory: async ({ call, list, a, b, text }) => {
    const categories = await list('/api/v1/categories');
    return call('PATCH', `/api/v1/categories/${pick(categories, a)['id']}`, { name: text, icon: `icon-${b}` });
  },
  deleteCategory: async ({ call, list, a, b }) => {
    const own = (await list('/api/v1/categories')).filter((category) => !category['is_system']);
    if (own.length === 0) return null;
    return call('DELETE', `/api/v1/categories/${pick(own, a)['id']}?reassign_to=${b % 2 ? 'none' : 'travel'}`);
  },
  mergeCategories: async ({ call, list, a, b }) => {
    const categories = await list('/api/v1/categories');
    const [into, from] = [pick(categories, a), pick(categories, b)];
    return call('POST', `/api/v1/categories/${into['id']}/merge`, { from_category_id: from['id'] });
  },
} satisfies Record<string, Move>;

const SERIES = ['/api/v1/series', 'series'] as const;
const COUNTERPARTIES = ['/api/v1/counterparties', 'counterparties'] as const;

const onSeriesAndCounterparties = {
  createSeries: ({ call, transaction, b, text }) =>
    call('POST', '/api/v1/series', { name: text, transaction_ids: b % 2 === 0 ? [] : [transaction.id] }),
  linkSeries: onOne(...SERIES, ({ call, transaction }, path) =>
    call('POST', `${path}/transactions`, { transaction_ids: [transaction.id] }),
  ),
  unlinkSeries: onOne(...SERIES, ({ call, transaction }, path) =>
    call('DELETE', `${path}/transactions/${transaction.id}`),
  ),
  deleteSeries: onOne(...SERIES, ({ call }, path) => call('DELETE', `${path}?unlink=true`)),
  createCounterparty: ({ call, b, text }) =>
    call('POST', '/api/v1/counterparties', { name: text, mcc: b % 2 === 0 ? '5814' : null }),
  linkCounterparty: onOne(...COUNTERPARTIES, ({ call, transaction }, path) =>
    call('POST', `${path}/transactions`, { transaction_ids: [transaction.id] }),
  ),
  changeCounterparty: onOne(...COUNTERPARTIES, ({ call, a }, path) =>
    call('PATCH', path, { website_url: `https://example.org/${a}` }),
  ),
  mergeCounterparties: onOne(...COUNTERPARTIES, ({ call, a }, path, all) =>
    call('POST', `${path}/merge`, { from_counterparty_id: pick(all, a)['id'] }),
  ),
  deleteCounterparty: onOne(...COUNTERPARTIES, ({ call }, path) => call('DELETE', path)),
} satisfies Record<string, Move>;

/** One of the accounts there are, by the first number of the command. */
const onAccount =
  (move: (turn: Turn, path: string, id: string, day: string) => Promise<Answer>) =>
  async (turn: Turn): Promise<Answer | null> => {
    const accounts = await turn.list('/api/v1/accounts');
    if (accounts.length === 0) return null;
    const id = pick(accounts, turn.a)['id'] as string;
    return move(turn, `/api/v1/accounts/${id}`, id, `2026-05-0${(turn.b % 5) + 1}`);
  };

const onAccounts = {
  changeAccount: ({ household, call, a, b, text }) =>
    call('PATCH', `/api/v1/accounts/${pick(household.accounts, a).id}`, {
      display_name: b % 3 ? text : '',
      is_excluded: b % 2 === 0,
    }),
  createAccount: ({ call, b, text }) => {
    const opening = b % 2 === 0 ? {} : { opening_balance: b, opening_date: '2026-05-01' };
    return call('POST', '/api/v1/accounts', { name: text, iso_currency_code: 'USD', ...opening });
  },
  renameAccount: onAccount(({ call, b, text }, path) =>
    call('PATCH', path, { name: `${text} ${b}`, type: 'loan', iso_currency_code: b % 4 ? 'USD' : 'EUR' }),
  ),
  deleteAccount: onAccount(({ call, b }, path) => call('DELETE', `${path}?delete_transactions=${b % 2 === 0}`)),
  stateBalance: onAccount(({ call, a }, path, _id, day) =>
    call('PUT', `${path}/balances/${day}`, { balance_current: a }),
  ),
  unstateBalance: onAccount(({ call }, path, _id, day) => call('DELETE', `${path}/balances/${day}`)),
  enterTransaction: onAccount(({ call, a, b, text, slug }, _path, id, date) => {
    const said = b % 2 === 0 ? { tags: [slug], comment: text } : { category_id: 'travel', metadata: { [text]: a } };
    return call('POST', LIVE, { account_id: id, date, amount: '10.00', name: `Bakery ${b % 5}`, ...said });
  }),
  importFile: ({ household, a, b }) => importDays(household.app, pick(household.accounts, a), a % 4, (b % 3) + 1),
} satisfies Record<string, Move>;

const REPORTS = '/api/v1/reports';

const onReports = {
  submitReport: ({ call, b, text }) =>
    call('POST', REPORTS, { title: `${text} ${b % 3}`, body: `- ${text}`, tags: b % 2 === 0 ? [text] : [] }),
  markReport: onOne(REPORTS, undefined, ({ call, a }, path) => call('PATCH', `${path}/${a % 3 ? 'read' : 'unread'}`)),
  markAllReports: ({ call }) => call('POST', `${REPORTS}/read-all`),
  deleteReport: onOne(REPORTS, undefined, ({ call }, path) => call('DELETE', path)),
} satisfies Record<string, Move>;

const LINKS = '/api/v1/account-links';

/** A match of some link, in any state. */
const onMatch =
  (decision: 'confirm' | 'reject') =>
  async ({ call, list, a, b }: Turn): Promise<Answer | null> => {
    const links = await list(LINKS);
    if (links.length === 0) return null;
    const matches = await list(
      `${LINKS}/${pick(links, a)['id']}/matches?confidence=auto,confirmed,rejected`,
      'matches',
    );
    return matches.length === 0
      ? null
      : call('POST', `/api/v1/transaction-matches/${pick(matches, b)['id']}/${decision}`);
  };

const onLinks = {
  createLink: async ({ call, list, a, b }) => {
    const accounts = await list('/api/v1/accounts');
    if (accounts.length === 0) return null;
    const [primary, dependent] = [pick(accounts, a)['id'], pick(accounts, b)['id']];
    return call('POST', LINKS, {
      primary_account_id: primary,
      dependent_account_id: dependent,
      match_tolerance_days: a % 4,
      enabled: b % 5 !== 0,
    });
  },
  changeLink: onOne(LINKS, undefined, ({ call, a, b }, path) =>
    call('PATCH', path, a % 2 ? { enabled: b % 2 === 0 } : { attribute: b % 3 !== 0, match_tolerance_days: b % 4 }),
  ),
  deleteLink: onOne(LINKS, undefined, ({ call }, path) => call('DELETE', path)),
  confirmMatch: onMatch('confirm'),
  rejectMatch: onMatch('reject'),
} satisfies Record<string, Move>;

const WORKFLOWS = '/api/v1/workflows';

/** What starts a workflow by itself, by a number: nothing, a schedule, or syncs. */
const triggerOf = (number: number) => ({
  schedule_cron: number % 3 === 1 ? `${number % 60} 7 * * *` : null,
  trigger_on_sync_complete: number % 3 === 2,
});

const onWorkflows = {
  createWorkflow: ({ call, a, b, text }) => {
    const prompt = b % 2 === 0 ? { prompt: text } : { prompt_blocks: ['strategy-routine-review'], model: text };
    return call('POST', WORKFLOWS, { name: `${text} ${a % 2}`, ...prompt, ...triggerOf(a), enabled: b % 3 === 0 });
  },
  // Some of these contradict what is stored, and are refused.
  changeWorkflow: onOne(WORKFLOWS, undefined, ({ call, a, b, text }, path) => {
    const changes = [
      { prompt: `${text} ${b}` },
      { prompt_blocks: ['strategy-bulk-review', 'rules-curriculum'], extra_instructions: b % 2 === 0 ? text : null },
      { schedule_cron: b % 2 === 0 ? null : '0 8 * * *' },
      { trigger_on_sync_complete: b % 2 === 0 },
      triggerOf(b),
      { quiet_hours_start: '22:00', quiet_hours_end: b % 2 === 0 ? '06:00' : '07:30' },
      { quiet_hours_start: null, quiet_hours_end: null, max_budget_usd: b / 1_000 },
      { name: text, slug: text.toLowerCase().replace(/[^a-z]/g, 'e'), allowed_tools: ['get_overview'] },
    ];
    return call('PATCH', path, pick(changes, a));
  }),
  switchWorkflow: onOne(WORKFLOWS, undefined, ({ call, a }, path) =>
    call('POST', `${path}/${a % 2 ? 'enable' : 'disable'}`),
  ),
  deleteWorkflow: onOne(WORKFLOWS, undefined, ({ call }, path) => call('DELETE', path)),
} satisfies Record<string, Move>;

/** In this order, which the seeds of the tests depend on. */
const MOVES = {
  ...onTransaction,
  ...onSeveral,
  ...onTagsAndCategories,
  ...onSeriesAndCounterparties,
  ...onAccounts,
  ...onReports,
  ...onLinks,
  ...onWorkflows,
};
type Kind = keyof typeof MOVES;

export const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(...(Object.keys(MOVES) as Kind[])),
  a: fc.nat(1_000),
  b: fc.nat(1_000),
  text: fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'Épsilon'),
});

/** Plays a command; what does not apply at the time is refused by the service and changes nothing. */
export async function play(household: Household, { kind, a, b, text }: Command): Promise<Answer | null> {
  const call: Turn['call'] = (method, path, body) =>
    household.app.request(method, path, body === undefined ? {} : { body });
  const transaction = pick(household.transactions, a);
  const move: Move = MOVES[kind];
  return move({
    household,
    a,
    b,
    text,
    slug: text.toLowerCase().replace(/[^a-z]/g, 'e'),
    transaction,
    at: `${LIVE}/${transaction.id}`,
    call,
    async list(path, key) {
      const { json } = await call('GET', path);
      return (key === undefined ? json : json[key]) as Row[];
    },
  });
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
    // A row that an import made stays, deleted, when the import is reverted.
    deleted: deleted.transactions.filter(({ id }) => known.has(id)),
    comments,
    tags: await get('/api/v1/tags'),
    categories: await get('/api/v1/categories'),
    series: await get('/api/v1/series'),
    counterparties: await get('/api/v1/counterparties?include_merged=true'),
    reports: await get(REPORTS),
    workflows: await get(WORKFLOWS),
    links: await linksOf(get),
    accounts,
    balances: await Promise.all(accounts.map(({ id }) => get(`/api/v1/accounts/${id}/balances`))),
  });
}

/** Each link with its pairs, by what they are: a pair that is found again is a new match. */
async function linksOf(get: (path: string) => Promise<unknown>): Promise<unknown> {
  const links = (await get(LINKS)) as { id: string }[];
  return Promise.all(
    links.map(async ({ id }) => {
      const path = `${LINKS}/${id}/matches?limit=500&confidence=auto,confirmed,rejected`;
      const { matches } = (await get(path)) as { matches: Row[] };
      const pairs = matches.map((match) =>
        [match['primary_transaction_id'], match['dependent_transaction_id'], match['confidence']].join(' '),
      );
      return [await get(`${LINKS}/${id}`), pairs.toSorted()];
    }),
  );
}

function withoutStamps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStamps);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([key]) => key !== 'updated_at' && key !== 'balance_updated_at');
  return Object.fromEntries(members.map(([key, member]) => [key, withoutStamps(member)]));
}
