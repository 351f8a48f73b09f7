import { amountOf, centsOf } from '../../lib/amounts.ts';
import type { Leaf } from './condition-words.ts';
import { joined, type Part, type Parts } from './sentence-parts.ts';

/** The API counts money out as more than nothing; people say which way it goes: "more than €100.00 goes out". */
export function amountInWords(leaf: Leaf, currency: string | null): Parts {
  const money = (cents: bigint): Part => ({ kind: 'money', amount: amountOf(cents < 0n ? -cents : cents), currency });
  if (leaf.field === 'amount_abs') return ['the amount, in or out, ', ...plain(leaf, money)];
  return signed(leaf, money) ?? ['the amount ', ...plain(leaf, (cents) => [money(cents), cents < 0n ? ' in' : ' out'])];
}

type Money = (cents: bigint) => Part;
type Write = (cents: bigint) => Part | Parts;

const VERBS: Readonly<Record<string, string>> = {
  eq: 'is ',
  in: 'is ',
  neq: 'is not ',
  not_in: 'is not ',
  gt: 'is more than ',
  gte: 'is at least ',
  lt: 'is less than ',
  lte: 'is at most ',
};

function plain({ op, value, min, max, tolerance }: Leaf, write: Write): Parts {
  const said = (amount: unknown): Parts => [write(inCents(amount))].flat();
  if (op === 'between') return ['is from ', ...said(min), ' to ', ...said(max)];
  if (op === 'approx')
    return ['is ', ...said(value), ', give or take ', ...[write(inCents(tolerance))].flat().slice(0, 1)];
  const values = Array.isArray(value) ? value : [value];
  return [VERBS[op] ?? `${op} `, ...joined(values.map(said), 'or')];
}

/** Whatever says of one direction only how much goes that way. */
function signed(leaf: Leaf, money: Money): Parts | undefined {
  const { op, value, min, max } = leaf;
  if (op === 'between') {
    const [from, to] = [inCents(min), inCents(max)];
    if (from > 0n) return [money(from), ' to ', money(to), ' goes out'];
    return to < 0n ? [money(to), ' to ', money(from), ' comes in'] : undefined;
  }
  if (op === 'in' || op === 'not_in' || op === 'neq' || op === 'approx') return undefined;
  const cents = inCents(value);
  if (cents === 0n) return AGAINST_NOTHING[op];
  if (op === 'eq') return [money(cents), cents > 0n ? ' goes out' : ' comes in'];
  const isUp = op === 'gt' || op === 'gte';
  const isExact = op === 'gte' || op === 'lte';
  const isOut = cents > 0n;
  // More than 5 out is that; less than 5 out is also all that comes in.
  const isBeyond = isUp === isOut;
  const bound = isBeyond ? (isExact ? 'at least ' : 'more than ') : isExact ? 'at most ' : 'less than ';
  const way = isOut ? ' goes out' : ' comes in';
  return [bound, money(cents), way, ...(isBeyond ? [] : [isOut ? ', or money comes in' : ', or money goes out'])];
}

const AGAINST_NOTHING: Readonly<Record<string, Parts>> = {
  eq: ['no money moves'],
  gt: ['money goes out'],
  lt: ['money comes in'],
  gte: ['no money comes in'],
  lte: ['no money goes out'],
};

/** Amounts of a rule that was not stored may be numbers, or have fewer decimals. */
function inCents(amount: unknown): bigint {
  const text = String(amount);
  if (!/^-?\d+(\.\d{1,2})?$/.test(text)) return 0n;
  const [whole = '0', fraction = ''] = text.split('.');
  return centsOf(`${whole}.${fraction.padEnd(2, '0')}`);
}
