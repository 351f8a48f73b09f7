import type { Upload } from '../../contract/operation.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** How a bank file comes with a request (36.3.1); which media type it is said to have decides nothing. */
export const fileUpload: Upload = {
  part: 'file',
  base64Fields: ['csv_base64', 'csv_data', 'file_base64'],
  rawTypes: [
    'text/csv',
    'text/tab-separated-values',
    'text/plain',
    'application/octet-stream',
    'application/x-ofx',
    'application/vnd.intu.qfx',
    'application/qif',
    'application/xml',
    'text/xml',
  ],
  maxBytes: LIMITS.importFileBytes,
};

export const READING_ERRORS: readonly ErrorCode[] = [
  'INVALID_BODY',
  'VALIDATION_ERROR',
  'INVALID_PARAMETER',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'EMPTY_FILE',
  'NOT_TEXT',
  'NO_HEADER',
  'NO_ROWS',
  'INVALID_FILE',
  'UNAVAILABLE',
];

export const IMPORT_ERRORS: readonly ErrorCode[] = [
  ...READING_ERRORS,
  'CONNECTION_DISCONNECTED',
  'CONFLICT',
  'ALREADY_IMPORTED',
  'WRONG_MAPPING',
  'INVALID_ROWS',
  'AMBIGUOUS_FORMAT',
  'BALANCE_MISMATCH',
];
