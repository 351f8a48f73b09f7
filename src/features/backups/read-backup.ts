import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';

import { Decrypter } from 'age-encryption';

import type { Schema } from '../../db/schema.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  AGE_MAGIC,
  BackupHeader,
  BackupManifest,
  FORM_VERSION,
  HEADER,
  invalidFile,
  jsonOf,
  KEY,
  MANIFEST,
  rowOf,
  type BackupRow,
} from './backup-format.ts';
import type { Opener } from './backup-record.ts';
import { BLOCK, readTarHeader, tarPadding } from './tar.ts';
import { keptTables, partName } from './write-backup.ts';

const decompress = promisify(zstdDecompress);

/** Takes what a backup holds, in its order: the header before the first row. */
export interface BackupSink {
  header?: (header: BackupHeader) => Promise<void> | void;
  rows?: (table: keyof Schema, rows: readonly BackupRow[]) => Promise<void> | void;
}

export interface ReadBackup {
  header: BackupHeader;
  manifest: BackupManifest;
  /** The encryption keys of the installation; none unless the file is encrypted to recipients. */
  keys: Uint8Array[];
}

/**
 * Reads a backup as a stream. Until it returns, nothing that the sink got may be relied on.
 * @throws INVALID_FILE with the reason; VALIDATION_ERROR if the opener does not open it
 */
export async function readBackup(
  stream: AsyncIterable<Uint8Array>,
  opener: Opener,
  sink: BackupSink,
): Promise<ReadBackup> {
  const bytes = new Bytes(stream);
  const isEncrypted = (await bytes.peek(AGE_MAGIC.length)).toString('latin1') === AGE_MAGIC;
  return isEncrypted ? readTar(new Bytes(decrypted(bytes.rest(), opener)), sink) : readTar(bytes, sink);
}

/** Whether a file that begins so is encrypted. */
export function isEncryptedFile(head: Uint8Array): boolean {
  return Buffer.from(head).toString('latin1', 0, AGE_MAGIC.length) === AGE_MAGIC;
}

async function* decrypted(stream: AsyncIterable<Uint8Array>, opener: Opener): AsyncGenerator<Uint8Array> {
  if (!opener) throw new AppError('VALIDATION_ERROR', 'The backup is encrypted. Give its recovery key or passphrase.');
  const decrypter = new Decrypter();
  try {
    if ('identity' in opener) decrypter.addIdentity(opener.identity);
    else decrypter.addPassphrase(opener.passphrase);
  } catch {
    throw new AppError('VALIDATION_ERROR', 'This is no recovery key. It begins with AGE-SECRET-KEY-1.');
  }
  const plain = await decrypter.decrypt(ReadableStream.from<Uint8Array>(stream)).catch((error) => {
    if (/no identity matched|wrong passphrase|incorrect passphrase/i.test(String(error))) {
      const what = 'identity' in opener ? 'recovery key' : 'passphrase';
      throw new AppError('VALIDATION_ERROR', `The ${what} does not open this backup.`);
    }
    throw invalidFile('its encryption is damaged.');
  });
  try {
    yield* plain;
  } catch {
    throw invalidFile('its encryption is damaged, or its end is missing.');
  }
}

async function readTar(bytes: Bytes, sink: BackupSink): Promise<ReadBackup> {
  const entries = new Entries(bytes);
  const first = await entries.next();
  if (first?.name !== HEADER) throw invalidFile('it does not begin with its header.');
  const header = parsed(BackupHeader, first.content, 'its header');
  if (header.form_version !== FORM_VERSION) throw invalidFile('a newer program made it.');
  await sink.header?.(header);
  const rows: Record<string, number> = {};
  const tables = keptTables();
  for (const table of tables) rows[table] = 0;
  let keys: Uint8Array[] = [];
  let [at, part] = [0, 0];
  for (;;) {
    const entry = await entries.next();
    if (!entry) throw invalidFile('its end is missing.');
    if (entry.name === MANIFEST) {
      const manifest = parsed(BackupManifest, entry.content, 'its manifest');
      compare(manifest, rows, entries.sha256);
      if (await entries.next()) throw invalidFile('something follows its manifest.');
      return { header, manifest, keys };
    }
    if (entry.name === KEY && at < tables.length) {
      keys = keysIn(entry.content);
      at = tables.length;
      continue;
    }
    const table = entry.name.split('/')[0] ?? '';
    const found = tables.findIndex((one) => one === table);
    part = found === at ? part + 1 : 1;
    const name = tables[found];
    if (name === undefined || found < at || entry.name !== partName(name, part)) {
      throw invalidFile('it holds a table that is unknown, or not in its place.');
    }
    at = found;
    rows[name] = (rows[name] ?? 0) + (await takePart(name, entry.content, sink));
  }
}

