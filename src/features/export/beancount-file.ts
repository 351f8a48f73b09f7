import { beancountTag, oneLine, quotedText } from '../../engines/beancount/names.ts';
import type { Judged } from '../../engines/beancount/walk-balances.ts';
import { dayAfter, type DateOnly } from '../../kernel/dates.ts';
import { formatCents, parseCents } from '../../kernel/money.ts';
import { callOperation } from '../agent-tools/index.ts';
import { listCategories } from '../categories/categories.contract.ts';
import type { ReadContext } from '../handler.ts';
import { memberTexts } from '../transactions/index.ts';
import { exportTransactions } from '../transactions/transaction-reports.contract.ts';
import {
  bookAccounts,
  categoryAccounts,
  keyOf,
  UNCATEGORIZED,
  type BookAccount,
  type CategoryAccounts,
} from './beancount-accounts.ts';
import { streamed } from './household-files.ts';

const OPENING = 'Equity:Opening';
const UNEXPLAINED = 'Equity:Unexplained';
const FIELDS = 'date,account_id,amount,iso_currency_code,name,merchant_name,category_id,pending,tags';

/** The ledger as a book that Beancount reads, with an assertion for each balance that the rows lead to. */
export async function* beancountFile(context: ReadContext): AsyncGenerator<string> {
  const accounts = await bookAccounts(context);
  const categories = categoryAccounts(await callOperation(context, listCategories, {}));
  yield HEADER;
  yield* openings([...accounts.values()], [...categories.values(), UNCATEGORIZED]);
  for (const account of accounts.values()) yield* balances(account);
  yield '\n; Transactions\n';
  let rest = '';
  for await (const piece of streamed(context, exportTransactions, { format: 'ndjson', fields: FIELDS })) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield transaction(readRow(line), accounts, categories);
  }
}

const HEADER = `; The household's ledger, for Beancount (bean-check household.beancount).
; Money out is negative on the account that it leaves. XXX stands for a currency that nobody stated.
; Rows that are pending, and rows of accounts that are a copy of another, are comments: they count in no total.
option "title" "Household"

`;

function* openings(accounts: readonly BookAccount[], categories: readonly CategoryAccounts[]): Generator<string> {
  const counted = accounts.filter(({ isCopy }) => !isCopy);
  const first =
    counted
      .map(({ since }) => since)
      .filter((day) => day !== null)
      .toSorted()[0] ?? '1970-01-01';
  for (const name of [OPENING, UNEXPLAINED]) yield `${first} open ${name}\n`;
  for (const name of new Set(categories.flatMap((one) => [one.out, one.in]))) yield `${first} open ${name}\n`;
  for (const { name, label, since, commodity } of counted) {
    yield `${since ?? first} open ${name} ${commodity}\n  name: ${quotedText(label)}\n`;
  }
}

function* balances(account: BookAccount): Generator<string> {
  const { name, label, commodity, walk, since, isCopy } = account;
  if (walk === null || since === null) return;
  if (isCopy) {
    yield `\n; ${oneLine(label)} shows what another account has. Its balances and rows are left out.\n`;
    return;
  }
  yield `\n; ${oneLine(label)}, ${commodity}\n`;
  if (walk.opening !== 0n) {
    yield entry(since, '"Opening balance"', name, OPENING, walk.opening, commodity);
  }
  for (const judged of walk.judged) yield* balance(judged, account);
}

function* balance(
  { balance: stated, verdict, gap }: Judged<Stated>,
  { name, commodity }: BookAccount,
): Generator<string> {
  const amount = `${formatCents(stated.held)} ${commodity}`;
  if (gap !== 0n) {
    yield `; The balance of ${stated.date} differs from what the rows make by ${formatCents(gap)} ${commodity}.\n`;
    yield entry(stated.date, '"Unexplained difference"', name, UNEXPLAINED, gap, commodity);
  }
  const next = dayAfter(stated.date);
  if (verdict === 'agrees' && next !== undefined)
    yield `${next} balance ${name} ${formatCents(stated.held)} ~ 0.00 ${commodity}\n`;
  else yield `; ${stated.date} stated ${amount}: ${REASONS[verdict]}\n`;
}

type Stated = NonNullable<BookAccount['walk']>['judged'][number]['balance'];

const REASONS = {
  agrees: 'no day follows that could assert it.',
  timing: 'agrees, but the bank counted rows of these days later or earlier.',
  unsettled: 'balances stated soon after say otherwise.',
} as const;

function entry(date: DateOnly, text: string, name: string, other: string, cents: bigint, commodity: string): string {
  return [
    `${date} * ${text}`,
    `  ${name}  ${formatCents(cents)} ${commodity}`,
    `  ${other}  ${formatCents(-cents)} ${commodity}\n`,
  ].join('\n');
}

interface Row {
  id: string;
  date: DateOnly;
  accountId: string;
  cents: bigint;
  currency: string | null;
  name: string;
  merchant: string | null;
  categoryId: string | null;
  isPending: boolean;
  tags: readonly string[];
}

function readRow(json: string): Row {
  const texts = memberTexts(json);
  const [id, , date, accountId, amount, currency, name, merchant, categoryId, pending, tags] = texts.map(valueOf);
  return {
    id: id as string,
    date: date as string,
    accountId: accountId as string,
    cents: BigInt(parseCents(amount as string) ?? 0),
    currency: currency as string | null,
    name: name as string,
    merchant: merchant as string | null,
    categoryId: categoryId as string | null,
    isPending: pending === true,
    tags: tags as string[],
  };
}

/** Like `JSON.parse`, which would intern every short text for good. */
function valueOf(json: string): unknown {
  return json.startsWith('"') && !json.includes('\\') ? json.slice(1, -1) : JSON.parse(json);
}

function transaction(
  row: Row,
  accounts: ReadonlyMap<string, BookAccount>,
  categories: ReadonlyMap<string, CategoryAccounts>,
): string {
  const account = accounts.get(keyOf(row.accountId, row.currency));
  const commodity = row.currency ?? 'XXX';
  const texts = [row.merchant, row.name].filter((text) => text !== null).map(quotedText);
  if (!account || account.isCopy || row.isPending) {
    const why = row.isPending ? 'pending' : 'copy';
    return `\n; ${why}: ${row.date} ${texts.join(' ')} ${formatCents(-row.cents)} ${commodity}, ${oneLine(account?.label ?? '')}\n`;
  }
  const category = (row.categoryId === null ? undefined : categories.get(row.categoryId)) ?? UNCATEGORIZED;
  const tags = row.tags.map((slug) => ` #${beancountTag(slug)}`).join('');
  const other = row.cents < 0n ? category.in : category.out;
  return `\n${entry(row.date, `${texts.join(' ')}${tags}\n  id: "${row.id}"`, account.name, other, -row.cents, commodity)}`;
}
