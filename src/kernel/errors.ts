import { probablyMeant } from './nearest.ts';

/** The error catalogue: every code of the service with its HTTP status and meaning. Codes are append-only. */
export const ERRORS = {
  INVALID_BODY: {
    status: 400,
    meaning: 'The request is not well-formed: its body is not a valid JSON object or form, or its HTTP is broken.',
  },
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'A field of the body is missing, unknown or wrong, or it contradicts other fields or stored data.',
  },
  INVALID_PARAMETER: {
    status: 400,
    meaning: 'A query parameter is unknown or wrong, or an id in the request does not exist.',
  },
  EXPIRED: {
    status: 400,
    meaning: 'The device request has expired, so a new one is needed. With status 410: the link has expired.',
  },
  DENIED: { status: 400, meaning: 'The device request was denied.' },
  CONSUMED: {
    status: 400,
    meaning:
      'The key of the device request has already been collected. With status 410: the link was used and has ended.',
  },
  INVALID_CURSOR: { status: 400, meaning: 'The cursor is malformed, no longer valid, or was made for other filters.' },
  PROMPT_TOO_LONG: { status: 400, meaning: 'The prompt for this run is longer than the limit.' },
  PROMPT_PREFIX_TOO_LONG: { status: 400, meaning: 'The note for this run is longer than the limit.' },
  MISSING_API_KEY: { status: 401, meaning: 'The request has no API key in the header X-API-Key.' },
  INVALID_API_KEY: { status: 401, meaning: 'The API key is unknown or has expired.' },
  LOGIN_REQUIRED: { status: 401, meaning: 'The request needs the session cookie of someone who is signed in.' },
  INVALID_CREDENTIALS: {
    status: 401,
    meaning: 'The email address or the password is wrong. With status 403: your current password is wrong.',
  },
  REVOKED_API_KEY: { status: 401, meaning: 'The API key has been revoked.' },
  INVALID_TOKEN: { status: 401, meaning: 'The token in the address does not belong to a link.' },
  INVALID_SIGNATURE: {
    status: 401,
    meaning: 'The webhook was not signed by the provider, or was signed too long ago.',
  },
  FORBIDDEN: { status: 403, meaning: 'The API key is valid but may not do this.' },
  ORIGIN_MISMATCH: { status: 403, meaning: 'A browser sent the request from a page of another origin.' },
  INVALID_SETUP_TOKEN: { status: 403, meaning: 'The setup link is unknown, used, replaced or expired.' },
  NOT_FOUND: { status: 404, meaning: 'The path, or the thing that it refers to, does not exist.' },
  INVALID_DEVICE_CODE: { status: 404, meaning: 'The device code is unknown, or its request ended long ago.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists but does not accept this method; the header Allow lists those it accepts.',
  },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive completely in time.' },
  CONFLICT: {
    status: 409,
    meaning:
      'The request contradicts the current state, for example because a name is taken or a job is still running.',
  },
  IDEMPOTENCY_CONFLICT: { status: 409, meaning: 'The Idempotency-Key was already used for a different request.' },
  LAST_FULL_ACCESS_KEY: {
    status: 409,
    meaning: 'The household would be left without full access. To revoke one key anyway, send force=true.',
  },
  EMAIL_CONFLICT: { status: 409, meaning: 'Another household member has this email address.' },
  USER_HAS_DEPENDENTS: {
    status: 409,
    meaning: 'The household member cannot be deleted while connections belong to them.',
  },
  LAST_ADMIN: { status: 409, meaning: 'The household would be left without an admin who can sign in.' },
  ALREADY_SET_UP: { status: 409, meaning: 'The household already has an admin, so it cannot be set up again.' },
  LOGIN_EXISTS: { status: 409, meaning: 'The household member already has a login.' },
  IDENTIFIER_TAKEN: { status: 409, meaning: 'Another household member signs in with this email address.' },
  SETTING_FROM_ENV: {
    status: 409,
    meaning: 'An environment variable sets this value, so it cannot be changed here.',
  },
  PROVIDER_FROM_ENV: {
    status: 409,
    meaning: "Environment variables set the provider's credentials, so they cannot be changed here.",
  },
  PROVIDER_NOT_CONFIGURED: {
    status: 409,
    meaning: 'The credentials of the bank provider are missing, incomplete or unreadable.',
  },
  INVALID_STATE: { status: 409, meaning: 'The request is not possible in the current state, or no longer is.' },
  REAUTH_NOT_CONFIRMED: { status: 409, meaning: 'The bank still does not accept the login, so nothing was changed.' },
  SYNC_IN_PROGRESS: {
    status: 409,
    meaning: 'A sync or import of the same data is running and has not stopped in time, so nothing was changed.',
  },
  CONNECTION_DISCONNECTED: { status: 409, meaning: 'The connection was disconnected, so it cannot be used.' },
  DUPLICATE_CONNECTION: {
    status: 409,
    meaning: 'The household has already linked this bank with these accounts; the details name the connection.',
  },
  ALREADY_IMPORTED: { status: 409, meaning: 'The same file was already imported but was read differently.' },
  SLUG_CONFLICT: { status: 409, meaning: 'Another record has this slug.' },
  CATEGORY_IN_USE: {
    status: 409,
    meaning: 'The category is in use, so deleting it needs another category in reassign_to.',
  },
  CATEGORY_UNDELETABLE: { status: 409, meaning: 'The category is built in and cannot be deleted.' },
  CATEGORY_HAS_CHILDREN: { status: 409, meaning: 'The category cannot be deleted while it has children.' },
  TAG_IN_USE: { status: 409, meaning: 'The tag cannot be deleted while a rule refers to it.' },
  SERIES_IN_USE: {
    status: 409,
    meaning: 'The series cannot be deleted while a rule refers to it or transactions belong to it.',
  },
  COUNTERPARTY_IN_USE: {
    status: 409,
    meaning: 'The counterparty cannot be deleted while transactions, rules or merged counterparties refer to it.',
  },
  REVERT_CONFLICT: {
    status: 409,
    meaning: 'Something has changed since the change set was written, so nothing was reverted.',
  },
  NOT_REVERTIBLE: { status: 409, meaning: 'Change sets of this kind cannot be reverted.' },
  ALREADY_REVERTED: { status: 409, meaning: 'The change set has already been reverted.' },
  SYSTEM_RULE: { status: 409, meaning: 'The rule is built in and can be disabled but not deleted.' },
  PROPOSAL_NOT_OPEN: {
    status: 409,
    meaning: 'The proposal was already approved or rejected, has expired, or is still being made.',
  },
  PROPOSAL_CONFLICT: {
    status: 409,
    meaning: 'Something has changed since the proposal was made, so nothing was applied; the details say what.',
  },
  PROPOSAL_CHANGED: { status: 409, meaning: 'The proposal has grown since it was read, so nothing was applied.' },
  PRESET_ALREADY_ENABLED: { status: 409, meaning: 'A workflow made from this preset already exists.' },
  PROMPT_EDITED: {
    status: 409,
    meaning: 'The prompt was written by hand, so options and extra instructions do not apply to it.',
  },
  RUN_IN_PROGRESS: { status: 409, meaning: 'The workflow is already running.' },
  RULE_NOT_APPLICABLE: { status: 409, meaning: 'The rule is disabled, has expired, or may not be run by hand.' },
  PRECONDITION_FAILED: {
    status: 412,
    meaning: 'The record is no longer the one whose ETag was sent in If-Match, so nothing was written.',
  },
  GONE: { status: 410, meaning: 'The link has ended without a result.' },
  RESPONSE_TOO_LARGE: { status: 413, meaning: 'Only agent tools: the result exceeds the size limit.' },
  PLAN_TOO_LARGE: { status: 413, meaning: 'Only agent tools: the proposal would have too many changes.' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body, the file or its contents exceed a limit.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning:
      'The path does not accept this type or encoding of body, or the file is of a kind that cannot be imported.',
  },
  EXPECTATION_FAILED: { status: 417, meaning: 'The Expect header asks for something other than 100-continue.' },
  BATCH_ABORTED: { status: 422, meaning: 'An operation of the batch failed, so none of them was written.' },
  EMPTY_FILE: { status: 422, meaning: 'The file is empty.' },
  NOT_TEXT: { status: 422, meaning: 'The file is not text, or not in the chosen encoding.' },
  NO_HEADER: {
    status: 422,
    meaning: 'The line with the column names was not found, and the file cannot be read without it.',
  },
  NO_ROWS: { status: 422, meaning: 'The file contains no transactions.' },
  INVALID_FILE: { status: 422, meaning: 'The file is damaged, incomplete, or not of the stated format.' },
  WRONG_MAPPING: {
    status: 422,
    meaning: 'The columns for the date or the amount are unknown, or the chosen ones contain something else.',
  },
  INVALID_ROWS: { status: 422, meaning: 'Some rows of the file cannot be read.' },
  AMBIGUOUS_FORMAT: { status: 422, meaning: 'The file can be read in more than one way, so a choice is needed.' },
  BALANCE_MISMATCH: { status: 422, meaning: 'The amounts in the file do not add up to its balances.' },
  MODEL_NOT_CONFIGURED: { status: 422, meaning: 'No model is set up for the workflow.' },
  AUTH_NOT_CONFIGURED: { status: 422, meaning: 'The model provider needs an API key, and none is set.' },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests; the header Retry-After says when to try again.' },
  BUDGET_CEILING_REACHED: {
    status: 429,
    meaning:
      'The household has spent what it allows for models in 30 days, or running workflows have reserved the rest.',
  },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The URL and headers of the request are too large.' },
  INTERNAL_ERROR: { status: 500, meaning: 'Homeledger has a bug; its log has the details under the request id.' },
  PROVIDER_ERROR: { status: 502, meaning: 'The bank or model provider failed; the details have its code.' },
  AGENTS_DISABLED: { status: 503, meaning: 'Workflows are switched off in the settings.' },
  CONCURRENCY_LOCKED: { status: 503, meaning: 'As many workflows as the settings allow are already running.' },
  UNAVAILABLE: {
    status: 503,
    meaning: 'The service cannot work just now; the message says why, and the header Retry-After when to try again.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;

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
  [member: string]: unknown;
}

