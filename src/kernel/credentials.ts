import { LIMITS } from './limits.ts';

const LOCAL = /^[^\s\p{Cc}<>()[\],;:"\\@]{1,64}$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** A bare email address in canonical form (trimmed, lower case), or undefined (the email rule of 20.9). */
export function parseEmail(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  if (address.length > LIMITS.emailChars) return undefined;
  const parts = address.split('@');
  if (parts.length !== 2 || !LOCAL.test(parts[0] as string)) return undefined;
  return (parts[1] as string).split('.').every((label) => LABEL.test(label)) ? address : undefined;
}

/** Counted in code points after NFKC normalisation, which is what is hashed (contract 20.6). */
export function hasPasswordLength(password: string): boolean {
  const length = passwordLength(password);
  return length >= LIMITS.passwordMinChars && length <= LIMITS.passwordMaxChars;
}

/** Whatever is longer than this is too long when normalised too: four characters of two units each become one at most. */
const MOST_UNITS = 4 * 2 * LIMITS.passwordMaxChars;

/** In code points after NFKC normalisation; Infinity for what is too long anyway, because a text of marks takes minutes to normalise. */
export function passwordLength(password: string): number {
  if (password.length > MOST_UNITS) return Infinity;
  return [...password.normalize('NFKC')].length;
}
