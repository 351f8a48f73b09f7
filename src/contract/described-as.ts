import { z } from 'zod';

// Schemas derived from another inherit what a registry knows about it.
const descriptions = z.registry<{ as: object }>();

/**
 * Documents a schema as another one. A schema may accept more than a client needs to know: a list in a URL is text to
 * the schema that parses it, but an array to the client that sends it.
 */
export function describedAs<S extends z.ZodType>(schema: S, as: z.ZodType): S {
  descriptions.add(schema, { as });
  return schema;
}

/** The schema that is documented instead of this one, even after `refine` and `meta`. */
export function descriptionOf(schema: z.core.$ZodType): z.ZodType | undefined {
  return descriptions.get(schema)?.as as z.ZodType | undefined;
}

/** An object that needs exactly one of some fields, documented as one closed form for each of them. */
export function exactlyOne<S extends z.ZodType>(
  schema: S,
  form: z.ZodObject,
  fields: readonly [string, ...string[]],
  id: string,
): S {
  const forms = fields.map((field) => {
    const shape = Object.entries(form.shape as Record<string, z.ZodType>)
      .filter(([name]) => name === field || !fields.includes(name))
      .map(([name, one]) => [name, name === field ? z.nonoptional(one) : one] as const);
    return z.strictObject(Object.fromEntries(shape)).meta({ id: `${id}By${pascal(field)}` });
  });
  return describedAs(schema, z.xor(forms));
}

/** `category_id` as `CategoryId`. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
