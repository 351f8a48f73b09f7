import { currencyOf } from './currency.ts';

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const SHOWN = 4;

/** True for what has the form of an IBAN. Check digits are not asked for: masked and test numbers have none. */
export function hasIbanForm(text: string): boolean {
  return IBAN.test(text);
}

/**
 * An account as a statement names it, without spaces: the IBAN where one stands in it, else bank code + `/` +
 * account. A currency written behind it is left off.
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

/** The last characters of an account number, to tell accounts apart. */
export function accountMask(identifier: string | null): string | null {
  const plain = (identifier ?? '').replaceAll(/[^A-Z0-9]/g, '');
  return plain === '' ? null : plain.slice(-SHOWN);
}

function withoutCurrency(text: string): string {
  if (text.length < 8 || currencyOf(text.slice(-3)) === undefined) return text;
  const number = text.slice(0, -3).replace(/[-.]$/, '');
  return /\d$/.test(number) ? number : text;
}
