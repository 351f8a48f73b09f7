import { seededRandom } from '../../src/kernel/random.ts';

/** Ids that are counted up, and request ids that look like chance: the same calls on the same seed give the same ones. */
export interface Numbering {
  /** 1, 2, 3, … for each kind by itself. */
  next(kind: string): number;
  requestId(): string;
  uuid(): string;
  /** A number from 0, below the limit. */
  below(limit: number): number;
}

const CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const REQUEST_ID_CHARS = 15;

export function createNumbering(seed: number): Numbering {
  const random = seededRandom(seed);
  const counts = new Map<string, number>();
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const draw = (chars: string): string => chars.charAt(below(chars.length));
  return {
    next(kind) {
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      return number;
    },
    requestId: () => Array.from({ length: REQUEST_ID_CHARS }, () => draw(CHARS)).join(''),
    uuid: () => 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => draw('0123456789abcdef')),
    below,
  };
}
