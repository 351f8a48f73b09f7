import { AppError } from '../../kernel/errors.ts';
import { LIMITS, MEBIBYTE } from '../../kernel/limits.ts';

/** @throws PAYLOAD_TOO_LARGE */
export function refuseTooLarge(bytes: Uint8Array): void {
  if (bytes.length <= LIMITS.importFileBytes) return;
  throw tooLarge('PAYLOAD_TOO_LARGE', `is larger than ${LIMITS.importFileBytes / MEBIBYTE} MiB`);
}

/** @throws PAYLOAD_TOO_LARGE */
export function refuseTooManyRecords(count: number): void {
  if (count <= LIMITS.importRecords) return;
  throw tooLarge('PAYLOAD_TOO_LARGE', `has more than ${LIMITS.importRecords.toLocaleString('en')} rows`);
}

/** @throws INVALID_FILE */
export function refuseTooManyAccounts(count: number): void {
  if (count <= LIMITS.importAccounts) return;
  throw tooLarge('INVALID_FILE', `has more than ${LIMITS.importAccounts} accounts`);
}

function tooLarge(code: 'PAYLOAD_TOO_LARGE' | 'INVALID_FILE', how: string): AppError {
  return new AppError(code, `The file ${how}. Split it into smaller files.`);
}
