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

/** A value for one field of a body, with the character U+0000 where text may stand. */
export interface Poisoned {
  place: string;
  field: string;
  value: unknown;
}

const ZERO = 'a\0b';
const DEPTH_MAX = 4;

/** Every place of a body at which its schema takes text, once for each, poisoned with U+0000. */
export function poisonedBodies(schema: z.ZodType): Poisoned[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return branches(root, root).flatMap((branch) =>
    Object.entries(branch.properties ?? {}).flatMap(([field, inner]) =>
      poison(root, inner, field, DEPTH_MAX).map(({ place, value }) => ({ place, field, value })),
    ),
  );
}

function poison(
  root: JsonSchema,
  schema: JsonSchema,
  place: string,
  depth: number,
): { place: string; value: unknown }[] {
  if (depth === 0) return [];
  return branches(root, schema).flatMap((branch) => {
    const types = [branch.type ?? 'string'].flat();
    const found: { place: string; value: unknown }[] = [];
    if (types.includes('string')) found.push({ place, value: ZERO });
    if (branch.items) {
      const inner = poison(root, branch.items, `${place}[]`, depth - 1);
      found.push(...inner.map((one) => ({ place: one.place, value: [one.value] })));
    }
    for (const [field, sub] of Object.entries(branch.properties ?? {})) {
      const inner = poison(root, sub, `${place}.${field}`, depth - 1);
      found.push(...inner.map((one) => ({ place: one.place, value: { [field]: one.value } })));
    }
    if (types.includes('object') && branch.additionalProperties) {
      found.push({ place: `${place}.*`, value: { a: ZERO } }, { place: `${place} (key)`, value: { [ZERO]: 'a' } });
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
