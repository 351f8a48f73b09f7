import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

import { LIMITS } from '../../src/kernel/limits.ts';

/** Who sends: the server, a key, and transactions that are there. */
export interface Sender {
  address: string;
  key: string;
  ids: readonly string[];
}

/** One way in which a request can be a burden. */
export interface Form {
  name: string;
  send: (sender: Sender) => Promise<unknown>;
}

const API = '/api/v1';
const MIB = 1_048_576;
let made = 0;
/** For a name that is not taken. */
const fresh = (): number => (made += 1);
const BOUNDARY = 'x-boundary-x';
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_value, index) => make(index));

interface Sent {
  method?: string;
  path: string;
  body?: string | Buffer | readonly (string | Buffer)[];
  headers?: Record<string, string | string[]>;
}

/** Sends and reads the answer to its end; a connection that the server closes counts as an answer. */
function send({ address, key }: Pick<Sender, 'address' | 'key'>, sent: Sent): Promise<number> {
  const { hostname, port } = new URL(address);
  const json = sent.body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { 'x-api-key': key, ...json, ...sent.headers };
  const method = sent.method ?? (sent.body === undefined ? 'GET' : 'POST');
  return new Promise((resolve) => {
    const going = request({ hostname, port, method, path: sent.path, headers, maxHeaderSize: MIB }, (answer) => {
      answer.on('data', () => undefined);
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', () => resolve(0));
    });
    going.on('error', () => resolve(0));
    for (const part of [sent.body ?? []].flat()) going.write(part);
    going.end();
  });
}

const post = (name: string, path: string, make: (sender: Sender) => unknown, method = 'POST'): Form => ({
  name,
  send: (sender) => {
    const body = make(sender);
    const text = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
    return send(sender, { method, path: API + path, body: text });
  },
});
const get = (name: string, path: () => string, headers: Record<string, string | string[]> = {}): Form => ({
  name,
  send: (sender) => send(sender, { path: API + path(), headers }),
});

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const upTo1MiB = (text: string): string => text.repeat(Math.floor((MIB - 200) / Buffer.byteLength(text)));
const members = (count: number): string => times(count, (i) => `"k${i}":1`).join();

const JSON_FORMS: readonly Form[] = [
  post('JSON nested 4,000 deep', '/transactions/bulk-recategorize', () => `{"filter":{"search":${deep(4_000)}}}`),
  post('JSON nested 500,000 deep', '/rules/preview', () => `{"condition":${deep(500_000)}}`),
  post('60,000 unknown keys', '/users', () => `{"name":"a",${members(60_000)}}`),
  post('as many unknown keys as are read', '/users', () => `{"name":"a",${members(19_000)}}`),
  post('4,000 unknown keys, read in place', '/users', () => `{"name":"a",${members(4_000)}}`),
  post('keys of no field for an operation without a body', '/rules/x/apply', () => `{${members(4_000)}}`),
  post('350,000 items in a list', '/transactions/batch-categorize', () => `{"transaction_ids":[${upTo1MiB('"",')}""]}`),
  post(
    '30,000 wrong items in place',
    '/transactions/batch-categorize',
    () => `{"transaction_ids":[${'1,'.repeat(19_999)}1]}`,
  ),
  post('many lists of few', '/transactions/update', () => `{"operations":[${upTo1MiB('{},[],')}{}]}`),
  post('a text of 1 MiB', '/users', () => ({ name: upTo1MiB('a') })),
  post('combining characters in a name', '/users', () => ({ name: upTo1MiB('a\u0301\u0323') })),
  post('combining characters in a tag', '/tags', () => ({ display_name: upTo1MiB('\u0344') })),
  post('combining characters in a search', '/transactions/bulk-recategorize', () => ({
    filter: { search: upTo1MiB('\u0344') },
    target_category_id: 'x',
  })),
  post('ligatures that fold to eighteen letters', '/counterparties', () => ({ name: upTo1MiB('\ufdfa') })),
  post('ligatures in a short name', '/counterparties', () => ({ name: `${'\ufdfa'.repeat(190)}${fresh()}` })),
  post('escapes in a text', '/users', () => `{"name":"${upTo1MiB('\\u0041')}"}`),
  post('backslashes in a text', '/users', () => `{"name":"${upTo1MiB('\\\\')}"}`),
  post('digits of a number', '/users', () => `{"name":${upTo1MiB('9')}}`),
  post('white space', '/users', () => `{"name":${upTo1MiB(' ')}1}`),
  post('a metadata map of many keys', '/transactions/update', ({ ids }) => ({
    operations: [{ transaction_id: ids[0], metadata_set: Object.fromEntries(times(6_000, (i) => [`k${i}`, i])) }],
  })),
  post('metadata keys to unset', '/transactions/update', ({ ids }) => ({
    operations: [{ transaction_id: ids[0], metadata_unset: times(15_000, (i) => `k${i}`) }],
  })),
  post('500 operations with 50 tags each', '/transactions/update', ({ ids }) => ({
    operations: times(500, (i) => ({ transaction_id: ids[i], tags_to_add: times(50, (tag) => `tag-${tag}`) })),
    dry_run: true,
  })),
  post('25 operations with 50 tags each', '/transactions/update', ({ ids }) => ({
    operations: times(25, (i) => ({ transaction_id: ids[i], tags_to_add: times(50, (tag) => `tag-${tag}`) })),
    dry_run: true,
  })),
  post('500 ids for a category', '/transactions/batch-categorize', ({ ids }) => ({
    transaction_ids: ids.slice(0, 500),
    category_slug: 'transfer_in',
    dry_run: true,
  })),
  post('5,000 ids', '/transactions/bulk-recategorize', ({ ids }) => ({
    transaction_ids: ids.slice(0, 5_000),
    target_category_id: 'transfer_in',
    dry_run: true,
  })),
  post('5,000 ids with 50 tags each', '/transactions/bulk-update', ({ ids }) => ({
    transaction_ids: ids.slice(0, 5_000),
    changes: { tags_to_add: times(50, (tag) => `tag-${tag}`) },
    dry_run: true,
  })),
  post('500 transactions of a counterparty', '/counterparties', ({ ids }) => ({
    name: `Shop ${fresh()}`,
    transaction_ids: ids.slice(0, 500),
  })),
  post('500 transactions of a series', '/series', ({ ids }) => ({
    name: `Rent ${fresh()}`,
    transaction_ids: ids.slice(500, 1_000),
  })),
];

