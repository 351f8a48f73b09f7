import { z } from 'zod';

import { descriptionOf } from '../../../contract/described-as.ts';

export type Json = Record<string, unknown>;
type Direction = 'input' | 'output';

const SCHEMAS = '#/components/schemas/';

/**
 * The named schemas of the document. Each appears once, whichever operations use it; a name with two meanings is
 * refused.
 */
export class Schemas {
  readonly #named = new Map<string, { json: Json; text: string }>();
  readonly #examples = new Map<string, unknown>();
  readonly #borrowed = new Map<z.ZodType, string>();

  /**
   * A schema as JSON Schema 2020-12; one with an id becomes a reference. Tools assume that a field with a default is
   * always there, so request bodies give their defaults in the description.
   */
  of(schema: z.ZodType, direction: Direction, defaults: 'stated' | 'told' = 'told'): Json {
    const json = z.toJSONSchema(schema, {
      io: direction,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      reused: 'inline',
      override: ({ zodSchema, jsonSchema }) => {
        this.#describe(zodSchema, jsonSchema, direction, defaults);
      },
    }) as Json;
    const { $schema: _draft, $defs: definitions = {}, ...own } = json;
    const rename = this.#keep(definitions as Record<string, Json>, direction);
    return tidied(own, rename) as Json;
  }

  /** The same as a named component: by the schema's id, or by the name given, which all its uses then share. */
  named(schema: z.ZodType, direction: Direction, name: string): Json {
    const json = this.of(schema, direction);
    const isPlain = json['type'] === 'object' || json['oneOf'] !== undefined || json['anyOf'] !== undefined;
    if (json['$ref'] !== undefined || !isPlain) return json;
    const known = this.#borrowed.get(schema) ?? name;
    this.#borrowed.set(schema, known);
    return this.put(known, json);
  }

  /** @throws when another schema has this name. */
  put(name: string, json: Json): Json {
    const text = JSON.stringify(json);
    const known = this.#named.get(name);
    if (known && known.text !== text) throw new Error(`Two schemas are called ${name}: ${known.text} and ${text}`);
    this.#named.set(name, { json, text });
    return { $ref: `${SCHEMAS}${name}` };
  }

  /** Adds an example to the record that it shows, once; a list is shown by its records. False if it shows none. */
  exemplify(json: Json, example: unknown): boolean {
    const { $ref, items } = json;
    if (Array.isArray(example) && items !== undefined) {
      return example.length > 0 && this.exemplify(items as Json, example[0]);
    }
    if (typeof $ref !== 'string') return false;
    const name = $ref.slice(SCHEMAS.length);
    const { properties = {} } = this.#named.get(name)?.json ?? {};
    const lists = Object.entries(properties as Record<string, Json>).filter(([, { items }]) => items !== undefined);
    const [only] = lists;
    if (only && lists.length === 1 && 'next_cursor' in (properties as Json)) {
      return this.exemplify(only[1], (example as Json)[only[0]]);
    }
    if (!this.#examples.has(name)) this.#examples.set(name, example);
    return true;
  }

  sorted(): Json {
    const names = [...this.#named.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, this.#shown(name)]));
  }

  #shown(name: string): Json {
    const json = this.#named.get(name)?.json ?? {};
    return this.#examples.has(name) ? { ...json, examples: [this.#examples.get(name)] } : json;
  }

  /** What a request may leave out and an answer never does makes two schemas of one id. */
  #keep(definitions: Record<string, Json>, direction: Direction): (name: string) => string {
    const names = new Map<string, string>();
    const rename = (name: string): string => names.get(name) ?? name;
    if (direction === 'input') {
      for (const [name, definition] of Object.entries(definitions)) {
        const known = this.#named.get(name);
        if (known && known.text !== JSON.stringify(tidied(definition, rename))) names.set(name, `${name}Input`);
      }
    }
    for (const [name, definition] of Object.entries(definitions)) {
      this.put(rename(name), tidied(definition, rename) as Json);
    }
    return rename;
  }

