import { AppError } from '../../kernel/errors.ts';

// A few lines do for the one form of entry that backups have, and a strict reader accepts nothing else.

export const BLOCK = 512;
const MAGIC = 'ustar\u000000';
/** 8 GiB less a byte: what the field for the size can say. */
const MAX_SIZE = 0o77777777777;

export interface TarEntry {
  name: string;
  size: number;
  /** Seconds since 1970; the same in all entries of a file. */
  seconds: number;
}

/** The header of a plain file of its owner. */
export function tarHeader({ name, size, seconds }: TarEntry): Buffer {
  if (Buffer.byteLength(name) > 100 || size > MAX_SIZE) throw new Error(`${name} does not fit into a tar header.`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write('0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${octal(size, 11)} `, 124);
  block.write(`${octal(seconds, 11)} `, 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write(MAGIC, 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

/** What fills the last block of an entry. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Reads a header of just this form; null at the end. @throws INVALID_FILE for any other byte in it */
export function readTarHeader(block: Buffer): TarEntry | null {
  if (block.every((byte) => byte === 0)) return null;
  const name = block.toString('latin1', 0, 100).replace(/\0+$/, '');
  const [size, seconds] = [block.toString('latin1', 124, 135), block.toString('latin1', 136, 147)];
  if (/^[a-z_0-9./-]+$/.test(name) && /^[0-7]{11}$/.test(size) && /^[0-7]{11}$/.test(seconds)) {
    const entry = { name, size: Number.parseInt(size, 8), seconds: Number.parseInt(seconds, 8) };
    if (tarHeader(entry).equals(block)) return entry;
  }
  throw new AppError('INVALID_FILE', 'The file is damaged, or no backup: it has an entry that backups do not have.');
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