const leaf = (value: string): object => ({ field: 'name', op: 'contains', value });
const RULE_FORMS: readonly Form[] = [
  post('a rule of 199 conditions', '/rules', () => ({
    name: 'r',
    condition: { or: times(199, (i) => leaf(`${'x'.repeat(200)}${i}`)) },
    actions: [{ type: 'add_tag', tag_slug: 'coffee' }],
  })),
  post('a condition of 100,000 nodes', '/rules/preview', () => ({
    condition: { or: times(15_000, (i) => leaf(`x${i}`)) },
  })),
  post('a pattern as long as it may be', '/rules/preview', () => ({
    condition: { field: 'name', op: 'matches', value: '(a|b)?'.repeat(80) },
  })),
  post('patterns that multiply', '/rules', () => ({
    name: 'r',
    condition: { or: times(150, () => ({ field: 'name', op: 'matches', value: '(ab{1,30}){1,30}' })) },
    actions: [{ type: 'add_tag', tag_slug: 'coffee' }],
  })),
  post('50 rules of many patterns', '/rules/batch', () => ({
    dry_run: true,
    rules: times(50, (rule) => ({
      name: `r${rule}`,
      condition: { or: times(20, (i) => ({ field: 'name', op: 'matches', value: `(x{1,40}|y${i}){1,9}` })) },
      actions: [{ type: 'add_tag', tag_slug: 'coffee' }],
    })),
  })),
];

const STORED_RULE_FORMS: readonly Form[] = [
  {
    name: 'an explanation with these rules',
    send: (sender) => send(sender, { path: `${API}/transactions/${sender.ids[0]}/explain` }),
  },
  {
    name: 'a category that they decide',
    send: (sender) => send(sender, { method: 'DELETE', path: `${API}/transactions/${sender.ids[0]}/category` }),
  },
  post('a reset in a batch', '/transactions/update', ({ ids }) => ({
    operations: [{ transaction_id: ids[0], reset_category: true }],
  })),
];

