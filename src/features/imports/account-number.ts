import { accountNumberOf } from '../../engines/imports/account-number.ts';
import type { AccountInFile } from '../../engines/imports/analysis.ts';
import { deriveKey, hmacHex } from '../../kernel/crypto.ts';

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
