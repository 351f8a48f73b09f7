import { z } from 'zod';

import { argumentOf, isYesOrNo, NOT_SAID, type Argument, type Json } from './argument.ts';

type Schema = z.core.$ZodType;
type Effect = keyof typeof NOT_SAID;

/** A schema of an object. */
type ObjectSchema = Json & { type: 'object' };

/**
 * The schema of a tool's arguments in the few keywords that every model server takes (contract 70.2, Portable schemas).
 * Defaults and limits are in the descriptions.
 */
export function portableSchema(schema: z.ZodObject, effect: Effect): ObjectSchema {
  const all = Object.entries(schema.shape);
  const fields = all.filter(([, field]) => !argumentOf(field).isHidden);
  const required = fields.filter(([, field]) => !argumentOf(field).isOptional).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, portable(field, effect)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function portable(schema: Schema, effect: Effect): Json {
  const argument = argumentOf(schema);
  const shown = argument.form?.shown ?? typeOf(argument, effect);
  const said = [argument.description, ...(argument.form ? [] : limitsOf(argument))].filter((one) => one !== undefined);
  return said.length === 0 ? shown : { ...shown, description: said.join('. ') };
}

function typeOf(argument: Argument, effect: Effect): Json {
  const { bare } = argument;
  const isUnsaid = argument.isOptional && argument.initial === undefined;
  if (bare instanceof z.ZodObject) return portableSchema(bare, effect);
  if (bare instanceof z.ZodArray) return { type: 'array', items: portable(bare.element, effect) };
  if (isYesOrNo(bare))
    return isUnsaid ? { type: 'string', enum: [NOT_SAID[effect], 'true', 'false'] } : { type: 'boolean' };
  if (bare instanceof z.ZodNumber) return { type: isUnsaid ? 'string' : 'integer' };
  if (bare instanceof z.ZodEnum && !isUnsaid) return { type: 'string', enum: bare.options };
  return { type: 'string' };
}

/** What the type does not say: limits, choices that may be absent, the default. */
function limitsOf({ bare, isOptional, initial }: Argument): (string | undefined)[] {
  const isUnsaid = isOptional && initial === undefined;
  return [
    bare instanceof z.ZodNumber ? rangeOf(bare) : undefined,
    bare instanceof z.ZodEnum && isUnsaid ? bare.options.join(', ') : undefined,
    bare instanceof z.ZodArray ? mostOf(bare) : undefined,
    initial === undefined ? undefined : `Default ${[initial].flat().map(String).join(', ')}`,
  ];
}

function rangeOf(number: z.ZodNumber): string | undefined {
  const [least, most] = [number.minValue ?? Number.MIN_SAFE_INTEGER, number.maxValue ?? Number.MAX_SAFE_INTEGER];
  if (least <= Number.MIN_SAFE_INTEGER) return undefined;
  return most >= Number.MAX_SAFE_INTEGER ? `At least ${least}` : `${least} to ${most}`;
}

function mostOf(list: z.ZodArray): string | undefined {
  const { maximum } = list._zod.bag as { maximum?: number };
  return maximum === undefined ? undefined : `At most ${maximum}`;
}
