import { createNumbering } from '../providers/numbering.ts';

/** Ids in the forms of the providers; the same calls on the same seed give the same ones. */
export interface ModelIds {
  /** Letters and digits, such as of `msg_01…`. */
  base58(prefix: string, chars: number): string;
  hex(prefix: string, chars: number): string;
  uuid(): string;
}

const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function createModelIds(seed: number): ModelIds {
  const numbering = createNumbering(seed);
  const draw = (alphabet: string, chars: number): string =>
    Array.from({ length: chars }, () => alphabet.charAt(numbering.below(alphabet.length))).join('');
  return {
    base58: (prefix, chars) => prefix + draw(BASE_58, chars),
    hex: (prefix, chars) => prefix + draw('0123456789abcdef', chars),
    uuid: () => numbering.uuid(),
  };
}
