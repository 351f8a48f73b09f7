import { z } from 'zod';

import { ErrorEnvelope } from '../../contract/common.ts';
import type { AnyOperation, Upload } from '../../contract/operation.ts';
import { operations } from '../../contract/registry.ts';
import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors.ts';
import { CONTRACT_VERSION } from '../../kernel/version.ts';

type Json = Record<string, unknown>;

/** Codes that any operation behind a key may answer with, whatever it declares. */
const ALWAYS: readonly ErrorCode[] = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'REVOKED_API_KEY',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
];
/** Codes of bodies and of the headers that every write takes. */
const ON_WRITES: readonly ErrorCode[] = [
  'INVALID_BODY',
  'VALIDATION_ERROR',
  'INVALID_PARAMETER',
  'CONFLICT',
  'IDEMPOTENCY_CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** The OpenAPI 3.1 document as text, with keys in a fixed order. */
export function openApiText(): string {
  return (made ??= `${JSON.stringify(openApiDocument(), null, 2)}\n`);
}
let made: string | undefined;

/** The OpenAPI 3.1 document of every operation in the registry. */
export function openApiDocument(): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    for (const [index, path] of [operation.path, ...(operation.aliases ?? [])].entries()) {
      const item = (paths[path] ??= {});
      item[operation.method.toLowerCase()] = describe(operation, components, index);
    }
  }
  schemaOf(ErrorEnvelope, 'output', components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Homeledger',
      version: CONTRACT_VERSION,
      description:
        'Household financial data: accounts, transactions and what people, rules and agents know about them.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ ApiKey: [] }],
    tags: [...new Set(operations.map((operation) => operation.group))].map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function describe(operation: AnyOperation, components: Json, index: number): Json {
  const described: Json = {
    operationId: index === 0 ? operation.name : `${operation.name}_${index + 1}`,
    tags: [operation.group],
    summary: operation.summary,
  };
  if (operation.description !== undefined) described['description'] = operation.description;
  if (operation.scope === 'none') described['security'] = [{}];
  described['x-scope'] = operation.scope;
  const parameters = [
    ...parametersOf(operation.params, 'path', components),
    ...parametersOf(operation.query, 'query', components),
    ...headersOf(operation),
  ];
  if (parameters.length > 0) described['parameters'] = parameters;
  const body = requestBody(operation, components);
  if (body) described['requestBody'] = body;
  described['responses'] = responses(operation, components);
  return described;
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query', components: Json): Json[] {
  if (!schema) return [];
  const json = schemaOf(schema, 'input', components, true);
  const required = (json['required'] as string[] | undefined) ?? [];
  return Object.entries((json['properties'] ?? {}) as Record<string, Json>).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function headersOf(operation: AnyOperation): Json[] {
  if (operation.method === 'GET') return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Repeats of this request within 24 hours get the first answer again.',
      schema: { type: 'string', maxLength: 255 },
    },
    {
      name: 'X-Change-Reason',
      in: 'header',
      required: false,
      description: 'Why: percent-encoded UTF-8, at most 500 characters; kept with the change set.',
      schema: { type: 'string' },
    },
  ];
}

function requestBody(operation: AnyOperation, components: Json): Json | null {
  if (!operation.body) return null;
  const { upload } = operation;
  const schema = upload ? withFile(operation.body, upload, components) : schemaOf(operation.body, 'input', components);
  const example = operation.example.body === undefined ? {} : { example: operation.example.body };
  const content: Record<string, Json> = { 'application/json': { schema, ...example } };
  if (upload) {
    const file = { type: 'string', format: 'binary' };
    content['multipart/form-data'] = { schema: asForm(operation.body, upload, file, components) };
    for (const type of upload.rawTypes) content[type] = { schema: file };
  }
  for (const type of operation.rawText?.types ?? []) content[type] = { schema: { type: 'string' } };
  return { required: operation.bodyOptional !== true, content };
}

/** The body as JSON, with the file in base64 among the fields that concern it. */
function withFile(body: z.ZodType, upload: Upload, components: Json): Json {
  const { base64Fields, inside } = upload;
  const [field = '', ...aliases] = base64Fields;
  const described = { description: `The file in base64; ${aliases.join(' and ')} mean the same` };
  if (!(body instanceof z.ZodObject)) return schemaOf(body, 'input', components);
  const own = inside === undefined ? body : (body.shape[inside] as z.ZodObject);
  const whole = own.extend({ [field]: z.string().optional().meta(described) });
  return schemaOf(inside === undefined ? whole : body.extend({ [inside]: whole }), 'input', components);
}

/** The body as a form, in which everything stands at the top. */
function asForm(body: z.ZodType, { part, inside }: Upload, file: Json, components: Json): Json {
  if (!(body instanceof z.ZodObject)) return schemaOf(body, 'input', components);
  const { [inside ?? '']: own, ...outer } = body.shape as Record<string, z.ZodType>;
  const flat = own instanceof z.ZodObject ? z.strictObject({ ...outer, ...own.shape }) : body;
  const schema = schemaOf(flat, 'input', components, true);
  return { ...schema, properties: { [part]: file, ...(schema['properties'] as Json) } };
}

function responses(operation: AnyOperation, components: Json): Json {
  const answers: Record<string, Json> = {};
  for (const status of [operation.status, ...(operation.alsoStatus ?? [])]) {
    answers[String(status)] =
      operation.response === null
        ? { description: 'Done' }
        : {
            description: status === 202 ? 'Accepted; the work goes on' : 'The answer',
            content: {
              'application/json': {
                schema: schemaOf(operation.response, 'output', components),
                example: operation.example.response,
              },
            },
          };
  }
  const codes = new Map<number, string[]>();
  const declared = operation.scope === 'none' ? operation.errors : [...operation.errors, ...ALWAYS];
  const withScope: readonly ErrorCode[] = operation.scope === 'full_access' ? [...declared, 'FORBIDDEN'] : declared;
  const all: readonly ErrorCode[] =
    operation.method === 'GET' || operation.scope === 'none' ? withScope : [...withScope, ...ON_WRITES];
  for (const code of new Set(all)) codes.set(ERROR_STATUS[code], [...(codes.get(ERROR_STATUS[code]) ?? []), code]);
  for (const [status, names] of [...codes].sort(([a], [b]) => a - b)) {
    answers[String(status)] = {
      description: names.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return answers;
}

/** A schema as JSON Schema 2020-12; named ones go to the components and are referred to. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json, inline = false): Json {
  const json = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Json;
  const defs = (json['$defs'] ?? {}) as Record<string, Json>;
  for (const [name, def] of Object.entries(defs)) components[name] = moved(def);
  const { $schema: _draft, $defs: _moved, ...rest } = json;
  const own = moved(rest) as Json;
  const id = z.globalRegistry.get(schema)?.id;
  if (inline || id === undefined) return own;
  components[id] = own;
  return { $ref: `#/components/schemas/${id}` };
}

function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key]) => key !== 'id' || typeof (value as Json)['id'] !== 'string' || !('type' in value),
  );
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' ? part.replace('#/$defs/', '#/components/schemas/') : moved(part),
    ]),
  );
}
