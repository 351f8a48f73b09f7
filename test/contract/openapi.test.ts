import { describe, expect, test } from 'vitest';

import { GROUPS } from '../../src/contract/groups.ts';
import { operations } from '../../src/contract/registry.ts';
import { openApiDocument } from '../../src/surfaces/http/openapi/openapi.ts';

type Json = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  schema: Json;
}
interface Described {
  operationId: string;
  parameters?: Json[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Json>;
}

/** As today, and some room for operations to come; most of it are their names, fields and examples. */
const BYTES_PER_OPERATION = 3_700;

const document = openApiDocument();
const paths = document['paths'] as Record<string, Record<string, Described>>;
const described = Object.values(paths).flatMap((item) => Object.values(item));

describe('the OpenAPI document', () => {
  test('describes every operation under a name of its own, without digits', () => {
    const names = described.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][A-Za-z]*$/.test(name))).toEqual([]);
    for (const { name } of operations) expect(names).toContain(name);
  });

  test('refers only to what is there, and nothing is nothing but itself', () => {
    const broken: string[] = [];
    walk(document, (value, at) => {
      const { $ref } = value;
      if ($ref === undefined) return;
      if (resolve($ref) === undefined) broken.push(`${at}: ${JSON.stringify($ref)}`);
      if (at === $ref) broken.push(`${at} is itself`);
    });
    expect(broken).toEqual([]);
  });

  test('uses each of its components', () => {
    const used = new Set<unknown>();
    walk(document, (value) => {
      used.add(value['$ref']);
      const { mapping = {} } = (value['discriminator'] ?? {}) as { mapping?: Json };
      for (const ref of Object.values(mapping)) used.add(ref);
    });
    const { securitySchemes: _none, ...kinds } = document['components'] as Record<string, Json>;
    const unused = Object.entries(kinds).flatMap(([kind, named]) =>
      Object.keys(named).filter((name) => !used.has(`#/components/${kind}/${name}`)),
    );
    expect(unused).toEqual([]);
  });

  test('uses only forms that generators read', () => {
    const odd: string[] = [];
    walk(document, (value, at) => {
      if ('anyOf' in value && 'items' in value) odd.push(`${at}: a list and a choice at once`);
      if (Array.isArray(value['type'])) odd.push(`${at}: several types`);
      if ('default' in value && value['default'] === null && 'type' in value) odd.push(`${at}: default null`);
      if (Array.isArray(value['enum']) && value['enum'].some((one) => /\s/.test(String(one)))) {
        odd.push(`${at}: white space in an enum`);
      }
    });
    expect(odd).toEqual([]);
  });

  // openapi-python-client reads both into one variable, and a type checker refuses it unless the value is of any type.
  test('has no property that is named like its schema, unless it is a plain text', () => {
    const { schemas } = document['components'] as { schemas: Record<string, { properties?: Record<string, Json> }> };
    const named = Object.entries(schemas).filter(([name, { properties }]) => {
      const property = properties?.[name.replaceAll(/(?<!^)(?=[A-Z])/g, '_').toLowerCase()];
      return property !== undefined && property['type'] !== 'string';
    });
    expect(named.map(([name]) => name)).toEqual([]);
  });

  test('stays small', () => {
    expect(JSON.stringify(document).length).toBeLessThan(described.length * BYTES_PER_OPERATION);
  });

  test('says what each group of operations is about', () => {
    expect(operations.map(({ group }) => group).filter((group) => !(group in GROUPS))).toEqual([]);
  });

  test('gives every single record an ETag, unless it must not be kept', () => {
    const single = operations.filter(({ method, path, noStore }) => method === 'GET' && path.endsWith('}') && !noStore);
    expect(single.filter(({ etag }) => etag !== true).map(({ name }) => name)).toEqual([]);
  });

  test('describes what stands in a query as what it is', () => {
    const typeOf = (operationId: string, name: string): Json | undefined => queryOf(operationId).get(name);
    expect(typeOf('listTransactions', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 500 });
    expect(typeOf('listTransactions', 'pending')).toEqual({ type: 'boolean' });
    expect(typeOf('listTransactions', 'include_children')).toEqual({ type: 'boolean', default: true });
    expect(typeOf('listMerchants', 'min_count')).toMatchObject({ type: 'integer', minimum: 1 });
    expect(typeOf('listTransactions', 'date_from')).toEqual({ type: 'string', format: 'date' });
    expect(typeOf('listTransactions', 'updated_since')).toEqual({ type: 'string', format: 'date-time' });
    expect(typeOf('listTransactions', 'amount_min')).toMatchObject({ type: 'string', pattern: expect.anything() });
    expect(typeOf('listTransactions', 'category_kind')).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/CategoryKindOrNone' },
    });
  });

  test('gives each answer its status, its media types and its headers', () => {
    const answers = (id: string): Record<string, Json> => describedAs(id).responses;
    expect(schemaOf(answers('importFile')['200'])).toEqual({ $ref: '#/components/schemas/ImportPreview' });
    expect(schemaOf(answers('importFile')['201'])).toEqual({ $ref: '#/components/schemas/Import' });
    expect(Object.keys(answers('importFile')['202']?.['headers'] as Json)).toEqual(
      expect.arrayContaining(['Location', 'Retry-After', 'Preference-Applied', 'Idempotency-Replayed']),
    );
    const exported = answers('exportTransactions')['200']?.['content'] as Json;
    expect(Object.keys(exported)).toEqual(['text/csv', 'application/x-ndjson', 'application/json']);
    expect(answers('getAccount')['304']).toEqual({ $ref: '#/components/responses/NotModified' });
    for (const { name, alsoStatus = [], status } of operations) {
      for (const one of [status, ...alsoStatus]) expect(Object.keys(answers(name))).toContain(String(one));
    }
  });

  test('says that a head can be too large, and that such an answer has none of the usual headers', () => {
    const shared = '#/components/responses/HeadersTooLarge';
    for (const { operationId, responses } of described) {
      expect([operationId, responses['431']]).toEqual([operationId, { $ref: shared }]);
    }
    expect(resolve(shared)).toMatchObject({ headers: {}, content: { 'application/json': {} } });
  });

  test('takes a file as a form, as base64 in JSON, and raw', () => {
    const { content = {} } = describedAs('importFile').requestBody ?? {};
    expect(Object.keys(content)).toEqual(
      expect.arrayContaining(['multipart/form-data', 'application/json', 'text/csv', 'application/octet-stream']),
    );
    const form = resolve(content['multipart/form-data']?.schema['$ref']) as { properties: Record<string, Json> };
    expect(form.properties['file']).toEqual({ type: 'string', format: 'binary' });
    const json = resolve(content['application/json']?.schema['$ref']) as { properties: Record<string, Json> };
    expect(Object.keys(json.properties)).toEqual(
      expect.arrayContaining(Object.keys(form.properties).filter((name) => name !== 'file')),
    );
  });

  test('says who may call: a key, a session, only an admin, or anybody', () => {
    expect(document['security']).toEqual([{ ApiKey: [] }, { Session: [] }]);
    expect((document['components'] as Json)['securitySchemes']).toMatchObject({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      Session: { type: 'apiKey', in: 'cookie', name: 'homeledger_session' },
    });
    expect(describedAs('listTags')).not.toHaveProperty('security');
    const refused = resolve(describedAs('createTag').responses['403']?.['$ref']);
    expect(refused?.['description']).toBe('`FORBIDDEN`, `ORIGIN_MISMATCH`');
    expect(describedAs('listDeviceRequests')).toMatchObject({ description: expect.stringContaining('of an admin') });
    expect(describedAs('pollDeviceCode')).toMatchObject({ security: [] });
    expect(describedAs('getBootstrap')).toMatchObject({ security: [{}, { ApiKey: [] }, { Session: [] }] });
  });

  test('knows the language of rules', () => {
    const condition = resolve('#/components/schemas/RuleCondition') as { oneOf: Json[] };
    expect(condition.oneOf).toContainEqual({ $ref: '#/components/schemas/RuleAnd' });
    const and = resolve('#/components/schemas/RuleAnd') as { properties: { and: Json } };
    expect(and.properties.and['items']).toEqual({ $ref: '#/components/schemas/RuleNode' });
    const action = resolve('#/components/schemas/RuleAction') as { discriminator: { mapping: Json } };
    expect(action.discriminator.mapping['set_category']).toBe('#/components/schemas/SetCategory');
  });
});

function describedAs(operationId: string): Described {
  const found = described.find((one) => one.operationId === operationId);
  if (!found) throw new Error(`${operationId} is not described.`);
  return found;
}

function queryOf(operationId: string): Map<string, Json> {
  const parameters = describedAs(operationId).parameters ?? [];
  const found = parameters.map(
    (one) => (one['$ref'] === undefined ? one : resolve(one['$ref'])) as unknown as Parameter,
  );
  return new Map(found.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]));
}

function schemaOf(response: Json | undefined): Json | undefined {
  const content = response?.['content'] as Record<string, { schema: Json }> | undefined;
  return content?.['application/json']?.schema;
}

function resolve(ref: unknown): Json | undefined {
  let found: unknown = document;
  for (const step of String(ref).split('/').slice(1)) found = (found as Json | undefined)?.[step];
  return found as Json | undefined;
}

/** Every object of the document with its place; not what examples hold. */
function walk(value: unknown, visit: (value: Json, at: string) => void, at = '#'): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Json, at);
  for (const [key, part] of Object.entries(value)) {
    if (key !== 'example' && key !== 'value' && !(key === 'examples' && Array.isArray(part))) {
      walk(part, visit, `${at}/${key}`);
    }
  }
}
