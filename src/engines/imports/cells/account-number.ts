import { currencyOf } from '../lexicon/currency.ts';

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const SHOWN = 4;

/** True for text with the form of an IBAN. Check digits may be wrong: masked and test numbers have none. */
export function hasIbanForm(text: string): boolean {
  return IBAN.test(text);
}

/**
 * An account as a statement names it, without spaces: the IBAN if it contains one, else bank code + `/` +
 * account. A trailing currency is dropped.
 */
export function accountIdentifier(text: string): string | null {
  const compact = text
    .replaceAll(/\s/g, '')
    .toUpperCase()
    .replace(/^\/+|\/+$/g, '');
  if (compact === '') return null;
  const parts = compact.split('/').map(withoutCurrency);
  const iban = parts.find(hasIbanForm);
  return iban ?? withoutCurrency(parts.filter((part) => part !== '' && currencyOf(part) === undefined).join('/'));
}

const GERMAN_IBAN = /^DE\d{20}$/;
const GERMAN_NUMBER = /^(\d{8})\/(\d{1,10})$/;

/** How files in other formats may state the same German account: its IBAN is made of bank code and number. */
export function otherFormsOf(identifier: string): string[] {
  if (GERMAN_IBAN.test(identifier)) {
    if (!hasCheckDigits(identifier)) return [];
    const [bank, number] = [identifier.slice(4, 12), identifier.slice(12)];
    return [...new Set([number, number.replace(/^0+(?=\d)/, '')])].map((form) => `${bank}/${form}`);
  }
  const [, bank, number] = GERMAN_NUMBER.exec(identifier) ?? [];
  if (bank === undefined || number === undefined) return [];
  const [plain, padded] = [number.replace(/^0+(?=\d)/, ''), number.padStart(10, '0')];
  const rest = bank + padded;
  const check = String(98 - restOf97(`${rest}DE00`)).padStart(2, '0');
  const forms = [`DE${check}${rest}`, `${bank}/${padded}`, `${bank}/${plain}`];
  return [...new Set(forms)].filter((form) => form !== identifier);
}

/** The last characters of an account number, to tell accounts apart. */
export function accountMask(identifier: string | null): string | null {
  const plain = (identifier ?? '').replaceAll(/[^A-Z0-9]/g, '');
  return plain === '' ? null : plain.slice(-SHOWN);
}

const NUMBER = /^[A-Z0-9./-]+$/;
const DIGITS_NEEDED = 6;

/** The text as an account number without spaces; null for a mere name. */
export function accountNumberOf(value: string | null): string | null {
  if (value === null) return null;
  const compact = value.replace(/\s+/g, '').toUpperCase();
  if (IBAN.test(compact)) return compact;
  const digits = compact.replace(/\D/g, '').length;
  const letters = compact.replace(/[^A-Z]/g, '').length;
  return NUMBER.test(compact) && digits >= DIGITS_NEEDED && digits >= letters ? compact : null;
}

/** The first IBAN with valid check digits in a text. */
export function validIbanIn(text: string): string | null {
  for (const [found] of text.toUpperCase().matchAll(/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/g)) {
    const compact = found.replaceAll(' ', '');
    if (hasCheckDigits(compact)) return compact;
    const [first = ''] = found.split(' ');
    if (hasIbanForm(first) && hasCheckDigits(first)) return first;
  }
  return null;
}

function hasCheckDigits(iban: string): boolean {
  return restOf97(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/** The rest of a number, letters in it standing for 10 to 35, divided by 97. */
function restOf97(text: string): number {
  let rest = 0;
  for (const letter of text) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

function withoutCurrency(text: string): string {
  if (text.length < 8 || currencyOf(text.slice(-3)) === undefined) return text;
  const number = text.slice(0, -3).replace(/[-.]$/, '');
  return /\d$/.test(number) ? number : text;
}
