import { decoderOf, isDosCodePage } from '../../src/engines/imports/bytes/dos-code-pages.ts';
import type { Encoding } from './dialect.ts';

/** A text in the bytes of an encoding; undefined where the encoding lacks one of its letters. */
export function writtenBytes(text: string, encoding: Encoding): Uint8Array | undefined {
  const marked = encoding.endsWith('with mark') ? `\ufeff${text}` : text;
  if (encoding.startsWith('utf-8')) return new TextEncoder().encode(marked);
  if (encoding.startsWith('utf-16')) {
    const bytes = Buffer.from(marked, 'utf16le');
    return new Uint8Array(encoding.startsWith('utf-16be') ? bytes.swap16() : bytes);
  }
  return singleBytes(text, encoding);
}

const TABLES = new Map<string, ReadonlyMap<string, number>>();

function singleBytes(text: string, label: string): Uint8Array | undefined {
  const table = TABLES.get(label) ?? tableOf(label);
  TABLES.set(label, table);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = table.get(text.charAt(i));
    if (byte === undefined) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}

function tableOf(label: string): ReadonlyMap<string, number> {
  return new Map(Array.from({ length: 256 }, (_, byte) => [decodedAs(Uint8Array.of(byte), label), byte] as const));
}

export function decodedAs(bytes: Uint8Array, label: string): string {
  return (isDosCodePage(label) ? decoderOf(label) : new TextDecoder(label)).decode(bytes);
}