async function takePart(table: keyof Schema, packed: Buffer, sink: BackupSink): Promise<number> {
  const options = { maxOutputLength: LIMITS.backupPartReadBytes };
  const bytes = await decompress(packed, options).catch(() => {
    throw invalidFile(`a part of ${table} is damaged or too large.`);
  });
  if (bytes.at(-1) !== 0x0a) throw invalidFile(`a part of ${table} is damaged.`);
  let [count, start] = [0, 0];
  let rows: BackupRow[] = [];
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    rows.push(rowOf(bytes.toString('utf8', start, end)));
    start = end + 1;
    if (rows.length < LIMITS.backupRowsAtOnce && start < bytes.length) continue;
    count += rows.length;
    await sink.rows?.(table, rows);
    rows = [];
  }
  return count;
}

function compare(manifest: BackupManifest, rows: Record<string, number>, sha256: Map<string, string>): void {
  const counts = Object.entries(rows);
  if (counts.length !== Object.keys(manifest.rows).length || counts.some(([name, n]) => manifest.rows[name] !== n)) {
    throw invalidFile('it holds other rows than its manifest says.');
  }
  const sums = [...sha256].every(([name, sum]) => manifest.sha256[name] === sum);
  if (!sums || sha256.size !== Object.keys(manifest.sha256).length) {
    throw invalidFile('it is not as it was written: a part has another SHA-256 than its manifest says.');
  }
}

function keysIn(content: Buffer): Uint8Array[] {
  const lines = content.toString('latin1').split('\n').slice(0, -1);
  if (lines.length === 0 || !lines.every((line) => /^[0-9a-f]{64}$/.test(line))) {
    throw invalidFile('its encryption key is damaged.');
  }
  return lines.map((line) => new Uint8Array(Buffer.from(line, 'hex')));
}

function parsed<T>(schema: { safeParse: (value: unknown) => { data?: T } }, content: Buffer, what: string): T {
  const { data } = schema.safeParse(jsonOf(content.toString('utf8'), what));
  if (data === undefined) throw invalidFile(`${what} is damaged, or a newer program made it.`);
  return data;
}

/** The entries of a tar, one in memory at a time. */
class Entries {
  readonly #bytes: Bytes;
  #seconds: number | undefined;
  readonly sha256 = new Map<string, string>();

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  async next(): Promise<{ name: string; content: Buffer } | null> {
    const entry = readTarHeader(await this.#bytes.take(BLOCK));
    if (!entry) {
      const last = await this.#bytes.take(BLOCK);
      if (last.some((byte) => byte !== 0) || (await this.#bytes.peek(1)).length > 0) {
        throw invalidFile('something follows its end.');
      }
      return null;
    }
    this.#seconds ??= entry.seconds;
    if (entry.size > LIMITS.backupPartReadBytes || entry.seconds !== this.#seconds) {
      throw invalidFile('it has an entry that backups do not have.');
    }
    const content = await this.#bytes.take(entry.size);
    const padding = await this.#bytes.take(tarPadding(entry.size).length);
    if (padding.some((byte) => byte !== 0)) throw invalidFile('it is damaged between two entries.');
    if (entry.name !== MANIFEST) this.sha256.set(entry.name, sha256Hex(content));
    return { name: entry.name, content };
  }
}

/** A stream of which exact lengths are taken. */
class Bytes {
  readonly #stream: AsyncIterator<Uint8Array>;
  #held: Buffer[] = [];
  #length = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#stream = stream[Symbol.asyncIterator]();
  }

  /** The next bytes, without taking them; fewer at the end. */
  async peek(length: number): Promise<Buffer> {
    while (this.#length < length) {
      const { done, value } = await this.#stream.next();
      if (done === true) break;
      this.#held.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      this.#length += value.byteLength;
    }
    const all = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    this.#held = [all];
    return all.subarray(0, length);
  }

  /** @throws INVALID_FILE if there are fewer */
  async take(length: number): Promise<Buffer> {
    const taken = await this.peek(length);
    if (taken.length < length) throw invalidFile('its end is missing.');
    this.#held = this.#held.map((all) => all.subarray(length));
    this.#length -= length;
    return taken;
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = await this.peek(1);
      if (next.length === 0) return;
      yield await this.take(this.#length);
    }
  }
}
