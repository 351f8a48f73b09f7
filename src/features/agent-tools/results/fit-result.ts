import { AppError } from '../../../kernel/errors.ts';

/** Room for what a smaller page contains besides its rows, such as a cursor. */
const SLACK_BYTES = 400;
const SHORT_TEXT = 200;
/** Fields that a shortened result keeps: they identify a record and say what became of it. */
const TELLING = /^(id|slug|status|outcome|code|operation|action|.*_id|.*_slug)$/;

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

interface Read {
  /** Names of the arguments that the tool takes, and those of this call. */
  names: readonly string[];
  sent: Readonly<Record<string, unknown>>;
  /** Whether the limit counts in each currency. */
  isPerCurrency?: boolean;
}

/**
 * The result of a tool that reads, if it is not too large.
 * @throws RESPONSE_TOO_LARGE, with the limit under which the page fits
 */
export function fitRead<T extends object>(
  result: T,
  maxBytes: number,
  { names, sent, isPerCurrency = false }: Read,
): T {
  const bytes = jsonBytes(result);
  if (bytes <= maxBytes) return result;
  const limit = sent['limit'];
  const fitting =
    typeof limit === 'number' ? fittingLimit(result, bytes - maxBytes, { limit, isPerCurrency }) : undefined;
  // First, because a tool may take thirty arguments.
  const advice = fitting === undefined ? '' : ` It fits with limit ${fitting}.`;
  const narrowing = names.length === 0 ? '' : ` To narrow it, send ${names.join(', ')}.`;
  const message = `The result has ${bytes} bytes; at most ${maxBytes} are allowed.${advice}${narrowing}`;
  throw new AppError(
    'RESPONSE_TOO_LARGE',
    message,
    fitting === undefined ? {} : { members: { suggested_limit: fitting } },
  );
}

/** The most rows of the longest list that fit, whichever rows they are; undefined if fewer rows would not help. */
function fittingLimit(
  result: object,
  excess: number,
  { limit, isPerCurrency }: { limit: number; isPerCurrency: boolean },
): number | undefined {
  let rows: readonly unknown[] = [];
  let longest = 0;
  for (const list of listsIn(result)) {
    const bytes = list.length > 1 && (isPerCurrency || list.length <= limit) ? jsonBytes(list) : 0;
    if (bytes > longest) [rows, longest] = [list, bytes];
  }
  const sizes = rows.map((row) => jsonBytes(row) + 1);
  const most = longest - excess - SLACK_BYTES;
  const fitting = isPerCurrency
    ? perCurrencyWithin(rows, sizes, most)
    : Math.min(countWithin(sizes, most), countWithin(sizes.toReversed(), most));
  return fitting > 0 && fitting < limit ? fitting : undefined;
}

/** How many of the first rows of each currency fit. */
function perCurrencyWithin(rows: readonly unknown[], sizes: readonly number[], most: number): number {
  const ranks = new Map<unknown, number>();
  const byRank: number[] = [];
  for (const [index, row] of rows.entries()) {
    const { iso_currency_code: currency } = row as { iso_currency_code?: string };
    const rank = ranks.get(currency) ?? 0;
    ranks.set(currency, rank + 1);
    byRank[rank] = (byRank[rank] ?? 0) + (sizes[index] as number);
  }
  return countWithin(byRank, most);
}

/** The lists of a result, including those inside the only record of a list. */
function listsIn(value: unknown): (readonly unknown[])[] {
  if (Array.isArray(value)) return [value, ...(value.length === 1 ? listsIn(value[0]) : [])];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsIn) : [];
}

function countWithin(sizes: readonly number[], most: number): number {
  let sum = 2;
  let count = 0;
  while (count < sizes.length && sum + (sizes[count] as number) <= most) sum += sizes[count++] as number;
  return count;
}

/**
 * The result of a tool that writes, reduced to counts and ids if it is too large. An error would make the
 * caller write again.
 */
export function fitWritten<T extends object>(result: T, maxBytes: number): object {
  if (jsonBytes(result) <= maxBytes) return result;
  const brief = { ...(briefly(result, false) as object), truncated: true };
  let most = Math.max(0, ...listsIn(brief).map((list) => list.length));
  for (;;) {
    const fewer = withFewer(brief, most) as object;
    if (most === 0 || jsonBytes(fewer) <= maxBytes) return fewer;
    most = Math.floor(most / 2);
  }
}

/** Drops long texts; records in lists keep only identifying fields, numbers and booleans. */
function briefly(value: unknown, isListed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => briefly(item, true));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, held]) => isKept(name, held, isListed));
  return Object.fromEntries(kept.map(([name, held]) => [name, briefly(held, isListed)]));
}

function isKept(name: string, held: unknown, isListed: boolean): boolean {
  if (typeof held === 'string') return held.length <= SHORT_TEXT && (!isListed || TELLING.test(name));
  return typeof held !== 'object' || !isListed;
}

function withFewer(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withFewer(held, most)]));
}
