import { z } from 'zod';

import type { SqlValue } from '../../db/engine.ts';
import { AppError } from '../../kernel/errors.ts';

export const FORM = 'homeledger-backup';
export const FORM_VERSION = 1;
export const HEADER = 'header.json';
export const KEY = 'encryption.key';
export const MANIFEST = 'manifest.json';
export const AGE_MAGIC = 'age-encryption.org/v1\n';

const Count = z.int().min(0);

export const BackupHeader = z.strictObject({
  form: z.literal(FORM),
  form_version: Count,
  program_version: z.string(),
  schema_version: Count,
  installation_id: z.string(),
  kind: z.enum(['manual', 'scheduled', 'pre_migration', 'pre_restore']),
  created_at: z.string(),
});
export type BackupHeader = z.output<typeof BackupHeader>;

export const BackupManifest = z.strictObject({
  rows: z.record(z.string(), Count),
  sums: z.array(
    z.strictObject({
      account_id: z.string(),
      iso_currency_code: z.string().nullable(),
      count: Count,
      total_cents: z.string().regex(/^-?\d+$/),
    }),
  ),
  sha256: z.record(z.string(), z.string()),
});
export type BackupManifest = z.output<typeof BackupManifest>;

export type BackupRow = Readonly<Record<string, SqlValue>>;

export function invalidFile(reason: string): AppError {
  return new AppError('INVALID_FILE', `The backup cannot be used: ${reason}`);
}

/** A row as a line of JSON. Bytes are `{"base64": "…"}`; numbers are whole. */
export function lineOf(row: BackupRow): string {
  const written: Record<string, unknown> = { ...row };
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof Uint8Array) written[name] = { base64: Buffer.from(value).toString('base64') };
    else if (typeof value === 'bigint') written[name] = exact(value);
  }
  return `${JSON.stringify(written)}\n`;
}

function exact(value: bigint): number {
  if (BigInt(Number(value)) !== value || !Number.isSafeInteger(Number(value))) {
    throw new Error('A number in the ledger is too large for a backup.');
  }
  return Number(value);
}

/** @throws INVALID_FILE for anything that is no row */
export function rowOf(line: string): BackupRow {
  const row = jsonOf(line, 'a row');
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw invalidFile('a row is damaged.');
  const read = row as Record<string, SqlValue>;
  for (const name in read) if (typeof read[name] !== 'string') read[name] = valueOf(read[name]);
  return read;
}

function valueOf(value: unknown): SqlValue {
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'object' && 'base64' in value && typeof value.base64 === 'string') {
    return new Uint8Array(Buffer.from(value.base64, 'base64'));
  }
  throw invalidFile('a row has a value that no ledger has.');
}

export function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidFile(`${what} is damaged.`);
  }
}
