import { dateOfDayNumber } from '../../../kernel/dates.ts';
import type { BalanceResult } from '../analysis.ts';
import { proveChain } from './balance-proof.ts';
import type { ChainProof, ProofRows } from './balance-proof.ts';
import type { ParsedColumns } from '../columns/parsed-columns.ts';
import { currencyAt, NO_CURRENCY, UNKNOWN_CURRENCY } from '../columns/parsed-columns.ts';

/** Rows that must state one balance before it is no running balance. */
const FEWEST_STILL = 3;
/** More than a file can have. */
const CURRENCIES = 1_000;

/** A file under one interpretation: which rows count, on which day, with which amount and balance. */
export interface ReadRows {
  readonly parsed: ParsedColumns;
  /** 1 where the row is readable and posted. */
  readonly counted: Uint8Array;
  readonly days: Int32Array;
  /** Ours: positive = out. */
  readonly amounts: Float64Array;
  readonly balances: Float64Array;
  /** Index of the decimal separator that the balances were parsed with. */
  readonly decimalIndex: number;
}

export interface GroupProof {
  readonly account: number;
  /** If one chain leads over several currencies, that of most rows. */
  readonly currency: number;
  readonly joinsCurrencies: boolean;
  readonly kind: 'asset' | 'debt';
  readonly rows: ProofRows;
  readonly chain: ChainProof;
}

/**
 * Proves every account of the file on its own (36.6): all its rows as one chain, else each currency. Where the file says
 * itself which amounts are money out, the balances of an account that may owe count what they add up as.
 */
export function proveGroups(read: ReadRows, mayOwe: boolean, isWayStated: boolean): GroupProof[] {
  const { parsed, counted } = read;
  const sizes = new Map<number, number>();
  for (let row = 0; row < parsed.count; row++)
    if (counted[row] === 1) sizes.set(groupOf(parsed, row), (sizes.get(groupOf(parsed, row)) ?? 0) + 1);
  const accounts = Map.groupBy(sizes, ([group]) => Math.floor(group / CURRENCIES));
  return [...accounts].flatMap(([account, groups]) => {
    const prove = (currencies: readonly (readonly [group: number, size: number])[]): GroupProof => {
      const [[main]] = currencies.toSorted(([, a], [, b]) => b - a) as [[number, number]];
      const currency = (main % CURRENCIES) + UNKNOWN_CURRENCY;
      const draft = collect(read, new Map(currencies));
      const first = openingOf(read, account, currency);
      return {
        account,
        currency,
        joinsCurrencies: currencies.length > 1,
        ...proveDraft(draft, first, mayOwe, isWayStated),
      };
    };
    const joined = groups.length > 1 && read.balances.length > 0 ? prove(groups) : null;
    if (joined && joined.chain.breaks === 0 && joined.chain.movingLinks > 0) return [joined];
    return groups.map((one) => prove([one]));
  });
}

function openingOf({ parsed, decimalIndex }: ReadRows, account: number, currency: number): number {
  const opening = parsed.openings.find(
    (fact) =>
      fact.account === account &&
      (fact.currency === currency || fact.currency === NO_CURRENCY || currency === NO_CURRENCY),
  );
  return opening?.balances[decimalIndex] ?? Number.NaN;
}

function proveDraft(
  draft: ProofRows,
  opening: number,
  mayOwe: boolean,
  isWayStated: boolean,
): Pick<GroupProof, 'kind' | 'rows' | 'chain'> {
  const likely = proveAs(mayOwe && owes(draft) ? 'debt' : 'asset', draft, opening);
  if (!mayOwe || !isWayStated || likely.chain.breaks === 0) return likely;
  const other = proveAs(likely.kind === 'debt' ? 'asset' : 'debt', draft, opening);
  return other.chain.breaks === 0 ? other : likely;
}

