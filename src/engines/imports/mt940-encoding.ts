import type { Detection } from './analysis.ts';
import type { TextSource } from './encoding.ts';
import { decodedChunks, detectEncoding } from './encoding.ts';

export interface DecodedText {
  readonly detection: Detection;
  readonly chunks: () => Iterable<string>;
}

const CHUNK = 65_536;
const UPPER_HALF =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/**
 * The characters of an MT940 file: as of every text (36.5.2), and code page 850, in which older bank programs still
 * write their umlauts.
 */
export function decodeMt940(bytes: Uint8Array, given: string | undefined): DecodedText {
  if (given === undefined && isCodePage850(bytes)) {
    const detection = { value: 'ibm850', confidence: 'likely', evidence: ['byte_pattern'], candidates: [] } as const;
    return { detection, chunks: () => codePage850(bytes) };
  }
  const { source, confidence, evidence, candidates } = detectEncoding(bytes, given);
  const detection = { value: source.label, confidence, evidence, candidates };
  return { detection, chunks: () => chunksOf(source) };
}

function chunksOf(source: TextSource): Iterable<string> {
  return decodedChunks(source, CHUNK);
}

function* codePage850(bytes: Uint8Array): Generator<string, void, undefined> {
  for (let from = 0; from < bytes.length; from += CHUNK) {
    let text = '';
    for (const byte of bytes.subarray(from, from + CHUNK))
      text += byte < 128 ? String.fromCharCode(byte) : UPPER_HALF.charAt(byte - 128);
    yield text;
  }
}

/** ü, ä and ö of code page 850 are no letters in windows-1252, and nothing that stands between two letters. */
const TELLTALE = new Set([0x81, 0x84, 0x94]);
/** ß is the one letter of German text that code page 850 has where windows-1252 has letters too. */
const SHARP_S = 0xe1;

function isCodePage850(bytes: Uint8Array): boolean {
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return false;
  let telltales = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === 0) return false;
    if (byte < 128) continue;
    if (byte >= 0xc0 && byte !== SHARP_S) return false;
    if (TELLTALE.has(byte) && isLetter(bytes[i - 1]) && isLetter(bytes[i + 1])) telltales++;
  }
  return telltales > 0;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122));
}
