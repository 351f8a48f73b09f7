import { z } from 'zod';

import { argumentOf, isYesOrNo, NOT_SAID, type Argument } from './argument.ts';

type Schema = z.core.$ZodType;

/**
 * Arguments as the operation takes them: without those that only say that they are absent, and with the text, numbers and
 * lists that models send in place of each other (contract 70.2). What cannot be read is left for the schema to refuse.
 */
export function readArguments(schema: z.ZodObject, given: unknown): unknown {
  return readObject(schema, given, '');
}

function readObject(schema: z.ZodObject, given: unknown, path: string): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const shape = schema.shape as Readonly<Record<string, Schema>>;
  const read = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!field) return [[name, value]];
    const argument = argumentOf(field);
    if (argument.isOptional && saysNothing(argument, value)) return [];
    const below = path === '' ? name : `${path}.${name}`;
    const inForm = readValue(argument, value, below);
    return argument.isOptional && inForm === undefined ? [] : [[name, inForm]];
  });
  return Object.fromEntries(read);
}

/** `""` never clears; null does where the operation says so. */
function saysNothing({ bare, isNullable }: Argument, value: unknown): boolean {
  if (value === null) return !isNullable;
  if (value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isYesOrNo(bare) && Object.values<unknown>(NOT_SAID).includes(value);
}

function readValue({ bare, form }: Argument, value: unknown, path: string): unknown {
  if (form) return form.read(value, path);
  if (bare instanceof z.ZodObject) return readObject(bare, value, path);
  if (bare instanceof z.ZodArray) return readList(bare.element, value, path);
  if (isYesOrNo(bare)) return value === 'true' ? true : value === 'false' ? false : value;
  if (bare instanceof z.ZodNumber)
    return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (bare instanceof z.ZodString) return readText(value);
  return value;
}

function readText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(',') : value;
}

/** A single value is a list of one, and a text with commas several. */
function readList(element: Schema, value: unknown, path: string): unknown {
  const item = argumentOf(element);
  const isText = !(item.bare instanceof z.ZodObject);
  if (typeof value === 'string' && isText) return value.split(',').map((one) => one.trim());
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  return values.map((one, index) => readValue(item, one, `${path}[${index}]`));
}