export interface ErrorExtra {
  /** For a code that has two statuses. */
  status?: number;
  details?: readonly ErrorDetail[];
  headers?: Readonly<Record<string, string>>;
  /** Further members of `error`, such as `candidates` of an import. */
  members?: Readonly<Record<string, unknown>>;
  /** Members beside `error`, for answers with a form of their own. */
  beside?: Readonly<Record<string, unknown>>;
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
    this.status = extra.status ?? ERRORS[code].status;
    this.extra = extra;
  }
}

const QUOTED_CHARS = 100;

/** Stops the program; the message tells whoever started it what would be right. */
export class OperatorError extends Error {}

/** 404. `kind` is what was looked for: "account". */
export function notFound(kind: string): AppError {
  return new AppError('NOT_FOUND', `The ${kind} was not found.`);
}

/** 400 for a query parameter, or for an id in a body. */
export function invalidParameter(path: string, message: string): AppError {
  return new AppError('INVALID_PARAMETER', message, { details: [{ path, message }] });
}

/** 400 for a name in `fields=` that is neither a field nor an alias. */
export function unknownFieldName(name: string, known: readonly string[]): AppError {
  const meant = probablyMeant(name, known);
  const next = meant === undefined ? '. Leave out fields to see them all.' : `; did you mean ${meant}?`;
  return invalidParameter('fields', `fields: ${quoted(name)} is not a field or alias${next}`);
}

