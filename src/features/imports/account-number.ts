import { deriveKey, hmacHex } from '../../kernel/crypto.ts';

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const NUMBER = /^[A-Z0-9./-]+$/;
const DIGITS_NEEDED = 6;
const SHOWN = 4;

/** The account number that an account value of a file states, without spaces; null for mere names. */
export function accountNumberOf(value: string | null): string | null {
  if (value === null) return null;
  const compact = value.replace(/\s+/g, '').toUpperCase();
  if (IBAN.test(compact)) return compact;
  const digits = compact.replace(/\D/g, '').length;
  const letters = compact.replace(/[^A-Z]/g, '').length;
  return NUMBER.test(compact) && digits >= DIGITS_NEEDED && digits >= letters ? compact : null;
}

/** What is kept of an account number, so that the next file finds the account (36.4): never the number itself. */
export function numberHash(masterKey: Uint8Array, number: string): string {
  return hmacHex(deriveKey(masterKey, 'homeledger/account-numbers/v1'), number);
}

export function maskOf(number: string): string {
  return number.slice(-SHOWN);
}

/** An account value as answers show it: names as they are, numbers by their last four characters. */
export function shownValue(value: string | null): string | null {
  const number = accountNumberOf(value);
  return number === null ? value : `…${maskOf(number)}`;
}
