import { z } from 'zod';

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $defs?: Record<string, JsonSchema>;
}

/** A place of a body where text may stand, and the value of the field it is in with a text at that place. */
export interface TextPlace {
  place: string;
  field: string;
  make: (text: string) => unknown;
}

type Inner = Omit<TextPlace, 'field'>;
const DEPTH_MAX = 4;

/** Every place of a body at which its schema takes text, once for each alternative. */
export function textPlaces(schema: z.ZodType): TextPlace[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return branches(root, root).flatMap((branch) =>
    Object.entries(branch.properties ?? {}).flatMap(([field, inner]) =>
      placesIn(root, inner, field, DEPTH_MAX).map((found) => ({ field, ...found })),
    ),
  );
}

function placesIn(root: JsonSchema, schema: JsonSchema, place: string, depth: number): Inner[] {
  if (depth === 0) return [];
  return branches(root, schema).flatMap((branch) => {
    const types = [branch.type ?? 'string'].flat();
    const found: Inner[] = [];
    if (types.includes('string')) found.push({ place, make: (text) => text });
    if (branch.items) {
      const inner = placesIn(root, branch.items, `${place}[]`, depth - 1);
      found.push(...inner.map((one) => ({ place: one.place, make: (text: string) => [one.make(text)] })));
    }
    for (const [field, sub] of Object.entries(branch.properties ?? {})) {
      const inner = placesIn(root, sub, `${place}.${field}`, depth - 1);
      found.push(...inner.map((one) => ({ place: one.place, make: (text: string) => ({ [field]: one.make(text) }) })));
    }
    if (types.includes('object') && branch.additionalProperties) {
      found.push({ place: `${place}.*`, make: (text) => ({ a: text }) });
      found.push({ place: `${place} (key)`, make: (text) => ({ [text]: 'a' }) });
    }
    return found;
  });
}

/** The alternatives of a schema, references followed. */
function branches(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) as string;
    const target = schema.$ref === '#' ? root : root.$defs?.[name];
    return target ? branches(root, target) : [];
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return parts.length === 0 ? [schema] : parts.flatMap((part) => branches(root, part));
}