  #describe(schema: z.core.$ZodType, json: Json, direction: Direction, defaults: 'stated' | 'told'): void {
    const as = descriptionOf(schema);
    if (as) {
      const { description, default: initial } = json;
      for (const key of Object.keys(json)) delete json[key];
      Object.assign(json, this.of(as, direction, defaults));
      if (description !== undefined) json['description'] = description;
      if (initial !== undefined && json['default'] === undefined) json['default'] = initial;
      return;
    }
    if (direction === 'input' && schema instanceof z.ZodDefault) tellDefault(json, schema.def.defaultValue, defaults);
    // A client can meet fields that are newer than itself; only a schema that refuses unknown fields says so.
    if (schema instanceof z.ZodObject && schema.def.catchall === undefined) delete json['additionalProperties'];
    if (schema instanceof z.ZodDiscriminatedUnion) discriminate(schema, json);
  }
}

/** zod leaves it out if the value is transformed; here the default is what a caller would send. */
function tellDefault(json: Json, value: unknown, defaults: 'stated' | 'told'): void {
  delete json['default'];
  if (!['string', 'number', 'boolean'].includes(typeof value)) return;
  if (defaults === 'stated') json['default'] = value;
  else json['description'] = [json['description'], `\`${String(value)}\` by default`].filter(Boolean).join('; ');
}

function discriminate(union: z.ZodDiscriminatedUnion, json: Json): void {
  const { discriminator } = union.def;
  const mapping: Record<string, string> = {};
  for (const option of union.options as readonly z.ZodObject[]) {
    const id = z.globalRegistry.get(option)?.id;
    const literal = option.shape[discriminator];
    if (id === undefined || !(literal instanceof z.ZodLiteral)) return;
    for (const value of literal.values) mapping[String(value)] = `${SCHEMAS}${id}`;
  }
  json['discriminator'] = { propertyName: discriminator, mapping };
}

/** Forms that every generator reads: no lists of types, no defaults of null, no meaningless bounds. */
function tidied(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((part) => tidied(part, rename));
  if (typeof value !== 'object' || value === null) return value;
  const json = value as Json;
  const { $ref } = json;
  const found: Json = {};
  for (const [key, part] of Object.entries(json)) {
    if (key === 'properties') found[key] = mapped(part as Json, rename);
    else if (!isNoise(key, part)) found[key] = DATA.has(key) ? part : tidied(part, rename);
  }
  if (typeof $ref === 'string' && $ref.startsWith('#/$defs/')) found['$ref'] = SCHEMAS + rename($ref.slice(8));
  if (json['type'] === 'integer' && isUnbounded(json)) found['format'] = 'int64';
  if (typeof json['const'] === 'string') {
    delete found['const'];
    found['enum'] = [json['const']];
  }
  return withoutTypeList(found);
}

const DATA: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples', 'discriminator', 'required']);

function mapped(properties: Json, rename: (name: string) => string): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, tidied(part, rename)]));
}

function isNoise(key: string, value: unknown): boolean {
  if (key === 'id') return true;
  if (key === 'default') return value === null;
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  if (key === 'propertyNames') return JSON.stringify(value) === '{"type":"string"}';
  return value === undefined;
}

function isUnbounded(json: Json): boolean {
  const { maximum = Number.MAX_SAFE_INTEGER } = json;
  return maximum === Number.MAX_SAFE_INTEGER;
}

function withoutTypeList(json: Json): Json {
  const { type, ...rest } = json;
  if (!Array.isArray(type)) return json;
  const { description, default: initial, ...constraints } = rest;
  const anyOf = type.map((one) => (one === 'null' ? { type: one } : { type: one, ...constraints }));
  return {
    ...(description === undefined ? {} : { description }),
    ...(initial === undefined ? {} : { default: initial }),
    anyOf,
  };
}
