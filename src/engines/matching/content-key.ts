import { hash } from 'node:crypto';

const BYTES = 16;

/**
 * The key by which a delivered row is known again (36.7.1). Two rows with one key are told apart by their number.
 * The currency is compared beside it, because it may become known or be corrected later.
 * `descriptionKey` is the normalised text of the uncut description.
 */
export function contentKey(date: string, amountCents: number, descriptionKey: string): string {
  return hash('sha256', `${date}|${amountCents}||${descriptionKey}`, 'buffer').toString('hex', 0, BYTES);
}

/** A currency that is unknown on one side equals any (36.7.1). */
export function isSameCurrency(one: string | null, other: string | null): boolean {
  return one === other || one === null || other === null;
}