const QUERY_FORMS: readonly Form[] = [
  get('7,000 parameters', () => `/transactions?${'a&'.repeat(7_000)}`),
  get('one parameter 5,000 times', () => `/transactions?${'tag=a&'.repeat(2_500)}`),
  get('a list of 7,000 values', () => `/transactions?fields=${'a,'.repeat(7_000)}`),
  get('a list of 7,000 ids', () => `/transactions?account_id=${'a,'.repeat(7_000)}`),
  get('20 long search terms', () => `/transactions?search=${times(20, (i) => `${'q'.repeat(190)}${i}`).join(',')}`),
  get(
    '20 long fuzzy terms',
    () => `/transactions?search_mode=fuzzy&search=${times(20, (i) => `${'grocery'.repeat(25)}${i}`).join(',')}`,
  ),
  get('a search that expands', () => `/transactions?search=${encodeURIComponent('\ufdfa'.repeat(200))}`),
  get('malformed percent-encoding', () => `/transactions?search=${'%zz'.repeat(5_000)}`),
  get('malformed percent-encoding in the path', () => `/transactions/${'%zz'.repeat(5_000)}`),
  get('a path of many parts', () => '/a'.repeat(7_000)),
  get('a cursor of 15,000 characters', () => `/transactions?cursor=${'A'.repeat(15_000)}`),
  get('a cursor that nests', () => `/transactions?cursor=${Buffer.from(deep(1_000)).toString('base64url')}`),
  get('many headers', () => '/transactions/count', Object.fromEntries(times(800, (i) => [`x-${i}`, 'v']))),
  get('a large header', () => '/transactions/count', { 'x-change-reason': 'a'.repeat(15_000) }),
  get('many cookies', () => '/transactions/count', { cookie: times(1_500, (i) => `c${i}=v`).join('; ') }),
  get('many tags to compare', () => '/categories', { 'if-none-match': times(3_000, () => '"a"').join() }),
  get('many forwarded addresses', () => '/transactions/count', { 'x-forwarded-for': '1.1.1.1,'.repeat(1_800) }),
  get('all rows sorted by amount', () => '/transactions?sort=amount'),
  get('a page of 500', () => '/transactions?limit=500'),
  get('a page of 500 by tag', () => '/transactions?limit=500&search=row'),
  get('a summary', () => '/transactions/summary?group_by=category_month'),
  get('the export', () => '/transactions/export'),
];

const part = (name: string, value: string, more = ''): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const form = (name: string, path: string, make: () => string | Buffer | readonly (string | Buffer)[]): Form => ({
  name,
  send: (sender) => {
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    return send(sender, { path: API + path, headers, body: [make(), `--${BOUNDARY}--\r\n`].flat() });
  },
});
const csvFile = (make: () => string): string => part('file', make(), '; filename="a.csv"');
const HEAD = 'Date,Description,Amount\n';
const row = (i: number): string => `2026-01-${String((i % 28) + 1).padStart(2, '0')},Row ${i},-${i % 90}.10\n`;

let largest: string | undefined;
/** As large as a file may be. Made once: that takes longer than it takes the server. */
const largestFile = (): string =>
  (largest ??=
    HEAD +
    times(1_600_000, row)
      .join('')
      .slice(0, 50 * MIB - 100));

const UPLOAD_FORMS: readonly Form[] = [
  form('20,000 fields', '/connections/csv/preview', () => times(20_000, (i) => part(`f${i}`, 'v')).join('')),
  form('20,000 times one field', '/connections/csv/preview', () => times(20_000, () => part('f', 'v')).join('')),
  form('as many fields as are read', '/connections/csv/preview', () =>
    times(LIMITS.formParts - 1, (i) => part(`f${i}`, 'v')).join(''),
  ),
  form('a field of 10 MiB', '/connections/csv/preview', () => part('account_name', 'a'.repeat(10 * MIB))),
  form('JSON of 10 MiB in a field', '/connections/csv/preview', () =>
    part('column_mapping', `[${'1,'.repeat(5 * MIB)}1]`),
  ),
  form('JSON nested deep in a field', '/connections/csv/preview', () => part('column_mapping', deep(1_000_000))),
  form('a file of 50 MiB', '/connections/csv/preview', () => csvFile(largestFile)),
  form('a file of 512 columns', '/connections/csv/preview', () =>
    csvFile(() => `${times(512, (i) => `c${i}`).join()}\n${`${'1,'.repeat(511)}1\n`.repeat(2_000)}`),
  ),
  form('a file of 5,000 columns', '/connections/csv/preview', () =>
    csvFile(() => `${times(5_000, (i) => `c${i}`).join()}\n${`${'1,'.repeat(4_999)}1\n`.repeat(200)}`),
  ),
  post('a file of 50 MiB in base64', '/connections/csv/preview', () => {
    const file = Buffer.from(largestFile()).toString('base64');
    return `{"file_base64":"${file}"}`;
  }),
  post('68 MiB of small JSON', '/connections/csv/preview', () => `{"file_base64":[${'1,'.repeat(34 * MIB)}1]}`),
  post(
    '68 MiB that is not base64',
    '/connections/csv/preview',
    () => `{"file_base64":"${'a=b '.repeat(17 * MIB - 100)}"}`,
  ),
  {
    name: 'a large body with an Idempotency-Key',
    send: (sender) => {
      const headers = { 'idempotency-key': `k${fresh()}` };
      const body = `{"file_base64":"${'a'.repeat(66 * MIB)}"}`;
      return send(sender, { path: `${API}/connections/csv/preview`, headers, body });
    },
  },
  {
    name: 'categories of 1 MiB as TSV',
    send: (sender) =>
      send(sender, {
        path: `${API}/categories/import?dry_run=true`,
        headers: { 'content-type': 'text/tab-separated-values' },
        body: `slug\tname\tkind\ticon\n${times(40_000, (i) => `c_${i}\tName ${i}\texpense\t\n`)
          .join('')
          .slice(0, MIB - 100)}`,
      }),
  },
];

