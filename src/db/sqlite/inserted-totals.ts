import type { SqlValue } from '../engine.ts';

/** Sums of one group of a totals table: count, outgoing_count, total_cents, incoming_cents. */
type Sums = [count: number, outgoing: number, total: number, incoming: number];

interface TotalsTable {
  table: 'monthly_totals' | 'merchant_totals';
  columns: readonly string[];
  groups: Map<string, { key: readonly SqlValue[]; sums: Sums }>;
}

/**
 * What inserted transactions add to the totals tables of SQLite. A trigger would have every row keep a copy of each
 * page that it touches, in case it fails: that doubled the time of an insert. Changed rows have triggers (0014).
 */
export class InsertedTotals {
  readonly #at: Readonly<Record<Counted, number>>;
  readonly #monthly: TotalsTable = { table: 'monthly_totals', columns: MONTHLY_KEY, groups: new Map() };
  readonly #merchants: TotalsTable = { table: 'merchant_totals', columns: MERCHANT_KEY, groups: new Map() };

  constructor(columns: readonly string[]) {
    this.#at = Object.fromEntries(COUNTED.map((column) => [column, columns.indexOf(column)])) as Record<
      Counted,
      number
    >;
  }

  /** The names of groups are put together by hand: joining lists took a twentieth of an import. */
  add(row: readonly SqlValue[]): void {
    const at = this.#at;
    if ((row[at.deleted_at] ?? null) !== null || (row[at.pending] ?? 0) !== 0) return;
    const amount = row[at.amount_cents] as number;
    const month = (row[at.date] as string).slice(0, 7);
    const account = row[at.account_id] as string;
    const category = textOf(row[at.category_id]);
    const user = textOf(row[at.attributed_user_id]);
    const currency = textOf(row[at.iso_currency_code]);
    const counterparty = textOf(row[at.counterparty_id]);
    const text = counterparty === '' ? ((row[at.merchant_text_id] ?? row[at.name_text_id]) as number) : 0;
    const ofMonth = `${month}\n${account}\n${category}\n${user}\n${currency}`;
    count(this.#monthly, ofMonth, amount, () => [month, account, category, user, currency]);
    count(this.#merchants, `${ofMonth}\n${counterparty}\n${text}`, amount, () => [
      month,
      account,
      category,
      user,
      currency,
      counterparty,
      text,
    ]);
  }

  /** Statements that add the sums, each with the values of its rows. */
  *statements(): Iterable<{ sql: string; rows: readonly (readonly SqlValue[])[] }> {
    for (const { table, columns, groups } of [this.#monthly, this.#merchants]) {
      const names = [...columns, ...SUMS];
      const sql = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
        on conflict (${columns.join(', ')}) do update set
        ${SUMS.map((sum) => `${sum} = ${sum} + excluded.${sum}`).join(', ')}`;
      yield { sql, rows: [...groups.values()].map(({ key, sums }) => [...key, ...sums]) };
    }
  }
}

type Counted = (typeof COUNTED)[number];

const COUNTED = [
  'date',
  'amount_cents',
  'account_id',
  'category_id',
  'attributed_user_id',
  'iso_currency_code',
  'counterparty_id',
  'merchant_text_id',
  'name_text_id',
  'pending',
  'deleted_at',
] as const;
const MONTHLY_KEY = ['month', 'account_id', 'category_id', 'attributed_user_id', 'iso_currency_code'];
const MERCHANT_KEY = [...MONTHLY_KEY, 'counterparty_id', 'text_id'];
const SUMS = ['count', 'outgoing_count', 'total_cents', 'incoming_cents'];

/** What is absent is '' in a key. */
function textOf(value: SqlValue | undefined): string {
  return (value ?? '') as string;
}

function count({ groups }: TotalsTable, name: string, amount: number, key: () => SqlValue[]): void {
  let group = groups.get(name);
  if (!group) groups.set(name, (group = { key: key(), sums: [0, 0, 0, 0] }));
  const { sums } = group;
  sums[0] += 1;
  sums[1] += amount > 0 ? 1 : 0;
  sums[2] += amount;
  sums[3] += Math.min(amount, 0);
}
