/** The rhythm of recurring payments, worked out from exported rows alone and by other means than the service. */
export interface ExportedRow {
  id: string;
  short_id: string;
  date: string;
  amount: string;
  iso_currency_code: string | null;
  name: string;
  merchant_name: string | null;
  counterparty_id: string | null;
  counterparty_name: string | null;
  account_id: string;
  user_id: string | null;
  category: { slug: string; kind: string; parent_id: string | null } | null;
  series_id: string | null;
  tags: string[];
  pending: boolean;
  excluded_from_totals: string | null;
}

export interface ByHand {
  payments: ExportedRow[];
  direction: 'out' | 'in';
  interval: number | null;
  next: string | null;
  status: 'active' | 'late' | 'ended';
  yearly: string | null;
  prices: { from: string; amount: string; change: string | null }[];
}

const DAY = 86_400_000;
const PER_YEAR = [
  [6, 8, 52],
  [13, 15, 26],
  [27, 33, 12],
  [57, 65, 6],
  [85, 97, 4],
  [174, 192, 2],
  [355, 376, 1],
] as const;

export const cents = ({ amount }: { amount: string }): number => Math.round(Number(amount) * 100);
export const decimal = (hundredths: number): string => (hundredths / 100).toFixed(2);
const time = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dated = (at: number): string => new Date(at).toISOString().slice(0, 10);
const lastOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
const onDay = (year: number, month: number, day: number): number => {
  const first = new Date(Date.UTC(year, month, 1));
  const [y, m] = [first.getUTCFullYear(), first.getUTCMonth()];
  return Date.UTC(y, m, Math.min(day, lastOf(y, m)));
};
const middle = (sorted: readonly number[]): number => sorted[Math.ceil(sorted.length / 2) - 1] as number;

/** @param known the last day on which a row of each account would be known */
export function seriesByHand(rows: readonly ExportedRow[], known: (accountId: string) => string): ByHand {
  const posted = rows.filter(({ pending }) => !pending).sort((a, b) => (a.date + a.id < b.date + b.id ? -1 : 1));
  const out = posted.filter((row) => cents(row) > 0);
  const direction = out.length >= posted.length - out.length ? 'out' : 'in';
  const sided = direction === 'out' ? out : posted.filter((row) => cents(row) < 0);
  const payments = sided.filter((row) => row.iso_currency_code === sided.at(-1)?.iso_currency_code);
  const newest = payments.at(-1);
  if (!newest) return { payments, direction, interval: null, next: null, status: 'active', yearly: null, prices: [] };
  const dates = [...new Set(payments.map(({ date }) => date))];
  const gaps = dates.slice(1).map((date, index) => (time(date) - time(dates[index] as string)) / DAY);
  const interval = gaps.length < 2 ? null : middle(gaps.slice(-24).sort((a, b) => a - b));
  const perYear = PER_YEAR.find(([from, to]) => interval !== null && from <= interval && interval <= to)?.[2];
  const isRare = perYear === 1 || perYear === 2;
  const amounts = payments.map((row) => Math.abs(cents(row)));
  const repeated = amounts
    .slice(0, -1)
    .filter((one, at) => one === amounts[at + 1] || (at > 0 && one === amounts[at - 1]));
  const isFixed = isRare || (amounts.length > 1 && repeated.length >= 0.8 * (amounts.length - 1));
  const [next, second] = perYear === undefined ? [null, null] : [1, 2].map((n) => expected(dates, perYear, n));
  const late = (date: string, grace: number): boolean => time(known(newest.account_id)) - time(date) > grace * DAY;
  const grace = isRare ? 20 : 5;
  let status: ByHand['status'] = 'active';
  if (next == null || second == null) status = late(newest.date, 400) ? 'ended' : 'active';
  else if (late(second, grace)) status = 'ended';
  else if (late(next, grace)) status = 'late';
  const usual = isFixed ? (amounts.at(-1) as number) : middle(amounts.slice(-12).sort((a, b) => a - b));
  const yearly = perYear === undefined || status === 'ended' ? null : decimal(usual * perYear);
  return {
    payments,
    direction,
    interval,
    next: next ?? null,
    status,
    yearly,
    prices: isFixed ? steps(payments, isRare) : [],
  };
}

function expected(dates: readonly string[], perYear: number, times: number): string {
  const last = dates.at(-1) as string;
  if (perYear > 12) return dated(time(last) + times * (perYear === 52 ? 7 : 14) * DAY);
  const recent = dates.slice(-12).map((date) => date.split('-').map(Number) as [number, number, number]);
  const ends = recent.filter(([year, month, day]) => day === lastOf(year, month - 1)).length;
  const days = Array.from({ length: 31 }, (_, index) => index + 1);
  const times_ = (day: number): number => recent.filter(([, , one]) => one === day).length;
  const usual =
    ends > recent.length / 2 ? 31 : days.reduce((best, day) => (times_(day) >= times_(best) ? day : best), 1);
  const [year, month] = last.split('-').map(Number) as [number, number];
  const away = (offset: number): number => Math.abs(onDay(year, month - 1 + offset, usual) - time(last));
  const offset = [-1, 0, 1].reduce((best, one) => (away(one) < away(best) ? one : best));
  return dated(onDay(year, month - 1 + offset + times * (12 / perYear), usual));
}

function steps(payments: readonly ExportedRow[], isRare: boolean): ByHand['prices'] {
  const found: { from: string; cents: number }[] = [];
  for (const [index, row] of payments.entries()) {
    const [own, before, after] = [row, payments[index - 1], payments[index + 1]].map(
      (one) => one && Math.abs(cents(one)),
    );
    if (own === before || own === undefined) continue;
    const lasts = isRare || after === own || after === undefined;
    if (lasts && found.at(-1)?.cents !== own) found.push({ from: row.date, cents: own });
  }
  return found.map(({ from, cents: now }, index) => {
    const former = found[index - 1]?.cents;
    return { from, amount: decimal(now), change: former === undefined ? null : decimal(now - former) };
  });
}
