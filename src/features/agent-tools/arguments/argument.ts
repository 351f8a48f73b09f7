import { z } from 'zod';

type Schema = z.core.$ZodType;
export type Json = Record<string, unknown>;

/** An argument of a tool without what stands around its type. */
export interface Argument {
  bare: Schema;
  /** How it is shown and read if its type alone does not say so. */
  form: Form | undefined;
  isHidden: boolean;
  isOptional: boolean;
  /** Null is a value: it clears. */
  isNullable: boolean;
  initial: unknown;
  description: string | undefined;
}

/** What agents see of an argument that the operation takes in another form, and how that is read. */
export interface Form {
  shown: Json;
  /** @throws VALIDATION_ERROR */
  read: (value: unknown, path: string) => unknown;
}

const forms = z.registry<{ form?: Form; isHidden?: boolean }>();

/** Shows an argument in a form that every model can send; whatever the operation takes is taken, too. */
export function inForm<S extends z.ZodType>(schema: S, form: Form): S {
  forms.add(schema, { form });
  return schema;
}

/** Leaves an argument out of what agents are shown, such as a synonym that REST has, too. It is taken all the same. */
export function hidden<S extends z.ZodType>(schema: S): S {
  forms.add(schema, { isHidden: true });
  return schema;
}

export function argumentOf(schema: Schema): Argument {
  const argument: Argument = {
    bare: schema,
    form: undefined,
    isHidden: false,
    isOptional: false,
    isNullable: false,
    initial: undefined,
    description: undefined,
  };
  for (let at: Schema | undefined = schema; at !== undefined; at = unwrap(at, argument)) {
    argument.bare = at;
    argument.form ??= forms.get(at)?.form;
    argument.isHidden ||= forms.get(at)?.isHidden === true;
    argument.description ??= z.globalRegistry.get(at)?.description;
  }
  return argument;
}

/** What is inside of this schema, if it only adds something to another one. */
function unwrap(schema: Schema, argument: Argument): Schema | undefined {
  if (schema instanceof z.ZodDefault) {
    argument.isOptional = true;
    argument.initial = schema.def.defaultValue;
  } else if (schema instanceof z.ZodOptional) argument.isOptional = true;
  else if (schema instanceof z.ZodNullable) argument.isNullable = true;
  else return schema instanceof z.ZodPipe ? schema.def.in : undefined;
  return schema.def.innerType;
}

/** Whether it is yes or no; `true` alone is, too. */
export function isYesOrNo(bare: Schema): boolean {
  return bare instanceof z.ZodBoolean || (bare instanceof z.ZodLiteral && bare.values.has(true));
}

/** Where no default says what an absent yes or no means. */
export const NOT_SAID = { read: 'any', write: 'unchanged' } as const;
