import { z } from 'zod';

import { originOf } from '../../../contract/text-origin.ts';
import { cleanFreeForm, cleanText, type HowToClean } from './clean-text.ts';

type Schema = z.core.$ZodType;
type Fields = Readonly<Record<string, unknown>>;

interface Cleaning extends Pick<HowToClean, 'isMasked'> {
  /** Where text from outside was found, as `_untrusted` writes it: `transactions[].name`. */
  found: Set<string>;
}

/**
 * Cleans the text from outside in the result of a tool, and says where there is some. All text is from outside unless
 * the schema says that it is ours; what the schema does not name is, too (contract 70.2).
 */
export function cleanOutsideText<T extends object>(
  result: T,
  schema: z.ZodType,
  how: Pick<HowToClean, 'isMasked'>,
): { result: T; found: string[] } {
  const cleaning: Cleaning = { ...how, found: new Set() };
  const cleaned = cleanValue(schema, result, '', cleaning) as T;
  return { result: cleaned, found: [...cleaning.found] };
}

function cleanValue(schema: Schema | undefined, value: unknown, path: string, cleaning: Cleaning): unknown {
  if (value === null || value === undefined) return value;
  const bare = schema && schemaOf(schema, value);
  if (typeof value === 'string') return cleanString(bare, value, path, cleaning);
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item: unknown) => cleanValue(bare.element, item, `${path}[]`, cleaning));
  }
  if (bare instanceof z.ZodObject && isFields(value)) {
    const shape = bare.shape as Readonly<Record<string, Schema>>;
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => {
        const below = path === '' ? name : `${path}.${name}`;
        return [name, cleanValue(Object.hasOwn(shape, name) ? shape[name] : undefined, held, below, cleaning)];
      }),
    );
  }
  if (typeof value !== 'object' && bare && !isFreeForm(bare)) return value;
  if (bare instanceof z.ZodRecord && !isFreeForm(bare.valueType)) return value;
  return cleanFree(value, path, cleaning);
}

function cleanString(schema: Schema | undefined, value: string, path: string, cleaning: Cleaning): string {
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return value;
  if (!(schema instanceof z.ZodString)) return cleanFree(value, path, cleaning) as string;
  const origin = originOf(schema);
  if (origin === 'ours') return value;
  cleaning.found.add(path);
  return cleanText(value, { isMasked: cleaning.isMasked, isBody: origin === 'body' });
}

function cleanFree(value: unknown, path: string, { found, isMasked }: Cleaning): unknown {
  const hasText = typeof value === 'string' || (typeof value === 'object' && JSON.stringify(value).length > 2);
  if (hasText) found.add(path);
  return cleanFreeForm(value, { isMasked });
}

/** The schema without what may stand around it, such as `nullable`; of a union, the one that fits the value. */
function schemaOf(schema: Schema, value: unknown): Schema {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return schemaOf(schema.unwrap(), value);
  }
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options = (schema.options as readonly Schema[]).map((option) => schemaOf(option, value));
  if (typeof value === 'string') return strictestText(options);
  const fitting = options.filter((option) => fits(option, value));
  return fitting.find((option) => namesAll(option, value)) ?? fitting[0] ?? schema;
}

/** Where a text may be one of ours or one from outside, nobody can tell which it is. */
function strictestText(options: readonly Schema[]): Schema {
  const texts = options.filter((option) => option instanceof z.ZodString);
  const outside = texts.find((text) => originOf(text) !== 'ours');
  return outside ?? texts[0] ?? options.find((option) => option instanceof z.ZodEnum) ?? (options[0] as Schema);
}

function fits(option: Schema, value: unknown): boolean {
  if (Array.isArray(value)) return option instanceof z.ZodArray;
  return isFields(value) ? option instanceof z.ZodObject : !(option instanceof z.ZodObject);
}

function namesAll(option: Schema, value: unknown): boolean {
  return (
    option instanceof z.ZodObject &&
    isFields(value) &&
    Object.keys(value).every((name) => Object.hasOwn(option.shape, name))
  );
}

/** Values about whose text nothing is known. */
function isFreeForm(schema: Schema): boolean {
  return !(schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
