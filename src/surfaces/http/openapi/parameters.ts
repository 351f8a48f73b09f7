import type { z } from 'zod';

import { pascal } from '../../../contract/described-as.ts';
import type { AnyOperation } from '../../../contract/operation.ts';
import { recordOf } from '../../../contract/record-of.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { Json, Schemas } from './schemas.ts';

type Place = 'path' | 'query';

const HEADERS = {
  ifNoneMatch: {
    name: 'If-None-Match',
    description: 'The `ETag` of an earlier response. While it is still current, the response is 304 without a body.',
    schema: { type: 'string' },
  },
  ifMatch: {
    name: 'If-Match',
    description:
      'The `ETag` of the record, from `GET` at this path or at the nearest path above. If the record has changed since, ' +
      'nothing is written: 412. `*` asks only that it exists.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'A key of your choice. Repeats of the request with this key within 24 hours get the first response again.',
    schema: { type: 'string', maxLength: LIMITS.idempotencyKeyChars, pattern: '^[ -~]*$' },
  },
  changeReason: {
    name: 'X-Change-Reason',
    description: `The reason for the change, kept with the change set: percent-encoded UTF-8, at most ${LIMITS.reasonChars} characters.`,
    schema: { type: 'string', pattern: '^([ -$&-~]|%[0-9A-Fa-f]{2})*$' },
  },
  prefer: {
    name: 'Prefer',
    description:
      '`respond-async`: get 202 at once while the work continues. `wait`: wait up to 300 seconds for the result.',
    schema: { type: 'string', examples: ['respond-async'] },
  },
} as const;

/** The parameters of an operation: in its path, in its query, and the headers that it reads. */
export function parametersOf(operation: AnyOperation, schemas: Schemas): Json[] {
  return [
    ...inUrl(operation.params, 'path', schemas),
    ...inUrl(operation.query, 'query', schemas),
    ...headersOf(operation).map(({ name, ...rest }) => ({ name, in: 'header', required: false, ...rest })),
  ];
}

function inUrl(schema: z.ZodObject | undefined, place: Place, schemas: Schemas): Json[] {
  if (!schema) return [];
  const json = schemas.of(schema, 'input', 'stated');
  const required = (json['required'] as string[] | undefined) ?? [];
  const properties = Object.entries((json['properties'] ?? {}) as Record<string, Json>);
  // Parameters that are accepted and ignored are not documented.
  return properties
    .filter(([, property]) => Object.keys(property).length > 0)
    .map(([name, property]) => {
      const { description, ...rest } = place === 'query' ? mayBeEmpty(property) : property;
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      };
    });
}

/** An empty value in a query is the same as none. */
function mayBeEmpty({ minLength: _least, pattern, ...rest }: Json): Json {
  return pattern === undefined || pattern === '\\S' ? rest : { pattern, ...rest };
}

function headersOf(operation: AnyOperation) {
  const { method, etag, alsoStatus = [] } = operation;
  return [
    ...(etag === true ? [HEADERS.ifNoneMatch] : []),
    ...(recordOf(operation) ? [HEADERS.ifMatch] : []),
    ...(alsoStatus.includes(202) ? [HEADERS.prefer] : []),
    ...(method === 'GET' ? [] : [HEADERS.idempotencyKey, HEADERS.changeReason]),
  ];
}

/**
 * Parameters that several operations take in the same form become components, and the operations refer to them.
 * `described` are the operations of the document, which are changed.
 */
export function shareParameters(described: readonly Json[]): Json {
  const uses = new Map<string, { parameter: Json; count: number; first: string }>();
  for (const operation of described) {
    for (const parameter of (operation['parameters'] ?? []) as Json[]) {
      const text = JSON.stringify(parameter);
      const known = uses.get(text) ?? { parameter, count: 0, first: String(operation['operationId']) };
      uses.set(text, { ...known, count: known.count + 1 });
    }
  }
  const names = new Map<string, string>();
  const components: Json = {};
  const shared = [...uses].filter(([, { count }]) => count > 1).sort(([, a], [, b]) => b.count - a.count);
  for (const [text, { parameter, first }] of shared) {
    const plain = pascal(`${String(parameter['name'])} ${String(parameter['in'])}`);
    const name = plain in components ? pascal(first) + plain : plain;
    components[name] = parameter;
    names.set(text, name);
  }
  for (const operation of described) {
    const parameters = operation['parameters'] as Json[] | undefined;
    if (!parameters) continue;
    operation['parameters'] = parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
