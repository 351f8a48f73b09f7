import { argon2 } from 'node:crypto';
import { promisify } from 'node:util';

import type { Random } from './random.ts';

const MEMORY_KIB = 65_536;
const PASSES = 3;
const LANES = 4;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const LOCAL = /^[^\s\p{Cc}<>()[\],;:"\\@]{1,64}$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** A password as an argon2id PHC string (contract 20.6: 64 MiB, 3 passes, parallelism 4). */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const nonce = Buffer.from(random.bytes(SALT_BYTES));
  const tag = await promisify(argon2)('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce,
    parallelism: LANES,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  });
  const bare = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${bare(nonce)}$${bare(tag)}`;
}

/** A bare e-mail address in canonical form (trimmed, lower case), or undefined (the e-mail rule of 20.9). */
export function parseEmail(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  if (address.length > 254) return undefined;
  const parts = address.split('@');
  if (parts.length !== 2 || !LOCAL.test(parts[0] as string)) return undefined;
  return (parts[1] as string).split('.').every((label) => LABEL.test(label)) ? address : undefined;
}
