import { argon2, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';

import { AppError } from './errors.ts';
import { LIMITS } from './limits.ts';
import type { Random } from './random.ts';

/** What one computation of argon2id costs. */
export interface PasswordCost {
  memoryKib: number;
  passes: number;
  lanes: number;
}

/** How passwords are hashed. Tests make it cheap, count the computations or delay them. */
export interface PasswordHashing {
  cost: PasswordCost;
  compute: (parameters: Argon2Parameters) => Promise<Uint8Array>;
}

/** Hashes and checks passwords, a few at a time. Never called inside a database transaction, which would wait for it. */
export interface Passwords {
  /** The password as an argon2id PHC string. @throws UNAVAILABLE */
  hash(password: string): Promise<string>;
  /** One computation, whether or not there is a hash to compare with. @throws UNAVAILABLE */
  matches(password: string, stored: string | null): Promise<boolean>;
  /** Whether a hash was made at another cost than today's. */
  isOutdated(stored: string): boolean;
}

const COST: PasswordCost = { memoryKib: 65_536, passes: 3, lanes: 4 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

export function createPasswords(random: Random, hashing: Partial<PasswordHashing> = {}): Passwords {
  const { cost = COST, compute = argon2id } = hashing;
  const takeTurn = createTurns(LIMITS.passwordsHashedAtOnce, LIMITS.passwordsWaiting);
  const derive = (password: string, { salt, tagBytes, ...at }: Hash): Promise<Uint8Array> =>
    takeTurn(() => compute(parametersOf(password, salt, tagBytes, at.cost)));
  return {
    async hash(password) {
      const salt = random.bytes(SALT_BYTES);
      const tag = await derive(password, { cost, salt, tagBytes: TAG_BYTES });
      return `${prefixOf(cost)}${bare(salt)}$${bare(tag)}`;
    },
    async matches(password, stored) {
      const known = stored === null ? undefined : readHash(stored);
      const tag = await derive(password, known ?? { cost, salt: new Uint8Array(SALT_BYTES), tagBytes: TAG_BYTES });
      return known !== undefined && timingSafeEqual(tag, known.tag);
    },
    isOutdated: (stored) => !stored.startsWith(prefixOf(cost)),
  };
}

interface Hash {
  cost: PasswordCost;
  salt: Uint8Array;
  tagBytes: number;
}

function readHash(stored: string): (Hash & { tag: Uint8Array }) | undefined {
  const parts = PHC.exec(stored);
  if (!parts) return undefined;
  const [, memory, passes, lanes, salt = '', bareTag = ''] = parts;
  const tag = Buffer.from(bareTag, 'base64');
  const cost = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag, tagBytes: tag.length };
}

function prefixOf({ memoryKib, passes, lanes }: PasswordCost): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$`;
}

function bare(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

function parametersOf(
  password: string,
  nonce: Uint8Array,
  tagLength: number,
  { memoryKib, passes, lanes }: PasswordCost,
): Argon2Parameters {
  const message = Buffer.from(password.normalize('NFKC'));
  return { message, nonce: Buffer.from(nonce), parallelism: lanes, tagLength, memory: memoryKib, passes };
}

function argon2id(parameters: Argon2Parameters): Promise<Uint8Array> {
  return promisify(argon2)('argon2id', parameters);
}

/** Lets `size` computations run and `waiting` wait. */
function createTurns(size: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= size) {
      if (queue.length >= waiting) throw tooMany();
      // A finished computation hands its place to the next one, so `running` stays.
      await new Promise<void>((start) => queue.push(start));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function tooMany(): AppError {
  return new AppError('UNAVAILABLE', 'Too many passwords are being checked. Try again in a second.', {
    headers: { 'retry-after': '1' },
  });
}
