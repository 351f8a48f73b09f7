import { beforeAll, describe, expect, test } from 'vitest';

import type { AnyOperation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { sharedFilters } from '../../src/features/transactions/filters.contract.ts';
import { expectError } from '../harness/expect-error.ts';
import { addAccount, addCounterparty, addMember, addTag, addTransactions, type Made } from '../harness/ledger.ts';
import { allRows, rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../harness/test-app.ts';
import { exampleBody, furnish, liveCall, urlOf } from './live-calls.ts';
import { textPlaces } from './text-places.ts';

/** Mistyped, garbled and hostile input against every endpoint of the ledger; long texts against all others, too. */

const GROUPS = [
  'accounts',
  'transactions',
  'comments',
  'annotations',
  'tags',
  'categories',
  'series',
  'counterparties',
  'change-sets',
];
const ledgerOperations = operations.filter(({ group }) => GROUPS.includes(group));
const writes = ledgerOperations.filter(({ method }) => method !== 'GET');
const otherWrites = operations.filter(
  ({ group, method, body }) => !GROUPS.includes(group) && method !== 'GET' && body !== undefined,
);
const reads = ledgerOperations.filter(({ method }) => method === 'GET');

const NOBODY = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';
const MEGABYTE = 1_048_576;
const TEN_MEGABYTES = Buffer.alloc(10 * MEGABYTE, 'x');

/** Texts that break what was not written with care. */
const TEXTS = {
  empty: '',
  blank: ' \t\n ',
  emoji: '👩‍👩‍👧‍👦 😀',
  'right to left': 'שלום عالم \u202e abc',
  combining: 'Z̸̢͉̈́a̵͇̓l̶͙̍g̷̛͈o̴̺͐',
  'LIKE wildcards': '100%_\\%',
  'regular expression': '(a+)+$[^*].{9,}|\\',
  quotes: `'"\`;--'); drop table transactions; --`,
  prototype: '__proto__',
  number: '9007199254740993',
  long: 'x'.repeat(20_000),
  'long in characters of four bytes': '😀'.repeat(10_001),
  control: 'a\u0001\u001b[31m\u007f\ufeff\ufffe',
};
/** JSON of every other kind. */
const VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  zero: 0,
  negative: -1,
  fraction: 1.5,
  'huge number': 1e308,
  'empty list': [],
  'list of lists': [[['a']]],
  'list of null': [null],
  'empty object': {},
  'object in object': { a: { b: { c: [1, { d: null }] } } },
};

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
    await furnish(app);
  });

  const countSets = async (): Promise<number> =>
    Number((await rowsOf<{ n: number }>(app.app.instance.database, 'select count(*) as n from change_sets'))[0]?.n);

  /** Either done, or refused in the envelope with an answer that fits on a screen. */
  function expectTakenOrRefused(what: string, answer: Answer): void {
    if (answer.status < 300) return;
    expect([what, answer.status >= 400 && answer.status < 500], answer.text.slice(0, 500)).toEqual([what, true]);
    expect([what, typeof answer.json.error.code, answer.json.error.message === '']).toEqual([what, 'string', false]);
    expect([what, answer.text.length < 5_000]).toEqual([what, true]);
    expect([what, answer.headers['x-change-set-id']]).toEqual([what, undefined]);
  }

  async function prepared(operation: AnyOperation): Promise<{ path: string; request: RequestOptions }> {
    const { params, query, body } = await liveCall(app, operation);
    return {
      path: urlOf(operation.path, params),
      request: { ...(query === undefined ? {} : { query }), ...(body === undefined ? {} : { body }) },
    };
  }

  describe.each(writes.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
    test('accepts or refuses any body, and never fails', async () => {
      const { path, request } = await prepared(operation);
      const places = operation.body ? textPlaces(operation.body) : [];
      let sets = await countSets();
      const send = async (what: string, field: string, value: unknown): Promise<void> => {
        const body = { ...(request.body as object | undefined), [field]: value };
        const answer = await app.request(operation.method, path, { ...request, body });
        expectTakenOrRefused(what, answer);
        if (answer.headers['x-change-set-id'] !== undefined) sets += 1;
      };
      for (const [kind, text] of Object.entries(TEXTS)) {
        for (const { place, field, make } of places) await send(`${kind} in ${place}`, field, make(text));
      }
      for (const field of new Set(places.map((one) => one.field))) {
        for (const [kind, value] of Object.entries(VALUES)) await send(`${kind} as ${field}`, field, value);
      }
      expect(await countSets()).toBe(sets);
      const half = `{"${places[0]?.field ?? 'a'}":"\\ud800"}`;
      expect((await app.request(operation.method, path, { body: half })).status).toBe(400);
    });
  });

  describe('other writes', () => {
    test.each(otherWrites.map((operation) => [operation.name, operation] as const))(
      '%s answers a text of any length on a screen',
      async (_name, operation) => {
        const { path, request } = await prepared(operation);
        for (const { place, field, make } of textPlaces(operation.body as NonNullable<AnyOperation['body']>)) {
          const body = { ...(request.body as object | undefined), [field]: make(TEXTS.long) };
          expectTakenOrRefused(place, await app.request(operation.method, path, { ...request, body }));
        }
      },
    );
  });

  describe('bodies of every write', () => {
    test('that are too large, too deep or not JSON are refused before anything is done', async () => {
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      const deep = 100_000;
      for (const operation of writes) {
        const path = urlOf(operation.path, operation.example.params);
        const send = (body: string | Buffer): Promise<Answer> => app.request(operation.method, path, { body });
        const field = Object.keys((exampleBody(operation) as object | undefined) ?? { a: 1 })[0] as string;
        for (const [body, status] of [
          [Buffer.concat([Buffer.from(`{"${field}":"`), TEN_MEGABYTES, Buffer.from('"}')]), 413],
          [`{"${field}":${'['.repeat(deep)}${']'.repeat(deep)}}`, 400],
          [`{"${field}":`, 400],
          ['null', 400],
          ['[]', 400],
          ['"text"', 400],
          [`{"${field}":NaN}`, 400],
          [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
        ] as const) {
          const answer = await send(body);
          const shown = `${operation.name} ${body.slice(0, 20).toString()}`;
          expect([shown, answer.status], answer.text.slice(0, 300)).toEqual([shown, status]);
          expect(answer.text.length).toBeLessThan(5_000);
        }
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });
  });

  describe.each(reads.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
    test('answers or refuses any query, and names the parameter', async () => {
      const { path, request } = await prepared(operation);
      for (const name of Object.keys(operation.query?.shape ?? {})) {
        // What all reads of transactions share is tried through and through on the list.
        const isShared = operation.name !== 'listTransactions' && name in sharedFilters;
        const texts = isShared ? { blank: TEXTS.blank, emoji: TEXTS.emoji } : TEXTS;
        for (const [kind, text] of Object.entries({ ...texts, comma: ',', commas: ',,a,', 'a list': 'a,b,a' })) {
          const query = { ...request.query, [name]: text.slice(0, 2_000) };
          const answer = await app.request('GET', path, { query });
          const what = `${kind} as ${name}`;
          expect([what, [200, 400].includes(answer.status)], answer.text.slice(0, 300)).toEqual([what, true]);
          if (answer.status === 200) continue;
          const { code, details } = answer.json.error;
          expect([what, ['INVALID_PARAMETER', 'INVALID_CURSOR'].includes(code)]).toEqual([what, true]);
          if (code === 'INVALID_PARAMETER') expect([what, details[0].path]).toEqual([what, name]);
          expect(answer.text.length).toBeLessThan(5_000);
        }
        const twice = await app.request('GET', `${path}?${name}=a&${name}=b`, { query: request.query ?? {} });
        expect([name, [200, 400].includes(twice.status)]).toEqual([name, true]);
      }
    });
  });

  test('a range that ends before it begins is refused in one form', async () => {
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const ranges = [
      ['/transactions', 'date_from', 'date_to'],
      ['/transactions', 'start_date', 'end_date'],
      ['/transactions/count', 'date_from', 'end_date'],
      [`/accounts/${account.id}/balances`, 'date_from', 'date_to'],
      ['/overview/history', 'date_from', 'date_to'],
      ['/change-sets', 'from', 'to'],
      ['/mcp-calls', 'from', 'to'],
      ['/workflows/runs', 'start', 'end'],
    ] as const;
    for (const [path, from, to] of ranges) {
      const time = path === '/mcp-calls' ? 'T00:00:00Z' : '';
      const query = { [from]: `2026-02-02${time}`, [to]: `2026-02-01${time}` };
      const { json } = await app.request('GET', `/api/v1${path}`, { query });
      const message = `${from}: must not be after ${to}`;
      expect([path, json.error]).toMatchObject([
        path,
        { code: 'INVALID_PARAMETER', message, details: [{ path: from, message }] },
      ]);
    }
  });

  describe('ids', () => {
    let known: Known;
    beforeAll(async () => {
      known = await makeKnown(app);
    });

    test('that are unknown, garbled or of another kind are refused with the name of the field, and nothing is written', async () => {
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const { name, method, path, field, body, query, isAlike } of idFields(known)) {
        for (const [kind, id] of Object.entries(badIds(known.stranger)).slice(0, isAlike === true ? 4 : undefined)) {
          const request = body ? { body: body(id) } : { query: query?.(id) ?? {} };
          const answer = await app.request(method, path, request);
          const what = `${kind} as ${name}`;
          expect([what, answer.status, answer.json?.error?.code], answer.text.slice(0, 300)).toEqual([
            what,
            400,
            'INVALID_PARAMETER',
          ]);
          expect([what, answer.json.error.details.map((detail: { path: string }) => detail.path)]).toEqual([
            what,
            [field],
          ]);
          expect([what, answer.text.length < 2_000]).toEqual([what, true]);
        }
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });

    test('of the right kind are accepted in both forms', async () => {
      for (const { name, method, path, body, query, of } of idFields(known)) {
        for (const id of of === null ? [] : [of.id, of.short_id]) {
          const sent = body ? { body: { ...(body(id) as object), ...dryRun(path) } } : { query: query?.(id) ?? {} };
          const answer = await app.request(method, path, sent);
          const what = `${id} as ${name}`;
          expect([what, answer.status < 300 || answer.status === 409], answer.text.slice(0, 300)).toEqual([what, true]);
        }
      }
    });

    test('of another kind in a path are not found', async () => {
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const operation of ledgerOperations.filter(({ params }) => params !== undefined)) {
        const { params, query, body } = operation.example;
        for (const id of [known.apiKey.id, known.apiKey.short_id]) {
          const path = urlOf(operation.path, { ...params, id, ...('slug' in (params ?? {}) ? { slug: id } : {}) });
          const answer = await app.request(operation.method, path, {
            ...(query === undefined ? {} : { query }),
            ...(body === undefined ? {} : { body }),
          });
          expect([operation.name, answer.status, answer.json?.error?.code]).toEqual([operation.name, 404, 'NOT_FOUND']);
        }
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });

    test('a broken percent escape in a query is named, not read as something else', async () => {
      for (const { method, path, example } of ledgerOperations) {
        for (const [query, name] of [
          ['search=100%', 'search'],
          ['limit=5&search=%zz', 'search'],
          ['search=caf%E9', 'search'],
        ] as const) {
          const sent = method === 'GET' ? {} : { body: example.body };
          const answer = await app.request(method, `${urlOf(path, example.params)}?${query}`, sent);
          expectError(answer, 400, 'INVALID_PARAMETER');
          expect([path, answer.json.error.details[0].path]).toEqual([path, name]);
        }
      }
      const whole = await app.request('GET', '/api/v1/transactions?search=100%25+caf%C3%A9&limit=1');
      expect(whole.status, whole.text).toBe(200);
    });

    test('in a long list: one unknown among 500 is named and nothing is written; 501 are too many', async () => {
      const ids = (
        await addTransactions(
          app,
          Array.from({ length: 500 }, () => known.row),
        )
      ).map(({ id }) => id);
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      const spoilt = ids.with(317, NOBODY);
      for (const [path, body] of [
        ['/transactions/batch-categorize', (list: string[]) => ({ transaction_ids: list, category_id: null })],
        ['/transactions/bulk-recategorize', (list: string[]) => ({ transaction_ids: list })],
        ['/transactions/bulk-update', (list: string[]) => ({ transaction_ids: list, changes: { flagged: true } })],
        ['/series', (list: string[]) => ({ name: 'Never made', transaction_ids: list })],
        [`/series/${known.series.id}/transactions`, (list: string[]) => ({ transaction_ids: list })],
        ['/counterparties', (list: string[]) => ({ name: 'Never made', transaction_ids: list })],
        [`/counterparties/${known.counterparty.id}/transactions`, (list: string[]) => ({ transaction_ids: list })],
      ] as const) {
        const refused = await app.request('POST', `/api/v1${path}`, { body: body(spoilt) });
        expect([path, refused.status, refused.json.error.code]).toEqual([path, 400, 'INVALID_PARAMETER']);
        expect(refused.json.error.details).toEqual([
          { path: 'transaction_ids[317]', message: expect.stringContaining(NOBODY) },
        ]);
        if (path.startsWith('/transactions/bulk')) continue;
        const many = await app.request('POST', `/api/v1${path}`, { body: body([...ids, ids[0] as string]) });
        expect([path, many.status, many.json.error.code]).toEqual([path, 400, 'VALIDATION_ERROR']);
        expect(many.json.error.details[0].path).toBe('transaction_ids');
      }
      const operations = spoilt.map((id) => ({
        transaction_id: id,
        tags_to_add: ['never-made'],
        comment: 'never said',
      }));
      const aborted = await app.request('POST', '/api/v1/transactions/update', { body: { operations } });
      expect([aborted.status, aborted.json.error.code, aborted.json.error.details.length]).toEqual([
        422,
        'BATCH_ABORTED',
        1,
      ]);
      expect(aborted.json.error.results[317].error.code).toBe('NOT_FOUND');
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });
  });

  describe('texts of any script', () => {
    const NAMES = Object.entries(TEXTS).filter(
      ([kind]) => !['empty', 'blank', 'long', 'prototype'].includes(kind) && !kind.startsWith('long'),
    );

    test('are kept as sent in every name and note', async () => {
      const known = await makeKnown(app);
      for (const [kind, text] of NAMES) {
        for (const [method, path, body, field] of [
          ['POST', '/tags', { name: text, slug: `t-${Math.abs(hash(kind))}` }, 'name'],
          ['PATCH', '/tags/needs-review', { description: text }, 'description'],
          ['POST', '/categories', { name: text }, 'name'],
          ['POST', '/series', { name: `${text} ${known.mark}` }, 'name'],
          ['POST', '/counterparties', { name: `${text} ${known.mark}` }, 'name'],
          ['PATCH', `/accounts/${known.account.id}`, { display_name: text }, 'display_name'],
          ['POST', `/transactions/${known.transaction.id}/comments`, { body: text }, 'body'],
        ] as const) {
          const answer = await app.request(method, `/api/v1${path}`, { body });
          const what = `${kind} in ${path}`;
          expect([what, answer.status < 300], answer.text.slice(0, 300)).toEqual([what, true]);
          expect([what, answer.json[field]]).toEqual([what, (body as Record<string, string>)[field]?.trim()]);
        }
        const key = `/api/v1/transactions/${known.transaction.id}/metadata/note`;
        const kept = await app.request('PATCH', key, { body: { value: text } });
        expect(kept.json.metadata.note).toBe(text);
      }
    });

    test('are found by searching for them, letter by letter and nothing else', async () => {
      const known = await makeKnown(app);
      const names = [
        'a%b',
        'a_b',
        'a\\b',
        'a.*b',
        'axb',
        '(x+)+$',
        '[z]{2}',
        "o'clock",
        '"quoted"',
        '😀 party',
        'שלום עולם',
        'İSTANBUL',
      ];
      const rows = await addTransactions(
        app,
        names.map((name) => ({ ...known.row, name: `${name} ~${known.mark}` })),
      );
      const found = async (search: string, more: Record<string, string> = {}): Promise<string[]> => {
        const query = { search, ...more, account_id: known.account.id, limit: '500' };
        const answer = await app.request('GET', '/api/v1/transactions', { query });
        expect(answer.status, `${search}: ${answer.text.slice(0, 200)}`).toBe(200);
        return (answer.json.transactions as (Made & { name: string })[])
          .filter(({ id }) => rows.some((row) => row.id === id))
          .map(({ name }) => names.find((one) => name === `${one} ~${known.mark}`) as string);
      };
      for (const name of names) {
        expect([name, await found(name)]).toEqual([name, [name]]);
        expect([name, await found(name, { search_mode: 'words' })]).toEqual([name, [name]]);
        expect(await found(name, { search_mode: 'fuzzy' })).toContain(name);
        const others = await found(known.mark, { exclude_search: name });
        expect([name, others.length, others.includes(name)]).toEqual([name, names.length - 1, false]);
      }
      for (const wild of ['%%', '__', 'a%', '%b', '\\\\', '.*', 'a.b', '[a-z]']) {
        const expected = names.filter((name) => name.includes(wild));
        expect([wild, (await found(wild)).sort()]).toEqual([wild, expected.sort()]);
      }
      expect(await found('istanbul')).toEqual(['İSTANBUL']);
    });

    test('are found in lists of series and counterparties as ordinary text', async () => {
      for (const [list, key] of [
        ['series', 'series'],
        ['counterparties', 'counterparties'],
      ] as const) {
        const names = ['100% pure', '100 pure', 'snake_case', 'snakeXcase', 'back\\slash', 'Crème 😀'];
        for (const name of names) await app.request('POST', `/api/v1/${list}`, { body: { name: `${list} ${name}` } });
        for (const [search, expected] of [
          ['0% p', ['100% pure']],
          ['snake_', ['snake_case']],
          ['k\\s', ['back\\slash']],
          ['creme', ['Crème 😀']],
          ['😀', ['Crème 😀']],
          ['%', ['100% pure']],
        ] as const) {
          const { json } = await app.request('GET', `/api/v1/${list}`, { query: { search } });
          const found = (json[key] as { name: string }[])
            .map(({ name }) => name)
            .filter((name) => name.startsWith(`${list} `));
          expect([list, search, found]).toEqual([list, search, expected.map((name) => `${list} ${name}`)]);
        }
      }
    });
  });
});

