import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';

import { generateHousehold } from '../../../simulators/household.ts';
import { writeHousehold } from '../../../simulators/write-household.ts';
import { callTool } from '../../../test/harness/agents/agent-clients.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { readArguments } from '../../features/agent-tools/arguments/read-arguments.ts';
import { tools, toolsForModel } from '../../features/agent-tools/index.ts';
import { listTools } from '../../features/agent-tools/listed-tools.ts';
import { parseBody } from '../../features/parse-input.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any keyword
type Json = Record<string, any>;

const NAMES = tools.map(({ info }) => info.name);
/** What clients get, without the two defaults of the tool whose arguments are fixed; and what models of runs get. */
const LISTED = listTools('full_access', []).map(({ name, inputSchema }): [string, Json] => [
  name,
  withoutDefaults(inputSchema),
]);
const OF_RUNS = toolsForModel(NAMES).map(({ name, inputSchema }): [string, Json] => [name, inputSchema]);

function withoutDefaults(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'default' ? undefined : value))) as Json;
}

interface Node {
  schema: Json;
  path: string;
  depth: number;
}

/** Every schema in a schema. */
function nodesOf(schema: Json, path = '', depth = 1): Node[] {
  const inside = Object.entries((schema['properties'] ?? {}) as Json).map(
    ([name, one]) => [`${path}.${name}`, one] as const,
  );
  const items = schema['items'] === undefined ? [] : [[`${path}[]`, schema['items'] as Json] as const];
  return [
    { schema, path, depth },
    ...[...inside, ...items].flatMap(([below, one]) =>
      nodesOf(one as Json, below, depth + (one.type === 'object' ? 1 : 0)),
    ),
  ];
}

const KEYWORDS = new Set(['type', 'properties', 'required', 'items', 'enum', 'description']);
const TYPES = new Set(['object', 'array', 'string', 'integer', 'boolean']);

/** What breaks the rules of portable schemas. */
function faultsOf(root: Json): string[] {
  const nodes = nodesOf(root);
  const faults = nodes.flatMap(({ schema, path, depth }) => [
    ...Object.keys(schema)
      .filter((key) => !KEYWORDS.has(key))
      .map((key) => `${path}: ${key}`),
    ...(TYPES.has(schema['type'] as string) ? [] : [`${path}: type ${JSON.stringify(schema['type'])}`]),
    ...(schema['type'] === 'object' && Object.keys((schema['properties'] ?? {}) as Json).length === 0
      ? [`${path}: no properties`]
      : []),
    ...((schema['required'] ?? []) as string[])
      .filter((name) => !(name in (schema['properties'] as Json)))
      .map((name) => `${path}: requires ${name}`),
    ...(schema['type'] === 'array' && schema['items'] === undefined ? [`${path}: no items`] : []),
    ...(schema['enum'] !== undefined &&
    (schema['type'] !== 'string' || schema['enum'].length === 0 || schema['enum'].includes(''))
      ? [`${path}: enum`]
      : []),
    ...Object.keys((schema['properties'] ?? {}) as Json)
      .filter((name) => !/^[a-z][a-z0-9_]{0,63}$/.test(name))
      .map((name) => `${path}: name ${name}`),
    ...(depth > 5 ? [`${path}: too deep`] : []),
  ]);
  const properties = nodes.reduce(
    (sum, { schema }) => sum + Object.keys((schema['properties'] ?? {}) as Json).length,
    0,
  );
  const values = nodes.reduce((sum, { schema }) => sum + ((schema['enum'] ?? []) as string[]).length, 0);
  return [
    ...faults,
    ...(properties > 100 ? [`${properties} properties`] : []),
    ...(values > 500 ? [`${values} values`] : []),
  ];
}

/** As OpenAI's strict mode is sent it: all properties required, no others allowed. */
function strict(schema: Json): Json {
  const { properties, items, ...rest } = schema;
  return {
    ...rest,
    ...(items === undefined ? {} : { items: strict(items as Json) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as Json).map(([name, one]) => [name, strict(one as Json)]),
          ),
          required: Object.keys(properties as Json),
          additionalProperties: false,
        }),
  };
}

const GEMINI = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'properties',
  'required',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
]);
const UNGRAMMATICAL = ['$ref', 'pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems'];

