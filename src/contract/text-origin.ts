import { z } from 'zod';

type Origin = 'ours' | 'body';

// Schemas derived from another inherit what a registry knows about it.
const origins = z.registry<{ origin: Origin }>();

/**
 * Marks a type whose text is ours or has a form that we check, such as ids, slugs and codes. All other text in answers
 * is from outside: banks, files and people wrote it (contract 70.2).
 */
export function ours<S extends z.ZodType>(schema: S): S {
  return marked(schema, 'ours');
}

/** Marks a type for text from outside of several lines, which may be longer than others. */
export function body<S extends z.ZodType>(schema: S): S {
  return marked(schema, 'body');
}

export function originOf(schema: z.core.$ZodType): Origin | 'outside' {
  return origins.get(schema)?.origin ?? 'outside';
}

function marked<S extends z.ZodType>(schema: S, origin: Origin): S {
  origins.add(schema, { origin });
  return schema;
}
