import { accountNumberOf } from '../../../engines/imports/cells/account-number.ts';
import type { AccountInFile, FileAnalysis } from '../../../engines/imports/analysis.ts';
import { normalisedText } from '../../../engines/imports/text/cell-text.ts';
import { hmacHex } from '../../../kernel/crypto.ts';
import { AppError } from '../../../kernel/errors.ts';

const DEFAULT_NAME = 'CSV Import';
const NAME_CHARS = 200;

/** The name of a new account unless the caller gives one (36.4). */
export function defaultName(analysis: FileAnalysis, fileName: string | null, inFile: AccountInFile | null): string {
  const { profile } = analysis;
  if (profile?.account_name) return profile.account_name;
  const stated = inFile?.stated;
  const institution = stated?.institution_name?.trim() ?? '';
  if (inFile && institution !== '') return cut(`${institution} ${maskOf(inFile) ?? ''}`.trim());
  if (stated?.identifier === null && stated.name !== null && stated.name.trim() !== '') return cut(stated.name.trim());
  return cut((fileName ?? '').replace(/\.[^.]*$/, '').trim()) || DEFAULT_NAME;
}

/** The name of a new account from a file with several accounts; never shows the whole number. */
export function nameOfValue(analysis: FileAnalysis, fileName: string | null, inFile: AccountInFile): string {
  const value = (inFile.file_value ?? '').trim();
  if (value !== '' && numberOf(inFile) === null) return cut(value);
  const base = defaultName(analysis, fileName, inFile);
  const mask = maskOf(inFile);
  return mask === null || base.endsWith(mask) ? base : cut(`${base} …${mask}`);
}

/** The name, followed by the first free number if it is taken. */
export function freeName(taken: Iterable<string>, name: string): string {
  const names = new Set([...taken].map(normalisedText));
  if (!names.has(normalisedText(name))) return name;
  let n = 2;
  while (names.has(normalisedText(`${name} ${n}`))) n += 1;
  return `${name} ${n}`;
}

function cut(text: string): string {
  return [...text].slice(0, NAME_CHARS).join('');
}

const SHOWN = 4;

/** The account number in a file: from its statement, or from an account column. */
export function numberOf({ stated, file_value: value }: AccountInFile): string | null {
  return stated ? stated.identifier : accountNumberOf(value);
}

/**
 * What is stored instead of an account number, so that the next file finds the account (36.4).
 * @throws UNAVAILABLE if its key cannot be read: an account that is not recognised would be created twice
 */
export function numberHash(numberKey: Uint8Array | null, number: string): string {
  if (numberKey) return hmacHex(numberKey, number);
  const message = 'Account numbers cannot be recognised because the record of their key is damaged. See the log.';
  throw new AppError('UNAVAILABLE', message);
}

/** The last four characters of the account number, if the file has one. */
export function maskOf(inFile: AccountInFile): string | null {
  return inFile.stated?.mask ?? numberOf(inFile)?.slice(-SHOWN) ?? null;
}

/** Account values as answers show them: names in full, numbers by their last four characters, all different. */
export function shownValues(accounts: readonly AccountInFile[]): Map<string | null, string | null> {
  const shown = new Map<string | null, string | null>();
  const taken = new Set<string | null>(accounts.filter((one) => numberOf(one) === null).map((one) => one.file_value));
  for (const one of accounts) {
    const { file_value: value } = one;
    if (numberOf(one) === null) shown.set(value, value);
    else {
      const text = `…${maskOf(one) ?? ''}`;
      let free = text;
      for (let n = 2; taken.has(free); n += 1) free = `${text} (${n})`;
      taken.add(free);
      shown.set(value, free);
    }
  }
  return shown;
}