describe.each([
  ['clients', LISTED],
  ['models of runs', OF_RUNS],
])('The arguments of tools, as %s are told of them', (_to, shown) => {
  test.each(shown)('%s keeps to six keywords and one type a value', (_name, schema) => {
    expect(faultsOf(schema)).toEqual([]);
  });

  test('go through the strict mode of OpenAI', () => {
    const all = shown.map(([, schema]) => strict(schema));
    for (const schema of all.flatMap((one) => nodesOf(one))) {
      const allowed = [...KEYWORDS, 'additionalProperties'];
      expect(Object.keys(schema.schema).filter((key) => !allowed.includes(key))).toEqual([]);
      expect(typeof schema.schema['type']).toBe('string');
    }
    for (const [name, schema] of shown) {
      const nodes = nodesOf(schema);
      const chars = nodes
        .flatMap((node) => [
          ...Object.keys((node.schema['properties'] ?? {}) as Json),
          ...((node.schema['enum'] ?? []) as string[]),
        ])
        .join('').length;
      expect([name, chars <= 15_000]).toEqual([name, true]);
    }
  });

  test('go through those of Anthropic, Gemini and llama.cpp', () => {
    for (const [name, schema] of shown) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect([schema['type'], schema['anyOf'], schema['oneOf'], schema['allOf']]).toEqual([
        'object',
        undefined,
        undefined,
        undefined,
      ]);
      for (const { schema: node } of nodesOf(schema)) {
        expect(Object.keys(node).filter((key) => !GEMINI.has(key) || UNGRAMMATICAL.includes(key))).toEqual([]);
        expect(node['type'].toUpperCase()).toMatch(/^(OBJECT|ARRAY|STRING|INTEGER|BOOLEAN)$/);
        expect(node['type'] === 'object' || (node['properties'] === undefined && node['required'] === undefined)).toBe(
          true,
        );
        if (node['type'] === 'array') expect(typeof node['items'].type).toBe('string');
      }
    }
  });
});

/** The value that says nothing, as a model takes it from what it is told; undefined for a required argument. */
function absentOf(schema: Json): unknown {
  const [, initial] = /Default ([\w-]+)/.exec((schema['description'] ?? '') as string) ?? [];
  if (schema['type'] === 'array') return [];
  if (schema['type'] === 'boolean') return initial === 'true';
  if (schema['type'] === 'integer') return Number(initial);
  if (schema['type'] === 'object') return filledIn(schema, {});
  const unsaid = ((schema['enum'] ?? []) as string[]).find((one) => one === 'any' || one === 'unchanged');
  return initial ?? unsaid ?? '';
}

/** The arguments with every other one at its absent value, as strict modes make models send them. */
function filledIn(schema: Json, sent: Json): Json {
  const required = new Set((schema['required'] ?? []) as string[]);
  const entries = Object.entries(schema['properties'] as Json).flatMap(([name, one]): [string, unknown][] => {
    const given: unknown = sent[name];
    if (given === undefined) return required.has(name) ? [] : [[name, absentOf(one as Json)]];
    if (one.type === 'array' && one.items.type === 'object' && Array.isArray(given)) {
      return [[name, given.map((item: Json) => filledIn(one.items as Json, item))]];
    }
    return [[name, one.type === 'object' ? filledIn(one as Json, given as Json) : given]];
  });
  return { ...sent, ...Object.fromEntries(entries) };
}

const EXAMPLES = tools.flatMap((tool) =>
  tool.info.examples.map((example) => [tool.info.name, tool, example.arguments] as const),
);

describe('An argument at its absent value', () => {
  test.each(EXAMPLES)('is not said: %s', (name, { operation }, sent) => {
    const [, shown] = OF_RUNS.find(([one]) => one === name) as [string, Json];
    const read = (given: unknown) => parseBody(operation, readArguments(operation.body as z.ZodObject, given));
    expect(read(filledIn(shown, sent))).toEqual(read(sent));
  });
});

forEachDatabase(
  (database) => {
    let app: TestApp;
    beforeAll(async () => {
      app = await database.open();
      await writeHousehold(
        app.app.instance,
        generateHousehold({ seed: 1, transactions: 200, until: '2026-04-25', years: 1 }),
      );
    });

    test.each(
      EXAMPLES.filter(([, { info }, sent]) => info.effect === 'read' && !JSON.stringify(sent).includes('_id"')),
    )('changes no answer: %s', async (name, _tool, sent) => {
      const [, shown] = OF_RUNS.find(([one]) => one === name) as [string, Json];
      expect(await callTool(app, name, filledIn(shown, sent))).toEqual(await callTool(app, name, sent));
    });
  },
  ['SQLite'],
);
