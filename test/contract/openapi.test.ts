import { describe, expect, test } from 'vitest';

import { openApiDocument } from '../../src/surfaces/http/openapi.ts';

interface Parameter {
  name: string;
  in: string;
  schema: { type?: string; enum?: unknown[]; pattern?: string; minimum?: number; maximum?: number };
}
type Described = Readonly<Record<string, Readonly<Record<string, { operationId: string; parameters?: Parameter[] }>>>>;

describe('the OpenAPI document', () => {
  const queries = Object.values(openApiDocument()['paths'] as Described)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters = [] }) => parameters.map((parameter) => ({ operationId, ...parameter })))
    .filter((parameter) => parameter.in === 'query');

  test('describes whole numbers and yes or no in a query as what they are', () => {
    const typeOf = (operationId: string, name: string): object | undefined =>
      queries.find((parameter) => parameter.operationId === operationId && parameter.name === name)?.schema;
    expect(typeOf('listTransactions', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 500 });
    expect(typeOf('listTransactions', 'pending')).toEqual({ type: 'boolean' });
    expect(typeOf('listTransactions', 'include_children')).toEqual({ type: 'boolean' });
    expect(typeOf('listMerchants', 'min_count')).toMatchObject({ type: 'integer', minimum: 1 });
    for (const { operationId, name, schema } of queries) {
      const isText = schema.type !== 'string' || !(schema.enum?.includes('true') || schema.pattern?.includes('\\d'));
      expect([operationId, name, isText]).toEqual([operationId, name, true]);
    }
  });
});
