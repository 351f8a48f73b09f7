import { z } from 'zod';

import { descriptionOf } from '../../contract/described-as.ts';
import type { KeyScope } from '../../kernel/scopes.ts';
import { tools } from './all-tools.ts';
import type { Tool } from './tool.ts';
import { isOffered } from './tool-rights.ts';

type Json = Record<string, unknown>;

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
  outputSchema: { type: 'object'; [key: string]: unknown };
  annotations: Readonly<Record<string, boolean>>;
}

const listed = new Map<string, ListedTool>();

/** The tools that a caller sees, in their order. */
export function listTools(right: KeyScope, disabled: readonly string[]): ListedTool[] {
  return tools.filter((tool) => isOffered(tool, right) && !disabled.includes(tool.info.name)).map(listedTool);
}

export function listedTool(tool: Tool): ListedTool {
  const { name, title, description, effect, isDestructive, isIdempotent, isOpenWorld } = tool.info;
  const known = listed.get(name);
  if (known) return known;
  const made: ListedTool = {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: outputSchemaOf(tool),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: isDestructive,
      idempotentHint: effect === 'read' || isIdempotent,
      openWorldHint: isOpenWorld,
    },
  };
  listed.set(name, made);
  return made;
}

/** Every agent reads all schemas in every conversation, so they say no more than helps to call the tool. */
function inputSchemaOf({ operation }: Tool): ListedTool['inputSchema'] {
  const { properties, required } = schemaOf(operation.body as z.ZodType, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return {
    type: 'object',
    properties: properties ?? {},
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
  };
}

/** What a call that succeeds answers: the fields at the top and their types. A result that was shortened fits it, too. */
export function resultSchemaOf({ operation }: Tool): ListedTool['outputSchema'] {
  const { properties = {}, required = [] } = schemaOf(operation.response as z.ZodType, 'output') as {
    properties?: Readonly<Record<string, Json>>;
    required?: string[];
  };
  const types = Object.entries(properties).map(([name, { type }]): [string, Json] => [name, type ? { type } : {}]);
  return { type: 'object', properties: Object.fromEntries(types), required };
}

/**
 * Requires no field, because an error has none of them: clients of the 2025 line hold errors against it, too, and would
 * show their own complaint in place of ours.
 */
function outputSchemaOf(tool: Tool): ListedTool['outputSchema'] {
  const { type, properties } = resultSchemaOf(tool);
  return { type, properties };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema, io),
  }) as Json;
  return brief(json, (json['$defs'] ?? {}) as Json, 0) as Json;
}

/** A schema that is documented as another one looks like that. */
function describe(schema: z.core.$ZodType, json: Json, io: 'input' | 'output'): void {
  const as = descriptionOf(schema);
  if (!as) return;
  const { description, default: initial } = json;
  for (const key of Object.keys(json)) delete json[key];
  Object.assign(json, schemaOf(as, io));
  if (description !== undefined) json['description'] = description;
  if (initial !== undefined) json['default'] = initial;
}

const SAID: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'description',
  'default',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxLength',
]);
/** Objects further inside are only called objects; what is in them is in the description or in a guide. */
const MOST_DEPTH = 3;

function brief(value: unknown, definitions: Json, depth: number): unknown {
  if (Array.isArray(value)) return value.map((part) => brief(part, definitions, depth));
  if (typeof value !== 'object' || value === null) return value;
  const json = value as Json;
  const { $ref: reference } = json;
  if (typeof reference === 'string') {
    const target = definitions[reference.replace('#/$defs/', '')] ?? {};
    return depth >= MOST_DEPTH ? {} : brief({ ...(target as Json), ...without(json, '$ref') }, definitions, depth + 1);
  }
  const isDeep = depth >= MOST_DEPTH;
  const entries = Object.entries(json).filter(([key, part]) => SAID.has(key) && !isNoise(key, part));
  const said = entries.flatMap(([key, part]): [string, unknown][] => {
    if (key === 'properties') return isDeep ? [] : [[key, mapped(part as Json, definitions, depth + 1)]];
    if (key === 'required') return isDeep ? [] : [[key, part]];
    if (key === 'enum' || key === 'default' || key === 'const') return [[key, part]];
    return [[key, brief(part, definitions, depth)]];
  });
  return merged(Object.fromEntries(said));
}

function without(json: Json, key: string): Json {
  const { [key]: _, ...rest } = json;
  return rest;
}

function mapped(properties: Json, definitions: Json, depth: number): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, brief(part, definitions, depth)]));
}

function isNoise(key: string, value: unknown): boolean {
  if (key === 'default') return value === null;
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  return false;
}

/** Alternatives that differ only in their type are one type list. */
function merged(json: Json): Json {
  const { anyOf, ...rest } = json;
  if (!Array.isArray(anyOf)) return json;
  const types = anyOf.map((one: Json) => (Object.keys(one).length === 1 ? one['type'] : undefined));
  if (types.some((type) => typeof type !== 'string')) return json;
  const distinct = [...new Set(types)];
  return { type: distinct.length === 1 ? distinct[0] : distinct, ...rest };
}
