/** How much of a text is UTF-8: sequences for characters beyond ASCII, and bytes that belong to none. */
export interface Utf8Damage {
  readonly sequences: number;
  readonly badBytes: number;
  readonly firstBad: number;
}

/**
 * What is wrong with a text that is UTF-8 but for a few bytes, as where a program cut its letters in two; null for text
 * in another encoding, whose letters are hardly ever sequences of UTF-8 by chance.
 */
export function utf8Damage(bytes: Uint8Array): Utf8Damage | null {
  let sequences = 0;
  let badBytes = 0;
  let firstBad = -1;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      if (firstBad < 0) firstBad = at;
      badBytes++;
    } else if (length > 1) {
      sequences++;
    }
    at += Math.max(1, length);
  }
  return badBytes > 0 && sequences >= badBytes ? { sequences, badBytes, firstBad } : null;
}

/** Bytes of the character that begins here: 1 to 4, or 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] ?? 0;
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  return (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f) ? 0 : length;
}
