/**
 * Amounts as the API writes them ("-12.50") in whole hundredths, so that differences and sums are exact. They are of one
 * currency: nothing here knows more than one.
 */
export function centsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

export function amountOf(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Where an amount is in a picture, which needs no more digits than a screen has. */
export function heightOf(amount: string): number {
  return Number(amount);
}
