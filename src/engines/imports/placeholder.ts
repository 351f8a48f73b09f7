import { collapsed } from './cell-text.ts';

/** What banks write into a field for which they have nothing. */
const PLACEHOLDERS = new Set(['nonref', 'notprovided', 'not provided', 'not_provided', 'n/a']);
const LONGEST = 12;
const DASHES = /^[-–—_.\s]*$/u;

/** A text with its white space collapsed; empty where a bank only says that it has none. */
export function said(text: string): string {
  const one = collapsed(text);
  return DASHES.test(one) || (one.length <= LONGEST && PLACEHOLDERS.has(one.toLowerCase())) ? '' : one;
}
