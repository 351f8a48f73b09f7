import { amountOf } from './amounts.ts';

/** An amount with the largest number of digits that the API takes. */
const MOST_CENTS = 999_999_999_999n;
/** What is typed is divided and multiplied in these parts of a hundredth, then rounded once. */
const PARTS = 1_000_000n;
const UNIT = 100n * PARTS;
const DEEPEST = 20;

/**
 * Reads an amount as people type it: "12,50", "1.234,56" or "3*4,20-(1+0,5)". Answers with the API's form, rounded half away
 * from zero to hundredths, or undefined for what is no amount.
 */
export function calculate(text: string): string | undefined {
  const tokens = text.replaceAll(/\s/g, '').match(/[\d.,'’]+|[-+*/×÷−()]|./gu) ?? [];
  const reader: Reader = { tokens, at: 0 };
  const value = sum(reader, 0);
  if (value === undefined || reader.at < tokens.length) return undefined;
  const cents = divide(value, PARTS);
  return cents === undefined || cents > MOST_CENTS || cents < -MOST_CENTS ? undefined : amountOf(cents);
}

interface Reader {
  tokens: readonly string[];
  at: number;
}

type Value = bigint | undefined;

function sum(reader: Reader, depth: number): Value {
  let value = product(reader, depth);
  for (let sign = signAt(reader); sign !== 0n; sign = signAt(reader)) {
    reader.at++;
    const next = product(reader, depth);
    value = value === undefined || next === undefined ? undefined : value + sign * next;
  }
  return value;
}

function product(reader: Reader, depth: number): Value {
  let value = factor(reader, depth);
  for (
    let token = reader.tokens[reader.at];
    token !== undefined && /^[*/×÷]$/.test(token);
    token = reader.tokens[reader.at]
  ) {
    reader.at++;
    const next = factor(reader, depth);
    if (value === undefined || next === undefined) return undefined;
    value = token === '*' || token === '×' ? divide(value * next, UNIT) : divide(value * UNIT, next);
  }
  return value;
}

function factor(reader: Reader, depth: number): Value {
  const sign = signAt(reader);
  const token = reader.tokens[sign === 0n ? reader.at++ : ++reader.at];
  if (depth > DEEPEST || token === undefined) return undefined;
  if (sign !== 0n) {
    const value = factor(reader, depth + 1);
    return value === undefined ? undefined : sign * value;
  }
  if (token !== '(') return numberOf(token);
  const value = sum(reader, depth + 1);
  return reader.tokens[reader.at++] === ')' ? value : undefined;
}

function signAt({ tokens, at }: Reader): bigint {
  const token = tokens[at];
  if (token === '+') return 1n;
  return token === '-' || token === '−' ? -1n : 0n;
}

/**
 * The last point or comma is the decimal one, unless it stands before three digits and after at least one other of its
 * kind. One alone before three digits could be either, so that is no amount.
 */
function numberOf(token: string): Value {
  const plain = token.replaceAll(/['’]/g, '');
  const parsed =
    /^(\d{1,3}(?:([.,])\d{3})*|\d+)(?:([.,])(\d{1,2}))?$/.exec(plain) ?? /^()()([.,])(\d{1,2})$/.exec(plain);
  if (!parsed) return undefined;
  const [, whole = '', group, decimal, digits = ''] = parsed;
  const groups = whole.split(/[.,]/).length - 1;
  if (group !== undefined && group !== '' && (group === decimal || new Set(whole.match(/[.,]/g)).size > 1))
    return undefined;
  if (groups === 1 && decimal === undefined) return undefined;
  return BigInt(whole.replaceAll(/[.,]/g, '') || '0') * UNIT + BigInt(digits.padEnd(2, '0')) * PARTS;
}

/** Half away from zero; undefined for a division by zero. */
function divide(value: bigint, by: bigint): Value {
  if (by === 0n) return undefined;
  const isNegative = value < 0n !== by < 0n;
  const [over, under] = [value < 0n ? -value : value, by < 0n ? -by : by];
  const rounded = (2n * over + under) / (2n * under);
  return isNegative ? -rounded : rounded;
}
