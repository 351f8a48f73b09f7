import { readFile } from 'node:fs/promises';

import { hasPasswordLength } from '../../kernel/credentials.ts';
import { fieldFault } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';

const COMMON = new URL('./common-passwords.txt', import.meta.url);

/** Refuses a password that nobody should choose (contract 20.6). @throws VALIDATION_ERROR on `path` */
export async function checkPassword(password: string, identifier: string, path = 'password'): Promise<void> {
  const fault = await findPasswordFault(password, identifier);
  if (fault !== undefined) throw fieldFault(path, fault);
}

/** What is wrong with a password for the login with this identifier, if anything. */
export async function findPasswordFault(password: string, identifier: string): Promise<string | undefined> {
  const { passwordMinChars: min, passwordMaxChars: max } = LIMITS;
  if (!hasPasswordLength(password)) return `must have ${min} to ${max} characters`;
  const plain = password.normalize('NFKC').toLowerCase();
  if (plain === identifier.normalize('NFKC').toLowerCase()) return 'must not be the email address to sign in with';
  if (await isCommon(plain)) return 'is too common and easy to guess. Choose another one';
  return undefined;
}

/** Read each time: passwords are rarely set, so the list need not stay in memory. */
async function isCommon(plain: string): Promise<boolean> {
  const list = await readFile(COMMON, 'utf8');
  return !plain.startsWith('#') && list.split('\n').includes(plain);
}