interface Known {
  account: Made & { connection: Made };
  transaction: Made;
  category: Made;
  tag: Made;
  counterparty: Made;
  series: Made;
  member: Made;
  imported: Made;
  otherCategory: Made;
  otherCounterparty: Made;
  /** A change set, which no field takes, and a key, which no path of the ledger takes. */
  stranger: Made;
  apiKey: Made;
  /** In every name that this one made, and in no other. */
  mark: string;
  row: Parameters<typeof addTransactions>[1][number];
}

async function makeKnown(app: TestApp): Promise<Known> {
  const mark = crypto.randomUUID().slice(0, 8);
  const member = await addMember(app, `Member ${mark}`);
  const account = await addAccount(app, member);
  const row = { account, date: '2026-04-25', amount_cents: 2_340, name: 'Corner Cafe' };
  const [transaction] = await addTransactions(app, [row]);
  const series = (await app.request('POST', '/api/v1/series', { body: { name: `Series ${mark}` } })).json as Made;
  const category = (await app.request('POST', '/api/v1/categories', { body: { name: `Category ${mark}` } }))
    .json as Made;
  return {
    account,
    transaction: transaction as Made,
    category,
    tag: await addTag(app, `tag-${mark}`),
    counterparty: await addCounterparty(app, `Counterparty ${mark}`),
    series,
    member,
    imported: (await app.request('GET', '/api/v1/imports')).json.imports[0] as Made,
    otherCategory: (await app.request('POST', '/api/v1/categories', { body: { name: `Other ${mark}` } })).json as Made,
    otherCounterparty: await addCounterparty(app, `Other ${mark}`),
    stranger: (await app.request('GET', '/api/v1/change-sets')).json.change_sets[0] as Made,
    apiKey: await app.newKey(),
    mark,
    row,
  };
}