/** Bytes as they stand, in pieces, with a turn of the event loop between two of them. */
function pieces(name: string, head: (sender: Sender) => string, body: readonly (string | Buffer)[]): Form {
  return {
    name,
    send: (sender) =>
      new Promise<void>((resolve) => {
        const { hostname, port } = new URL(sender.address);
        const socket = connect(Number(port), hostname, () => {
          socket.write(head(sender));
          const rest = [...body];
          const next = (): void => {
            const piece = rest.shift();
            if (piece === undefined || socket.destroyed) return;
            if (socket.write(piece)) setImmediate(next);
            else socket.once('drain', next);
          };
          next();
        });
        socket.on('data', () => undefined);
        socket.on('close', () => resolve());
        socket.on('error', () => resolve());
      }),
  };
}

const headOf =
  (path: string, ...lines: string[]) =>
  (sender: Sender): string =>
    [`POST ${API}${path} HTTP/1.1`, 'Host: x', 'Connection: close', `X-API-Key: ${sender.key}`, ...lines, '', ''].join(
      '\r\n',
    );
const JSON_LINE = 'Content-Type: application/json';
const eachByte = (bytes: Buffer): Buffer =>
  Buffer.concat([...bytes].map((byte) => Buffer.from([49, 13, 10, byte, 13, 10])));
const tinyChunks = (count: number): string => '1\r\na\r\n'.repeat(count);

const WIRE_FORMS: readonly Form[] = [
  pieces('a body in chunks of one byte', headOf('/users', JSON_LINE, 'Transfer-Encoding: chunked'), [
    ...times(16, () => tinyChunks(MIB / 17)),
    '0\r\n\r\n',
  ]),
  pieces(
    'an upload in chunks of one byte',
    headOf('/connections/csv/preview', JSON_LINE, 'Transfer-Encoding: chunked'),
    [...times(16, () => tinyChunks(MIB / 16)), '0\r\n\r\n'],
  ),
  pieces(
    'a compressed upload in chunks of one byte',
    headOf('/connections/csv/preview', JSON_LINE, 'Transfer-Encoding: chunked', 'Content-Encoding: gzip'),
    [eachByte(gzipSync(randomBytes(MIB))), '0\r\n\r\n'],
  ),
  pieces('a body that nobody reads, in chunks of one byte', headOf('/nowhere', 'Transfer-Encoding: chunked'), [
    ...times(16, () => tinyChunks(MIB / 16)),
    '0\r\n\r\n',
  ]),
  pieces(
    'a body that drips',
    headOf('/users', JSON_LINE, 'Content-Length: 3000'),
    times(3_000, () => 'a'),
  ),
  pieces('2,000 requests at once on a connection', () => '', [
    `GET /health HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(2_000),
    'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ]),
  {
    name: 'a compressed body that is 1,000 times as large',
    send: (sender) =>
      send(sender, {
        path: `${API}/users`,
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(64 * MIB, ' ')),
      }),
  },
  {
    name: 'a compressed upload that is 1,000 times as large',
    send: (sender) =>
      send(sender, {
        path: `${API}/connections/csv/preview`,
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(67 * MIB, ' ')),
      }),
  },
];

export const FORMS: readonly Form[] = [
  ...JSON_FORMS,
  ...RULE_FORMS,
  ...STORED_RULE_FORMS,
  ...QUERY_FORMS,
  ...UPLOAD_FORMS,
  ...WIRE_FORMS,
];

/** A ledger of some thousand rows, and the ids of its transactions. */
export async function fill({ address, key }: { address: string; key: string }, rows: number): Promise<Sender> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const call = async (path: string, body?: object): Promise<unknown> => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${address}${API}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  await call('/users', { name: 'Ana' });
  const csv = HEAD + times(rows, row).join('');
  await call('/connections/csv/import', {
    file_base64: Buffer.from(csv).toString('base64'),
    account_name: 'Checking',
    iso_currency_code: 'USD',
  });
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const page = (await call(`/transactions?limit=500&fields=minimal&cursor=${cursor}`)) as {
      transactions: { id: string }[];
      next_cursor: string;
    };
    ids.push(...page.transactions.map(({ id }) => id));
    cursor = page.next_cursor;
    if (cursor === '') return { address, key, ids };
  }
}