/** The chain of balances that count what is owned, or what is owed; a card that was overpaid owes less than nothing. */
function proveAs(
  kind: GroupProof['kind'],
  draft: ProofRows,
  opening: number,
): Pick<GroupProof, 'kind' | 'rows' | 'chain'> {
  const factor = kind === 'debt' ? 1 : -1;
  const rows = { ...draft, effects: draft.effects.map((effect) => factor * effect + 0) };
  return { kind, rows, chain: proveChain(rows, opening) };
}

function groupOf(parsed: ParsedColumns, row: number): number {
  return (
    (parsed.accountIds.length > 0 ? (parsed.accountIds[row] as number) : 0) * CURRENCIES +
    (parsed.currencyIds[row] as number) -
    UNKNOWN_CURRENCY
  );
}

/** The rows of these groups in file order; the values say how many each has. */
function collect(read: ReadRows, groups: ReadonlyMap<number, number>): ProofRows {
  const size = [...groups.values()].reduce((sum, one) => sum + one, 0);
  const lines = new Int32Array(size);
  const days = new Int32Array(size);
  const effects = new Float64Array(size);
  const balances = new Float64Array(size);
  let count = 0;
  for (let row = 0; row < read.parsed.count; row++) {
    if (read.counted[row] !== 1 || !groups.has(groupOf(read.parsed, row))) continue;
    lines[count] = read.parsed.lines[row] as number;
    days[count] = read.days[row] as number;
    effects[count] = read.amounts[row] as number;
    balances[count] = read.balances.length > 0 ? (read.balances[row] as number) : Number.NaN;
    count++;
  }
  const rows = { count, lines, days, effects, balances };
  if (isStill(rows)) balances.fill(Number.NaN);
  return rows;
}

/** True where money moves and the balance never does: it is no running one, also in a column that a profile remembers. */
function isStill({ count, effects, balances }: ProofRows): boolean {
  return (
    count >= FEWEST_STILL &&
    balances.every((balance) => balance === balances[0]) &&
    effects.every((effect) => effect !== 0)
  );
}

function owes(rows: ProofRows): boolean {
  let positive = 0;
  let negative = 0;
  for (let i = 0; i < rows.count; i++) {
    const balance = rows.balances[i] as number;
    if (balance > 0) positive++;
    else if (balance < 0) negative++;
  }
  return positive > negative;
}

/** True for a proof that can decide between interpretations: two links, one of which moves money (36.6.4). */
export function decides(groups: readonly GroupProof[]): boolean {
  let links = 0;
  let moving = 0;
  for (const { chain } of groups) {
    if (chain.breaks > 0) return false;
    links += chain.links;
    moving += chain.movingLinks;
  }
  return links >= 2 && moving >= 1;
}

/** The proof of one account and currency as answers show it. */
export function resultOf(group: GroupProof, parsed: ParsedColumns, fallbackCurrency: string | null): BalanceResult {
  const { chain, rows } = group;
  let first = Infinity;
  let last = -Infinity;
  for (let i = 0; i < rows.count; i++) {
    first = Math.min(first, rows.days[i] as number);
    last = Math.max(last, rows.days[i] as number);
  }
  const isAvailable = chain.status !== 'not_available';
  return {
    file_value: parsed.accounts.length > 0 ? (parsed.accounts[group.account] ?? null) : null,
    iso_currency_code: currencyAt(parsed, group.currency, fallbackCurrency),
    ...(group.joinsCurrencies ? { joins_currencies: true } : {}),
    status: chain.status,
    method: isAvailable ? 'running_balance' : 'none',
    balance_is: isAvailable ? chain.balanceIs : null,
    kind: group.kind,
    first_date: rows.count > 0 ? dateOfDayNumber(first) : null,
    last_date: rows.count > 0 ? dateOfDayNumber(last) : null,
    opening_cents: chain.opening,
    closing_cents: chain.closing,
    rows_checked: chain.links,
    rows_total: rows.count,
    days_checked: chain.daysChecked,
    days_proved: chain.daysProved,
    break_count: chain.breaks,
    first_break: chain.firstBreak,
    closings: chain.closings,
  };
}
