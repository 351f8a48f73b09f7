import { hash } from 'node:crypto';

const BYTES = 16;

/**
 * The key by which a delivered row is known again (36.7.1). Two rows with one key are told apart by their number.
 * `descriptionKey` is the normalised text of the uncut description.
 */
export function contentKey(date: string, amountCents: number, currency: string | null, descriptionKey: string): string {
  return hash('sha256', `${date}|${amountCents}|${currency ?? ''}|${descriptionKey}`, 'buffer').toString(
    'hex',
    0,
    BYTES,
  );
}
