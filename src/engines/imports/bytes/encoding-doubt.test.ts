import { describe, expect, test } from 'vitest';

import { detectEncoding } from './encoding.ts';

/** Bytes of a text of which every letter beyond ASCII is given by its byte. */
function bytesOf(text: string, letters: Readonly<Record<string, number>>): Uint8Array {
  return Uint8Array.from(text, (one) => letters[one] ?? one.charCodeAt(0));
}

const MACINTOSH = { ä: 0x8a, ö: 0x9a, ü: 0x9f, ß: 0xa7, é: 0x8e };
const IBM850 = { ä: 0x84, ü: 0x81, ö: 0x94, ß: 0xe1 };

describe('letters that another encoding has too', () => {
  test('a file of an old Macintosh is asked about, and its encoding is among the choices', () => {
    const { confidence, candidates } = detectEncoding(
      bytesOf('Datum;Text;Betrag\nBäckerei Müller;Größe;Café\n', MACINTOSH),
      undefined,
    );
    expect(confidence).toBe('ambiguous');
    expect(candidates.find(({ value }) => value === 'macintosh')?.read_as).toBe('Bäckerei Müller;Größe;Café');
  });

  test('a file of DOS whose letters would be capitals within words elsewhere is not', () => {
    const { source, confidence } = detectEncoding(bytesOf('Bäckerei Müller, Größe, Grüße', IBM850), undefined);
    expect([source.label, confidence]).toEqual(['ibm850', 'likely']);
  });
});
