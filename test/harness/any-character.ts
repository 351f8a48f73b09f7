import { nat, type Arbitrary } from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/**
 * Any character of Unicode: the same as `unit: 'binary'`, which builds a table of all 1.1 million of them to find its
 * way back (seconds, and 130 MB that stay).
 */
export const anyCharacter: Arbitrary<string> = nat({ max: LAST - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count),
  (text) => {
    if (typeof text !== 'string' || [...text].length !== 1) throw new Error('Not one character.');
    const point = text.codePointAt(0) as number;
    if (point < SURROGATES.from) return point;
    if (point < SURROGATES.from + SURROGATES.count) throw new Error('Half a character.');
    return point - SURROGATES.count;
  },
);
