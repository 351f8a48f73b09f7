import { STATUS_CODES } from 'node:http';

import { pascal } from '../../../contract/described-as.ts';
import type { AnyOperation } from '../../../contract/operation.ts';
import { recordOf } from '../../../contract/record-of.ts';
import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts';
import type { Json, Schemas } from './schemas.ts';

/** Codes that any operation can answer with, whatever it declares. */
const ALWAYS: readonly ErrorCode[] = ['INVALID_PARAMETER', 'HEADERS_TOO_LARGE', 'INTERNAL_ERROR', 'UNAVAILABLE'];
const HEAD_UNREAD = ERRORS.HEADERS_TOO_LARGE.status;
/** Codes of every operation that needs a key. */
const BEHIND_A_KEY: readonly ErrorCode[] = ['MISSING_API_KEY', 'INVALID_API_KEY', 'REVOKED_API_KEY', 'RATE_LIMITED'];
/** Codes of bodies and of the headers that every write takes. */
const ON_WRITES: readonly ErrorCode[] = [
  'INVALID_BODY',
  'VALIDATION_ERROR',
  'CONFLICT',
  'IDEMPOTENCY_CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];
/** What a browser's session meets that writes from a page of another origin. */
const FROM_ANOTHER_PAGE: ErrorCode = 'ORIGIN_MISMATCH';
/** Headers of answers, by their component. */
const RESPONSE_HEADERS = {
  RequestId: {
    name: 'X-Request-Id',
    description: 'Identifies this request in logs and errors',
    schema: { type: 'string' },
  },
  ChangeSetId: {
    name: 'X-Change-Set-Id',
    description: 'Id of the change set, if the request changed something',
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: { name: 'ETag', description: 'For `If-None-Match` and `If-Match`', schema: { type: 'string' } },
  Location: {
    name: 'Location',
    description: 'Path of what was created, or of the work to follow',
    schema: { type: 'string' },
  },
  RetryAfter: { name: 'Retry-After', description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } },
  PreferenceApplied: {
    name: 'Preference-Applied',
    description: 'The preference that was followed',
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    name: 'Idempotency-Replayed',
    description: '`true`: this repeats the first response to this `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  RateLimit: { name: 'X-RateLimit-Limit', description: 'Requests allowed at once', schema: { type: 'integer' } },
  RateRemaining: { name: 'X-RateLimit-Remaining', description: 'Requests left', schema: { type: 'integer' } },
  RateReset: {
    name: 'X-RateLimit-Reset',
    description: 'Unix time in seconds at which the full allowance is available again',
    schema: { type: 'integer', format: 'int64' },
  },
  Authenticate: { name: 'WWW-Authenticate', description: 'How to authenticate', schema: { type: 'string' } },
} as const;
type HeaderName = keyof typeof RESPONSE_HEADERS;

/** The headers as components. */
export function headerComponents(): Json {
  return Object.fromEntries(
    Object.entries(RESPONSE_HEADERS).map(([name, { name: _sent, ...header }]) => [name, header]),
  );
}

/** Collects the answers that operations share: each set of error codes of a status, and each code's example. */
export class ErrorAnswers {
  readonly #answers = new Map<string, Json>();
  readonly #codes = new Set<ErrorCode>();
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** Every error of an operation, by status. */
  of(operation: AnyOperation): Json {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of new Set(codesOf(operation))) {
      const status = ERRORS[code].status;
      byStatus.set(status, [...(byStatus.get(status) ?? []), code].sort());
    }
    const sorted = [...byStatus].sort(([a], [b]) => a - b);
    return Object.fromEntries(sorted.map(([status, codes]) => [status, this.#refer(status, codes, operation)]));
  }

  responses(): Json {
    return Object.fromEntries([...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  examples(): Json {
    const codes = [...this.#codes].sort();
    return Object.fromEntries(
      codes.map((code) => [code, { summary: words(code), value: { error: { code, message: `${words(code)}.` } } }]),
    );
  }

  #refer(status: number, codes: readonly ErrorCode[], operation: AnyOperation): Json {
    const answer = this.#answer(status, codes, operation);
    const text = JSON.stringify(answer);
    const isNew = (name: string): boolean => JSON.stringify(this.#answers.get(name) ?? answer) === text;
    const name = namesFor(status, codes, operation).find(isNew) as string;
    this.#answers.set(name, answer);
    return { $ref: `#/components/responses/${name}` };
  }

  #answer(status: number, codes: readonly ErrorCode[], operation: AnyOperation): Json {
    const { name, answers } = operation;
    const own = answers?.[status];
    for (const code of codes) this.#codes.add(code);
    // A head that is too large is refused unread, so such an answer has none of them.
    const headers: HeaderName[] = status === HEAD_UNREAD ? [] : ['RequestId'];
    if (status === 401) headers.push('Authenticate');
    else if (status !== HEAD_UNREAD) headers.push('RateLimit', 'RateRemaining', 'RateReset');
    if (status === 429 || status === 503) headers.push('RetryAfter');
    if (isKept(status, codes, operation)) headers.push('IdempotencyReplayed');
    return {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: refer(headers),
      content: {
        'application/json': {
          schema:
            own === undefined
              ? { $ref: '#/components/schemas/ErrorEnvelope' }
              : this.#schemas.named(own, 'output', `${pascal(name)}Error`),
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    };
  }
}

/** Whether a refusal can be one that an earlier request got under the same Idempotency-Key (contract 0.5). */
function isKept(status: number, codes: readonly ErrorCode[], operation: AnyOperation): boolean {
  const comesBefore = status === 401 || status === HEAD_UNREAD || codes.every((code) => code === 'RATE_LIMITED');
  return takesKey(operation) && status < 500 && !comesBefore;
}

function takesKey({ scope, method }: AnyOperation): boolean {
  return scope !== 'none' && method !== 'GET';
}

/** A single code gives its answer its name; answers that every write can give have their HTTP names. */
function namesFor(status: number, codes: readonly ErrorCode[], operation: AnyOperation): string[] {
  const named = (code: ErrorCode): string => pascal(code.toLowerCase());
  const [first, ...others] = codes;
  if (first !== undefined && others.length === 0) {
    // Reads have this one too, and there it is never a repetition.
    return [first === 'NOT_FOUND' && takesKey(operation) ? `${named(first)}OnWrite` : named(first)];
  }
  const plain = pascal(STATUS_CODES[status] ?? String(status));
  const own = codes.filter(
    (code) => named(code) !== plain && ![...ON_WRITES, ...ALWAYS, ...BEHIND_A_KEY].includes(code),
  );
  if (own.length === 0) return [plain];
  return [...(own.length <= 2 ? [plain + own.map(named).join('Or')] : []), pascal(operation.name) + plain];
}

function codesOf(operation: AnyOperation): ErrorCode[] {
  const { scope, openBucket, params, errors } = operation;
  return [
    ...errors,
    ...ALWAYS,
    ...(params ? (['NOT_FOUND'] as const) : []),
    ...(scope === 'none' ? [] : BEHIND_A_KEY),
    ...(scope === 'none' && openBucket !== 'none' ? (['RATE_LIMITED'] as const) : []),
    ...(scope === 'full_access' ? (['FORBIDDEN'] as const) : []),
    ...(takesKey(operation) ? [...ON_WRITES, FROM_ANOTHER_PAGE] : []),
    ...(recordOf(operation) ? (['PRECONDITION_FAILED'] as const) : []),
  ];
}

/** The answers of an operation that are not errors. */
export function successes(operation: AnyOperation, schemas: Schemas): Json {
  const statuses = [operation.status, ...(operation.alsoStatus ?? [])].sort((a, b) => a - b);
  const answers = statuses.map((status) => [String(status), success(operation, status, schemas)] as const);
  const unchanged = operation.etag === true ? [['304', { $ref: '#/components/responses/NotModified' }] as const] : [];
  return Object.fromEntries([...answers, ...unchanged]);
}

/** The answer when the client's copy is still current. */
export function notModified(): Json {
  return {
    description: 'The response that `If-None-Match` refers to is still current',
    headers: refer(['RequestId', 'ETag']),
  };
}

function success(operation: AnyOperation, status: number, schemas: Schemas): Json {
  const headers = refer(headersOf(operation, status));
  const schema = operation.answers?.[status] ?? operation.response;
  if (schema === null || status === 204) return { description: 'Done', headers };
  const json = schemas.named(schema, 'output', `${pascal(operation.name)}Answer`);
  const shown = operation.example.response;
  const example = status !== operation.status || schemas.exemplify(json, shown) ? {} : { example: shown };
  const content = (operation.produces ?? [JSON_TYPE]).map((type) =>
    type === JSON_TYPE ? [type, { schema: json, ...example }] : [type, textContent(operation.example.response)],
  );
  const description = status === 202 ? 'Accepted; the work continues' : 'Success';
  return { description, headers, content: Object.fromEntries(content) };
}

const JSON_TYPE = 'application/json';

function textContent(example: unknown): Json {
  return { schema: { type: 'string' }, ...(typeof example === 'string' ? { example } : {}) };
}

function headersOf(operation: AnyOperation, status: number): HeaderName[] {
  const { scope, etag, unjournaled } = operation;
  const isKeyed = scope !== 'none';
  const isDeferred = status === 202 && operation.alsoStatus?.includes(202) === true;
  return [
    'RequestId',
    ...(isKeyed ? (['RateLimit', 'RateRemaining', 'RateReset'] as const) : []),
    ...(etag === true ? (['ETag'] as const) : []),
    ...(status === 201 || isDeferred ? (['Location'] as const) : []),
    ...(isDeferred ? (['RetryAfter'] as const) : []),
    ...(operation.alsoStatus?.includes(202) === true ? (['PreferenceApplied'] as const) : []),
    ...(takesKey(operation) ? (['IdempotencyReplayed'] as const) : []),
    ...(takesKey(operation) && unjournaled !== true ? (['ChangeSetId'] as const) : []),
  ];
}

function refer(names: readonly HeaderName[]): Json {
  return Object.fromEntries(
    names.map((name) => [RESPONSE_HEADERS[name].name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** `SLUG_CONFLICT` as `Slug conflict`. */
function words(code: ErrorCode): string {
  const text = code.toLowerCase().replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
