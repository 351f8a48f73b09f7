import { z } from 'zod';

import { Code, Id } from '../../../contract/common.ts';

import { describedAs } from '../../../contract/described-as.ts';
import type { AnyOperation } from '../../../contract/operation.ts';

type Shape = z.ZodRawShape;

/** What a proposed write says of its proposal (contract 60.6). */
const PROPOSED = {
  proposed: z.literal(true).optional(),
  /** Null in a proposal, in which it says that nothing has changed yet. */
  change_set_id: Id.nullish(),
  proposal_id: Id.nullish(),
  plan: z.strictObject({ call_count: z.int(), change_count: z.int() }).optional(),
  already_proposed: z.int().optional(),
  already_proposed_in: z.array(z.strictObject({ proposal_id: Id, status: Code })).optional(),
};

interface Kind {
  isProposable: boolean;
  /** Whether its results are left as they are. */
  isExact: boolean;
}

/** All that a tool may answer: its own fields as tools show them, and those that are added to every result. */
export function resultSchema(output: Shape, { isProposable, isExact }: Kind): z.ZodObject {
  const own = isExact ? z.object(output) : (compacted(z.object(output)) as z.ZodObject);
  return z.strictObject({
    ...own.shape,
    ...(isProposable ? PROPOSED : {}),
    _untrusted: z.array(Code).optional(),
  });
}

/** The same, or what is left of it where a write answered too much: counts and ids. */
export function orShortened(schema: z.ZodObject): z.ZodType {
  return describedAs(z.union([schema, z.looseObject({ truncated: z.literal(true) })]), schema);
}

/** What an operation answers. @throws if it answers nothing, which is a fault in the tool */
export function answerOf<O extends AnyOperation>({ name, response }: O): Exclude<O['response'], null> {
  if (response === null) throw new Error(`${name} answers nothing.`);
  return response as Exclude<O['response'], null>;
}

/** These fields of a record of the API. */
export function fieldsOf<S extends z.ZodObject, K extends keyof S['shape'] & string>(
  record: S,
  names: readonly K[],
): z.ZodObject<Pick<S['shape'], K>> {
  const shape = Object.fromEntries(names.map((name) => [name, record.shape[name]]));
  return z.object(shape) as unknown as z.ZodObject<Pick<S['shape'], K>>;
}

/** A record of the API as tools show it: what is null is left out, and so is a `short_id` next to the id it is of. */
export function compacted(schema: z.ZodType): z.ZodType {
  const known = compactedSchemas.get(schema);
  if (known) return known;
  const made = compact(schema);
  compactedSchemas.set(schema, made);
  return made;
}

const compactedSchemas = new WeakMap<z.ZodType, z.ZodType>();

function compact(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return compactObject(schema);
  if (schema instanceof z.ZodArray) return z.array(compacted(schema.element as z.ZodType));
  if (schema instanceof z.ZodUnion) return z.union((schema.options as z.ZodType[]).map(compacted));
  if (schema instanceof z.ZodOptional) return compacted(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodUnknown) return schema.optional();
  if (schema instanceof z.ZodNullable) return compacted(schema.unwrap() as z.ZodType).optional();
  return schema;
}

function compactObject(schema: z.ZodObject): z.ZodType {
  const kept = Object.entries(schema.shape as Shape).map(([name, field]): [string, z.ZodType] => {
    const shown = compacted(field as z.ZodType);
    return [name, name === 'short_id' ? shown.optional() : shown];
  });
  return z.strictObject(Object.fromEntries(kept));
}