/** Texts that resemble an id and are not one of the right kind. */
function badIds(stranger: Made): Record<string, string> {
  return {
    unknown: NOBODY,
    'of another thing': stranger.id,
    'short_id of another thing': stranger.short_id,
    word: 'null',
    'unknown short_id': 'zzzzzzzz',
    'in capitals': NOBODY.toUpperCase(),
    'without dashes': NOBODY.replaceAll('-', ''),
    'in braces': `{${NOBODY}}`,
    'cut short': NOBODY.slice(0, -1),
    'seven characters': 'zzzzzzz',
    'nine characters': 'zzzzzzzzz',
    number: '1',
    negative: '-1',
    query: "' or 1=1 --",
    wildcard: '%',
    wildcards: '________',
    emoji: '😀😀😀😀😀😀😀😀',
    'right to left': 'שלום',
    long: 'x'.repeat(3_000),
  };
}

interface IdField {
  name: string;
  method: string;
  path: string;
  /** How an error names it. */
  field: string;
  body?: (id: string) => unknown;
  query?: (id: string) => Record<string, string>;
  /** What it takes; null when a call that takes it would leave nothing for the next one. */
  of: Made | null;
  /** Read by the same code as the same field of another request. */
  isAlike?: boolean;
}

/** Every field of a body or query of the ledger that takes an id. */
function idFields(known: Known): IdField[] {
  const { account, transaction, category, tag, counterparty, series, member, imported } = known;
  const { otherCategory, otherCounterparty } = known;
  const inBody = (
    method: string,
    path: string,
    field: string,
    of: Made | null,
    body: (id: string) => unknown,
  ): IdField => ({
    name: `${field} of ${method} ${path}`,
    method,
    path: `/api/v1${path}`,
    field,
    of,
    body,
  });
  const inQuery = (
    path: string,
    field: string,
    of: Made | null,
    more: Record<string, string> = {},
    method = 'GET',
  ): IdField => ({
    name: `${field} of ${path}`,
    method,
    path: `/api/v1${path}`,
    field,
    of,
    query: (id) => ({ ...more, [field]: id }),
  });
  const filters: readonly [string, Made][] = [
    ['account_id', account],
    ['connection_id', account.connection],
    ['user_id', member],
    ['category_id', category],
    ['counterparty_id', counterparty],
    ['series_id', series],
    ['import_id', imported],
    ['tag', tag],
    ['tags_all', tag],
    ['tags_none', tag],
  ];
  const lists: readonly [string, Record<string, string>][] = [
    ['/transactions', {}],
    ['/transactions?sort=name', {}],
    ['/transactions/count', {}],
    ['/transactions/summary', { group_by: 'month' }],
    ['/transactions/merchants', {}],
    ['/transactions/export', { format: 'json' }],
  ];
  const byIds = (path: string, more: object = {}): IdField =>
    inBody('POST', path, 'transaction_ids[0]', transaction, (id) => ({ ...more, transaction_ids: [id] }));
  return [
    ...lists.flatMap(([path, more]) =>
      filters.map(([field, of]) => ({ ...inQuery(path, field, of, more), isAlike: path !== '/transactions' })),
    ),
    ...filters.map(([field, of]) =>
      inBody('POST', '/transactions/bulk-recategorize', `filter.${field}`, of, (id) => ({ filter: { [field]: id } })),
    ),
    inQuery('/accounts', 'user_id', member),
    inQuery('/accounts', 'connection_id', account.connection),
    inQuery('/change-sets', 'actor_id', account.connection),
    inQuery('/change-sets', 'transaction_id', transaction),
    inQuery('/change-sets', 'import_id', imported),
    inQuery('/change-sets', 'entity_id', series, { entity_type: 'series' }),
    inQuery(`/categories/${otherCategory.id}`, 'reassign_to', null, {}, 'DELETE'),
    inBody('PATCH', `/accounts/${account.id}`, 'owner_user_id', member, (id) => ({ owner_user_id: id })),
    inBody('PATCH', `/transactions/${transaction.id}/category`, 'category_id', category, (id) => ({ category_id: id })),
    inBody('PATCH', `/transactions/${transaction.id}/category`, 'category_slug', category, (id) => ({
      category_slug: id,
    })),
    byIds('/transactions/batch-categorize', { category_id: null }),
    inBody('POST', '/transactions/batch-categorize', 'category_id', category, (id) => ({
      transaction_ids: [transaction.id],
      category_id: id,
    })),
    byIds('/transactions/bulk-recategorize'),
    inBody('POST', '/transactions/bulk-recategorize', 'target_category_id', category, (id) => ({
      transaction_ids: [transaction.id],
      target_category_id: id,
    })),
    byIds('/transactions/bulk-update', { changes: { flagged: true } }),
    ...(
      [
        ['category_id', category],
        ['counterparty_id', counterparty],
        ['series_id', series],
        ['attributed_user_id', member],
      ] as const
    ).map(([field, of]) =>
      inBody('POST', '/transactions/bulk-update', `changes.${field}`, of, (id) => ({
        transaction_ids: [transaction.id],
        changes: { [field]: id },
        dry_run: true,
      })),
    ),
    inBody('POST', '/categories', 'parent_id', category, (id) => ({ name: 'Child', parent_id: id })),
    inBody('POST', `/categories/${otherCategory.id}/merge`, 'from_category_id', category, (id) => ({
      from_category_id: id,
      dry_run: true,
    })),
    inBody('PATCH', `/categories/${otherCategory.id}`, 'parent_id', category, (id) => ({ parent_id: id })),
    byIds('/series', { name: `New ${known.mark}` }),
    byIds('/counterparties', { name: `New ${known.mark}` }),
    inBody('POST', `/counterparties/${otherCounterparty.id}/merge`, 'from_counterparty_id', counterparty, (id) => ({
      from_counterparty_id: id,
      dry_run: true,
    })),
    byIds(`/series/${series.id}/transactions`),
    byIds(`/counterparties/${counterparty.id}/transactions`),
    inBody('PATCH', `/counterparties/${counterparty.id}`, 'category_id', category, (id) => ({ category_id: id })),
    inBody('POST', '/counterparties', 'category_id', category, (id) => ({
      name: `Bank ${id.slice(0, 40)}`,
      category_id: id,
    })),
  ];
}

/** Bulk writes are only tried. */
function dryRun(path: string): object {
  return path.includes('bulk-') || path.includes('batch-') ? { dry_run: true } : {};
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0, 7);
}
