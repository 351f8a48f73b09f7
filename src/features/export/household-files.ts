import type { AnyOperation } from '../../contract/operation.ts';
import { listAccountLinks } from '../account-links/account-links.contract.ts';
import { Account, BalanceSnapshot, getAccountBalances, listAccounts } from '../accounts/accounts.contract.ts';
import { callOperation, replyOf } from '../agent-tools/index.ts';
import { exportCategories, listCategories } from '../categories/categories.contract.ts';
import { Comment } from '../comments/comments.contract.ts';
import { allComments } from '../comments/index.ts';
import { Counterparty, listCounterparties } from '../counterparties/counterparties.contract.ts';
import type { JsonStream, ReadContext } from '../handler.ts';
import { listRules } from '../rules/rules.contract.ts';
import { listSeries, Series } from '../series/series.contract.ts';
import { listTags, Tag } from '../tags/tags.contract.ts';
import { csvCell, inPieces, type CsvValue } from '../transactions/index.ts';
import { exportTransactions } from '../transactions/transaction-reports.contract.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ExportPart } from './export.contract.ts';
import type { ZipEntry } from './zip-stream.ts';

type Row = Readonly<Record<string, unknown>>;

/** A list of the ledger that is a table: `columns` are the fields of its records. */
interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: (context: ReadContext) => AsyncIterable<Row>;
}

/** What the REST API lists, read through its own operations. */
const TABLES: readonly Table[] = [
  { name: 'accounts', columns: Account.keyof().options, rows: (context) => listed(accountsOf(context)) },
  { name: 'balances', columns: ['account_id', ...BalanceSnapshot.keyof().options], rows: balancesOf },
  { name: 'tags', columns: Tag.keyof().options, rows: (context) => listed(callOperation(context, listTags, {})) },
  {
    name: 'counterparties',
    columns: Counterparty.keyof().options,
    rows: (context) =>
      listed(
        callOperation(context, listCounterparties, { query: { include_merged: true } }).then(
          (found) => found.counterparties,
        ),
      ),
  },
  {
    name: 'series',
    columns: Series.keyof().options,
    rows: (context) => listed(callOperation(context, listSeries, {}).then((found) => found.series)),
  },
  { name: 'comments', columns: Comment.keyof().options, rows: ({ tx }) => allComments(tx) },
];

/** What does not fit a table. */
const RECORDS: readonly Omit<Table, 'columns'>[] = [
  { name: 'rules', rows: rulesOf },
  { name: 'account-links', rows: (context) => listed(callOperation(context, listAccountLinks, {})) },
];

/** The files with the records of the ledger. */
export function recordFiles(context: ReadContext, parts: ReadonlySet<ExportPart>): ZipEntry[] {
  const entries: ZipEntry[] = [];
  const add = (name: string, pieces: ZipEntry['pieces']): void => void entries.push({ name, pieces });
  if (parts.has('csv')) {
    add('transactions.csv', () => streamed(context, exportTransactions, { format: 'csv' }));
    add('categories.tsv', () => streamed(context, exportCategories, {}));
    for (const { name, columns, rows } of TABLES) add(`${name}.csv`, () => inPieces(csv(columns, rows(context))));
  }
  if (parts.has('json')) {
    add('transactions.json', () => streamed(context, exportTransactions, { format: 'json' }));
    add('categories.json', () => inPieces(json(listed(callOperation(context, listCategories, {})))));
    for (const { name, rows } of TABLES) add(`${name}.json`, () => inPieces(json(rows(context))));
  }
  if (parts.has('csv') || parts.has('json')) {
    for (const { name, rows } of RECORDS) add(`${name}.json`, () => inPieces(json(rows(context))));
  }
  return entries;
}

/** Every account, also of banks that are no longer connected. */
export async function accountsOf(context: ReadContext) {
  const accounts = await callOperation(context, listAccounts, { query: { include_disconnected: true } });
  return accounts as (typeof Account)['_zod']['output'][];
}

/** The answer of an operation that is streamed itself. */
export async function* streamed(
  context: ReadContext,
  operation: AnyOperation,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  const { body } = await replyOf(context, operation, { query });
  yield* (body as JsonStream).pieces;
}

async function* listed(rows: Promise<readonly Row[]>): AsyncGenerator<Row> {
  yield* await rows;
}

async function* balancesOf(context: ReadContext): AsyncGenerator<Row> {
  for (const { id } of await accountsOf(context)) {
    const { balances } = await callOperation(context, getAccountBalances, { params: { id } });
    for (const balance of balances) yield { account_id: id, ...balance };
  }
}

async function* rulesOf(context: ReadContext): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const page = await callOperation(context, listRules, { query: { limit: LIMITS.pageMax, cursor } });
    yield* page.rules;
    cursor = page.next_cursor === '' ? undefined : page.next_cursor;
  } while (cursor !== undefined);
}

async function* csv(columns: readonly string[], rows: AsyncIterable<Row>): AsyncGenerator<string> {
  const line = (cells: readonly CsvValue[]): string =>
    `${cells.map((cell) => csvCell(cell, true, false)).join(',')}\r\n`;
  yield line(columns);
  for await (const row of rows) yield line(columns.map((column) => (row[column] ?? null) as CsvValue));
}

async function* json(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let before = '[';
  for await (const row of rows) {
    yield `${before}\n${JSON.stringify(row)}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}
