import type { Detection } from './analysis.ts';
import { decodedChunks, detectEncoding } from './encoding.ts';

export interface DecodedText {
  readonly detection: Detection;
  readonly chunks: () => Iterable<string>;
}

const CHUNK = 65_536;

/** The characters of an MT940 file: as of every text (36.5.2). */
export function decodeMt940(bytes: Uint8Array, given: string | undefined): DecodedText {
  const { source, confidence, evidence, candidates } = detectEncoding(bytes, given);
  const detection = { value: source.label, confidence, evidence, candidates };
  return { detection, chunks: () => decodedChunks(source, CHUNK) };
}
