import { accountNumberOf } from '../../engines/imports/account-number.ts';
import type { AccountInFile, FileAnalysis } from '../../engines/imports/analysis.ts';
import { normalisedText } from '../../engines/imports/cell-text.ts';
import { deriveKey, hmacHex } from '../../kernel/crypto.ts';

const DEFAULT_NAME = 'CSV Import';
const NAME_CHARS = 200;

/** What a new account is called unless the caller says it (36.4). */
export function defaultName(analysis: FileAnalysis, fileName: string | null, inFile: AccountInFile | null): string {
  const { profile } = analysis;
  if (profile?.account_name) return profile.account_name;
  const stated = inFile?.stated;
  const institution = stated?.institution_name?.trim() ?? '';
  if (inFile && institution !== '') return cut(`${institution} ${maskOf(inFile) ?? ''}`.trim());
  if (stated?.identifier === null && stated.name !== null && stated.name.trim() !== '') return cut(stated.name.trim());
  return cut((fileName ?? '').replace(/\.[^.]*$/, '').trim()) || DEFAULT_NAME;
}

/** What a new account of a file with several is called; its number is never shown whole. */
export function nameOfValue(analysis: FileAnalysis, fileName: string | null, inFile: AccountInFile): string {
  const value = (inFile.file_value ?? '').trim();
  if (value !== '' && numberOf(inFile) === null) return cut(value);
  const base = defaultName(analysis, fileName, inFile);
  const mask = maskOf(inFile);
  return mask === null || base.endsWith(mask) ? base : cut(`${base} …${mask}`);
}

/** The name, or the name with the first number behind it that nothing of this name has. */
export function freeName(taken: Iterable<string>, name: string): string {
  const names = new Set([...taken].map(normalisedText));
  if (!names.has(normalisedText(name))) return name;
  let n = 2;
  while (names.has(normalisedText(`${name} ${n}`))) n += 1;
  return `${name} ${n}`;
}

/** Whether a name is this one, or this one with a number behind it. */
export function isNameOrNumbered(name: string, wanted: string): boolean {
  const [text, base] = [normalisedText(name), normalisedText(wanted)];
  return text === base || (text.startsWith(`${base} `) && /^\d+$/.test(text.slice(base.length + 1)));
}

function cut(text: string): string {
  return [...text].slice(0, NAME_CHARS).join('');
}

const SHOWN = 4;

/** The number by which a file names an account: what its statement states, or what an account column holds. */
export function numberOf({ stated, file_value: value }: AccountInFile): string | null {
  return stated ? stated.identifier : accountNumberOf(value);
}

/** What is kept of an account number, so that the next file finds the account (36.4): never the number itself. */
export function numberHash(masterKey: Uint8Array, number: string): string {
  return hmacHex(deriveKey(masterKey, 'homeledger/account-numbers/v1'), number);
}

/** The last four characters of the account's number, where the file has one. */
export function maskOf(inFile: AccountInFile): string | null {
  return inFile.stated?.mask ?? numberOf(inFile)?.slice(-SHOWN) ?? null;
}

/** Account values as answers show them: names as they are, numbers by their last four characters, each once. */
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
