import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';

import { operations } from '../../src/contract/registry.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { openApiDocument } from '../../src/surfaces/http/openapi/openapi.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';
import { furnish, liveCall, urlOf } from './live-calls.ts';

type Json = Record<string, unknown>;
interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: AnySchema }>;
}

const DOCUMENT = 'homeledger';
const document = openApiDocument();
const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: true });
// A CommonJS module: its function is under `default` for whoever imports it.
addFormats.default(ajv);
ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/);
ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
ajv.addFormat('binary', true);
ajv.addSchema(document, DOCUMENT);

describe('every example of the document', () => {
  test('is what its schema says', () => {
    const wrong: unknown[] = [];
    const check = (schema: AnySchema, example: unknown, at: string): void => {
      const errors = faults(schema, example);
      if (errors.length > 0) wrong.push({ at, errors });
    };
    const components = document['components'] as { schemas: Record<string, Json> };
    for (const [name, schema] of Object.entries(components.schemas)) {
      for (const example of (schema['examples'] as unknown[] | undefined) ?? []) {
        check({ $ref: `#/components/schemas/${name}` }, example, name);
      }
    }
    const contents = operations.flatMap((operation) => {
      const { requestBody, responses } = describedAs(operation);
      return [requestBody, ...Object.values(responses)].map((one) => [operation.name, one?.content ?? {}] as const);
    });
    for (const [name, content] of contents) {
      for (const media of Object.values(content) as { schema: AnySchema; example?: unknown }[]) {
        if (media.example !== undefined) check(media.schema, media.example, name);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('what is shown once may be null, as it is when an Idempotency-Key repeats the request', () => {
  const wrong = operations.flatMap((operation) => {
    const { name, scope, status, secretFields = [], example } = operation;
    if (scope === 'none') return [];
    const { schema = false } = describedAs(operation).responses[status]?.content?.['application/json'] ?? {};
    return secretFields
      .filter((field) => faults(schema, { ...(example.response as Json), [field]: null }).length > 0)
      .map((field) => `${name}: ${field}`);
  });
  expect(wrong).toEqual([]);
});

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
    await furnish(app);
  });

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s answers what the document says, and takes what it says',
    async (_name, operation) => {
      const { params, query, body } = await liveCall(app, operation);
      const described = describedAs(operation);
      const sent = described.requestBody?.content?.['application/json'];
      if (sent && body !== undefined) expect(faults(sent.schema, body)).toEqual([]);
      const request = { ...(query === undefined ? {} : { query }), ...(body === undefined ? {} : { body }) };
      const path = urlOf(operation.path, params);
      expectDescribed(described.responses, await app.request(operation.method, path, request));
      const refused = await app.request(operation.method, path, { ...request, key: 'nonsense' });
      if (operation.scope !== 'none') expectDescribed(described.responses, refused);
    },
  );

  test('a refusal that an Idempotency-Key repeats has the headers that the document says', async () => {
    const calls = [
      ['deleteTag', 'DELETE', '/api/v1/tags/no-such-tag', undefined, 404],
      ['createTag', 'POST', '/api/v1/tags', { name: '' }, 400],
      ['createTag', 'POST', '/api/v1/tags', { name: 'Needs review', slug: 'needs-review' }, 409],
      [
        'updateTransactions',
        'POST',
        '/api/v1/transactions/update',
        { operations: [{ transaction_id: 'Xx000000', tags_to_add: ['a'] }], on_error: 'abort' },
        422,
      ],
    ] as const;
    for (const [name, method, path, body, status] of calls) {
      const operation = operations.find((one) => one.name === name) as AnyOperation;
      const keyed = { headers: { 'idempotency-key': `${name} ${status}` }, ...(body === undefined ? {} : { body }) };
      await app.request(method, path, keyed);
      const again = await app.request(method, path, keyed);
      expect([name, again.status, again.headers['idempotency-replayed']]).toEqual([name, status, 'true']);
      expectDescribed(describedAs(operation).responses, again);
    }
  });
});

function expectDescribed(responses: Record<string, Response>, answer: Answer): void {
  expect(Object.keys(responses), answer.text).toContain(String(answer.status));
  const response = resolved(responses[String(answer.status)]) as Response;
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  if (response.content === undefined) expect(answer.text).toBe('');
  else {
    expect(Object.keys(response.content)).toContain(type);
    const schema = response.content[type]?.schema ?? false;
    expect(faults(schema, type === 'application/json' ? answer.json : answer.text), answer.text).toEqual([]);
  }
  const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  for (const name of OWN_HEADERS) if (answer.headers[name] !== undefined) expect(known).toContain(name);
}

const OWN_HEADERS = [
  'x-request-id',
  'x-change-set-id',
  'etag',
  'location',
  'retry-after',
  'preference-applied',
  'idempotency-replayed',
  'x-ratelimit-limit',
  'www-authenticate',
];

function describedAs(operation: AnyOperation): { requestBody?: Response; responses: Record<string, Response> } {
  const paths = document['paths'] as Record<string, Record<string, never>>;
  return paths[operation.path]?.[operation.method.toLowerCase()] as never;
}

/** Why a value is not what a schema of the document says. */
function faults(schema: AnySchema, value: unknown): unknown[] {
  const validate = ajv.compile(withRoot(schema) as AnySchema);
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => [instancePath, message]);
}

/** A schema of the document, whose references begin there. */
function withRoot(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll('"#/components/', `"${DOCUMENT}#/components/`);
  return JSON.parse(text) as unknown;
}

function resolved(value: unknown): unknown {
  const { $ref } = (value ?? {}) as { $ref?: string };
  if ($ref === undefined) return value;
  return $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((found, step) => (found as Json)[step], document);
}
