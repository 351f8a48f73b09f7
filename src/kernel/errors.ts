/** The error catalogue: every code of the service with its HTTP status. Codes are append-only. */
export const ERROR_STATUS = {
  INVALID_BODY: 400,
  VALIDATION_ERROR: 400,
  INVALID_PARAMETER: 400,
  INVALID_CURSOR: 400,
  MISSING_API_KEY: 401,
  INVALID_API_KEY: 401,
  REVOKED_API_KEY: 401,
  FORBIDDEN: 403,
  ORIGIN_MISMATCH: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  IDEMPOTENCY_CONFLICT: 409,
  LAST_FULL_ACCESS_KEY: 409,
  EMAIL_CONFLICT: 409,
  USER_HAS_DEPENDENTS: 409,
  LAST_ADMIN: 409,
  CONNECTION_DISCONNECTED: 409,
  ALREADY_IMPORTED: 409,
  SLUG_CONFLICT: 409,
  CATEGORY_IN_USE: 409,
  CATEGORY_UNDELETABLE: 409,
  CATEGORY_HAS_CHILDREN: 409,
  TAG_IN_USE: 409,
  SERIES_IN_USE: 409,
  COUNTERPARTY_IN_USE: 409,
  REVERT_CONFLICT: 409,
  NOT_REVERTIBLE: 409,
  ALREADY_REVERTED: 409,
  SYSTEM_RULE: 409,
  RULE_NOT_APPLICABLE: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  BATCH_ABORTED: 422,
  EMPTY_FILE: 422,
  NOT_TEXT: 422,
  NO_HEADER: 422,
  NO_ROWS: 422,
  INVALID_FILE: 422,
  WRONG_MAPPING: 422,
  INVALID_ROWS: 422,
  AMBIGUOUS_FORMAT: 422,
  BALANCE_MISMATCH: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One problem: `path` is the field, line or cause; `message` says what would be right. */
export interface ErrorDetail {
  path: string;
  message: string;
  /** Further members that a part of the contract adds, such as the entity of a conflict. */
  [member: string]: unknown;
}

export interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    details?: readonly ErrorDetail[];
    request_id?: string;
    [member: string]: unknown;
  };
}

export interface ErrorExtra {
  details?: readonly ErrorDetail[];
  headers?: Readonly<Record<string, string>>;
  /** Further members of `error`, such as `candidates` of an import. */
  members?: Readonly<Record<string, unknown>>;
}

/** An error that is part of the product: it reaches the client as the envelope with its catalogue status. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly extra: ErrorExtra;

  constructor(code: ErrorCode, message: string, extra: ErrorExtra = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.extra = extra;
  }
}

/** Stops the program; the message tells whoever started it what would be right. */
export class OperatorError extends Error {}

export function notFound(what: string): AppError {
  return new AppError('NOT_FOUND', `${what} not found.`);
}

/** 400 for a query parameter, or for an id in a body. */
export function invalidParameter(path: string, message: string): AppError {
  return new AppError('INVALID_PARAMETER', message, { details: [{ path, message }] });
}

/** 400 for a body that breaks its schema or a rule of the domain. */
export function validationError(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { details: [{ path, message }] });
}

export function errorBody(error: AppError, requestId?: string): ErrorBody {
  const { details, members } = error.extra;
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(details && details.length > 0 ? { details } : {}),
      ...members,
      ...(requestId === undefined ? {} : { request_id: requestId }),
    },
  };
}
