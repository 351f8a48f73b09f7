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

  test('a file with a name or word that another encoding spells is asked about, however few its letters', () => {
    const old = detectEncoding(bytesOf('Datum;Bokfört saldo\n', MACINTOSH), undefined);
    expect([old.confidence, old.candidates.map(({ value }) => value)]).toEqual([
      'ambiguous',
      expect.arrayContaining(['macintosh']),
    ]);
    const polish = detectEncoding(bytesOf('Data księgowania;Opis\n2024-01-02;Ćma\n', { ę: 0xea, Ć: 0xc6 }), undefined);
    expect(polish.confidence).toBe('ambiguous');
    const booked = detectEncoding(bytesOf('Status;Opis\nzaksięgowana;Ćma\n', { ę: 0xea, Ć: 0xc6 }), undefined);
    expect(booked.confidence).toBe('ambiguous');
    const dos = detectEncoding(bytesOf('Umsatzart;Text\nÜberweisung;Apotheke\n', { Ü: 0x9a }), undefined);
    expect(dos.confidence).toBe('ambiguous');
    const within = detectEncoding(bytesOf('01/02/2025;Überweisung Miete 7;-4,00\n', { Ü: 0x9a }), undefined);
    expect(within.confidence).toBe('ambiguous');
    expect(detectEncoding(bytesOf('Datum;Bokfört saldo\n', { ö: 0xf6 }), undefined).confidence).toBe('likely');
  });

  test('a space that does not break between small letters may be an á of DOS', () => {
    expect(detectEncoding(bytesOf('Cukrászda 162\n', { á: 0xa0 }), undefined).confidence).toBe('ambiguous');
    expect(detectEncoding(bytesOf('Saldo\u00a01\u00a0234 EUR\n', {}), undefined).confidence).toBe('likely');
  });

  test('a file of DOS whose letters would be capitals within words elsewhere is not', () => {
    const { source, confidence } = detectEncoding(bytesOf('Bäckerei Müller, Größe, Grüße', IBM850), undefined);
    expect([source.label, confidence]).toEqual(['ibm850', 'likely']);
  });

  test('names of several languages in a file of DOS are asked about, and in a western one are not', () => {
    const text = 'Bäckerei;Café Noir;Señor Taco\n';
    const dos = detectEncoding(bytesOf(text, { ä: 0x84, é: 0x82, ñ: 0xa4 }), undefined);
    expect(dos.confidence).toBe('ambiguous');
    expect(dos.candidates.find(({ value }) => value === 'ibm850')?.read_as).toBe(text.trim());
    const western = detectEncoding(bytesOf(text, { ä: 0xe4, é: 0xe9, ñ: 0xf1 }), undefined);
    expect([western.source.label, western.confidence]).toEqual(['windows-1252', 'likely']);
  });

  test('® before a letter is a Ž of iso-8859-2', () => {
    const bytes = bytesOf('Kavárna Žofín;Říp;částka\n', { á: 0xe1, í: 0xed, Ž: 0xae, Ř: 0xd8, č: 0xe8 });
    const { confidence, candidates } = detectEncoding(bytes, undefined);
    expect(confidence).toBe('ambiguous');
    expect(candidates.map(({ value }) => value)).toContain('iso-8859-2');
  });

  test('¢ at the end of a word is an ó of DOS', () => {
    const bytes = bytesOf('2025-01-13;Nyitó egyenleg;695,64\n', { ó: 0xa2 });
    expect(detectEncoding(bytes, undefined).candidates.map(({ value }) => value)).toContain('ibm850');
  });

  test('a Czech text with one German name is asked about, although western languages together have its letters', () => {
    const text = 'Příchozí úhrada;Pekařství Říp;Tržiště;Süd';
    const windows1250 = { ř: 0xf8, í: 0xed, ú: 0xfa, Ř: 0xd8, ž: 0x9e, š: 0x9a, ě: 0xec, ü: 0xfc };
    const { confidence, candidates } = detectEncoding(bytesOf(text, windows1250), undefined);
    expect(confidence).toBe('ambiguous');
    expect(candidates.find(({ value }) => value === 'windows-1250')?.read_as).toBe(text);
  });

  test('a lone Æ may be a Polish Ć, and a small letter among capitals is none of DOS', () => {
    const ask = (text: string): string[] =>
      detectEncoding(bytesOf(text, { Ć: 0xc6, Ł: 0xa3 }), undefined).candidates.map(({ value }) => value);
    expect(ask('2025-01-13;Ćma 744;-10.50\n')).toContain('windows-1250');
    expect(ask('2025-01-13;ĆMA 605;-10.50\n2025-01-14;OPŁATA;-1.00\n')).toContain('windows-1250');
  });

  test('Polish letters beside German ones are still Polish', () => {
    const bytes = bytesOf('Obciążenia;Ćma;Süd\n', { ą: 0xb9, ż: 0xbf, Ć: 0xc6, ü: 0xfc });
    expect(detectEncoding(bytes, undefined).candidates.map(({ value }) => value)).toContain('windows-1250');
  });

  test('names of several languages in a file of DOS that no western encoding reads: its code page is among the choices', () => {
    const ask = (text: string, letters: Readonly<Record<string, number>>): string | undefined => {
      const { candidates } = detectEncoding(bytesOf(text, letters), undefined);
      return candidates.find(({ value }) => value === (letters['ą'] === undefined ? 'ibm850' : 'ibm852'))?.read_as;
    };
    const western = 'Bäckerei;Café Noir;Señor Taco;Süd';
    expect(ask(western, { ä: 0x84, é: 0x82, ñ: 0xa4, ü: 0x81 })).toBe(western);
    const central = 'Kawiarnia Łąka;Żółw;Süd';
    expect(ask(central, { Ł: 0x9d, ą: 0xa5, Ż: 0xbd, ó: 0xa2, ł: 0x88, ü: 0x81 })).toBe(central);
  });
});
