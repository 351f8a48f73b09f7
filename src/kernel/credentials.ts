import { LIMITS } from './limits.ts';

/** More than ever become one character. */
const UNITS_PER_CHARACTER = 20;
const LOCAL = /^[^\s\p{Cc}<>()[\],;:"\\@]{1,64}$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** A bare email address in canonical form (trimmed, lower case), or undefined (the email rule of 20.9). */
export function parseEmail(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  if (address.length > 254) return undefined;
  const parts = address.split('@');
  if (parts.length !== 2 || !LOCAL.test(parts[0] as string)) return undefined;
  return (parts[1] as string).split('.').every((label) => LABEL.test(label)) ? address : undefined;
}

/** Counted in code points after NFKC normalisation, which is what is hashed (contract 20.6). */
export function hasPasswordLength(password: string): boolean {
  const length = passwordLength(password);
  return length >= LIMITS.passwordMinChars && length <= LIMITS.passwordMaxChars;
}

export function passwordLength(password: string): number {
  // Normalising shortens a text a few times at most, and may make it 18 times as long: a whole body is not worth it.
  const start = password.slice(0, LIMITS.passwordMaxChars * UNITS_PER_CHARACTER);
  return [...start.normalize('NFKC')].length;
}