/** 400 for a range of time that ends before it begins. Both are the names of parameters. */
export function reversedRange(from: string, to: string): AppError {
  return invalidParameter(from, `${from}: must not be after ${to}`);
}

/** What a caller sent, as a message repeats it: cut, and with control characters escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, QUOTED_CHARS));
}

/** The name of a field that a caller sent, as a path repeats it: enough to tell which one it is. */
export function shownName(name: string): string {
  return name.slice(0, QUOTED_CHARS).toWellFormed();
}

const NAMED_BY_SLUG: ReadonlySet<string> = new Set(['category', 'tag', 'workflow', 'import profile']);

/** 400 for an id that nothing has. `kind` is what it should be the id of: "account", or "id" if it can be of anything. */
export function unknownId(path: string, kind: string, anyId: string): AppError {
  const next = kind === 'id' ? '' : ` ${whereToLook(kind)}`;
  return invalidParameter(path, `${path}: ${quoted(anyId)} is not a known ${kind}.${next}`);
}

/** What to do about an unknown id. With `by`, the name of what lists them. */
export function whereToLook(kind: string, by?: string): string {
  const names = NAMED_BY_SLUG.has(kind) ? 'slugs' : 'ids';
  const all = pluralOf(kind);
  return by === undefined ? `List the ${all} to see their ${names}.` : `See the ${names} of ${all} with ${by}.`;
}

function pluralOf(noun: string): string {
  if (noun === 'series') return noun;
  return /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, 'ies') : noun.endsWith('ch') ? `${noun}es` : `${noun}s`;
}

/** 400 for a body that breaks its schema or a rule of the domain. */
export function validationError(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { details: [{ path, message }] });
}

/** The same for a fault in words that go on after the name of the field, such as "must be a date". */
export function fieldFault(path: string, fault: string): AppError {
  return new AppError('VALIDATION_ERROR', `${path}: ${fault}`, { details: [{ path, message: fault }] });
}

export function errorBody(error: AppError, requestId?: string): ErrorBody {
  const { beside, details, members } = error.extra;
  return {
    ...beside,
    error: {
      code: error.code,
      message: error.message,
      ...(details && details.length > 0 ? { details } : {}),
      ...members,
      ...(requestId === undefined ? {} : { request_id: requestId }),
    },
  };
}
