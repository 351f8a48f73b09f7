import type { SqlValue } from './engine.ts';

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
  readonly #at: Readonly<Record<string, number>>;
  readonly #monthly: TotalsTable = { table: 'monthly_totals', columns: MONTHLY_KEY, groups: new Map() };
  readonly #merchants: TotalsTable = { table: 'merchant_totals', columns: MERCHANT_KEY, groups: new Map() };

  constructor(columns: readonly string[]) {
    this.#at = Object.fromEntries(columns.map((column, index) => [column, index]));
  }

  add(row: readonly SqlValue[]): void {
    const value = (column: string): SqlValue => row[this.#at[column] ?? -1] ?? null;
    if (value('deleted_at') !== null || (value('pending') ?? 0) !== 0) return;
    const amount = value('amount_cents') as number;
    const month = (value('date') as string).slice(0, 7);
    const ofMonth = [month, value('account_id'), ...OPTIONAL_KEY.map((column) => value(column) ?? '')];
    const counterparty = value('counterparty_id');
    const text = counterparty === null ? (value('merchant_text_id') ?? value('name_text_id')) : 0;
    count(this.#monthly, ofMonth, amount);
    count(this.#merchants, [...ofMonth, counterparty ?? '', text], amount);
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

const OPTIONAL_KEY = ['category_id', 'attributed_user_id', 'iso_currency_code'];
const MONTHLY_KEY = ['month', 'account_id', ...OPTIONAL_KEY];
const MERCHANT_KEY = [...MONTHLY_KEY, 'counterparty_id', 'text_id'];
const SUMS = ['count', 'outgoing_count', 'total_cents', 'incoming_cents'];

function count({ groups }: TotalsTable, key: readonly SqlValue[], amount: number): void {
  const name = key.join('\n');
  let group = groups.get(name);
  if (!group) groups.set(name, (group = { key, sums: [0, 0, 0, 0] }));
  const { sums } = group;
  sums[0] += 1;
  sums[1] += amount > 0 ? 1 : 0;
  sums[2] += amount;
  sums[3] += Math.min(amount, 0);
}
