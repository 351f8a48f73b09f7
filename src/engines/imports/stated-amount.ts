/** What an amount of a statement reads as: hundredths, or the reason of 36.15.2 with plain words. */
export type AmountReading =
  | { readonly cents: number; readonly reason: null }
  | { readonly cents: null; readonly reason: string; readonly message: string };

const DIGITS = 15;

/**
 * An unsigned amount of a format that fixes its decimal separator. Zeros behind the second decimal are dropped;
 * anything more is refused, money is never rounded.
 */
export function readAmount(text: string, separator: '.' | ','): AmountReading {
  const cell = text.trim();
  if (cell === '') return problem('AMOUNT_MISSING', 'there is no amount');
  const at = cell.indexOf(separator);
  const whole = at < 0 ? cell : cell.slice(0, at);
  const decimals = at < 0 ? '' : cell.slice(at + 1);
  if (!isDigits(whole) || !isDigits(decimals) || whole.length + decimals.length === 0)
    return problem('AMOUNT_INVALID', 'the amount is not a number');
  const units = withoutLeading(whole);
  if (units.length > DIGITS) return problem('AMOUNT_OUT_OF_RANGE', 'the amount is beyond 9,999,999,999.99');
  const kept = withoutTrailing(decimals);
  if (kept.length > 2)
    return problem('AMOUNT_PRECISION', 'the amount has more than two decimals; amounts are never rounded');
  const cents = Number(units) * 100 + Number(kept.padEnd(2, '0'));
  if (!Number.isSafeInteger(cents)) return problem('AMOUNT_OUT_OF_RANGE', 'the amount is beyond 9,999,999,999.99');
  return { cents, reason: null };
}

function problem(reason: string, message: string): AmountReading {
  return { cents: null, reason, message };
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

function withoutLeading(digits: string): string {
  let from = 0;
  while (from < digits.length && digits.charCodeAt(from) === 48) from++;
  return digits.slice(from);
}

function withoutTrailing(digits: string): string {
  let to = digits.length;
  while (to > 0 && digits.charCodeAt(to - 1) === 48) to--;
  return digits.slice(0, to);
}
