import { z } from 'zod';

import { parseEmail } from '../kernel/credentials.ts';
import { isDateOnly, parseInstant } from '../kernel/dates.ts';
import { LIMITS } from '../kernel/limits.ts';
import { parseCents } from '../kernel/money.ts';
import { describedAs } from './described-as.ts';
import { body, ours } from './text-origin.ts';

/** The shapes that every part of the contract uses (contract part 0). */

export const Id = ours(z.string().meta({ format: 'uuid' }));
export const ShortId = ours(z.string().meta({ pattern: '^[0-9A-Za-z]{8}$' }));
/** In requests: a UUID or short_id, and in some places a slug. */
export const AnyId = z
  .string()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine((value) => !value.includes('\0'), 'must not contain U+0000');
export const UserRef = ShortId.meta({ description: 'short_id of a household member' });

const MONEY_FORM = 'must be a decimal with at most two digits after the point, within ±9999999999.99, such as "12.34"';

export const Money = ours(
  z
    .string()
    .regex(/^-?\d+\.\d{2}$/)
    .meta({
      id: 'Money',
      format: 'decimal',
      description: 'Decimal with two digits after the point; positive is money out',
    }),
);
/** Money in a request as the reference shows it; a number is accepted too. */
const Decimal = z.string().regex(/^-?\d{1,10}(\.\d{1,2})?$/);
/** An amount in a request, a decimal string or a JSON number, as integer hundredths. */
export const MoneyInput = describedAs(
  z.union([z.string(), z.number()], MONEY_FORM).transform((value, context) => {
    const cents = parseCents(value);
    if (cents === undefined) context.addIssue(MONEY_FORM);
    return cents ?? z.NEVER;
  }),
  Decimal,
);
export const Currency = ours(z.string().regex(/^[A-Z]{3}$/, 'must be three upper-case letters, such as EUR'));
/** Aborts, so that a union of it and something else answers what the union takes. */
export const DateOnly = ours(
  z
    .string()
    .refine(isDateOnly, { error: 'must be a calendar date as YYYY-MM-DD', abort: true })
    .meta({ format: 'date' }),
);
export const Instant = ours(z.string().meta({ format: 'date-time' }));

// Text of ours in answers. A field of text that is none of these is text from outside.
export const CurrencyCode = ours(z.string());
export const Slug = ours(z.string());
export const Color = ours(z.string());
export const Icon = ours(z.string());
/** A word of ours, such as an error code, an action or the name of a tool. */
export const Code = ours(z.string());
export const Cursor = ours(z.string());
/** What we say, in which no text from outside is quoted. */
export const Sentence = ours(z.string());
/** Text from outside of several lines: comments, reports, prompts. */
export const Body = body(z.string());
export const InstantInput = z.string().transform(readInstant).meta({ format: 'date-time' });
/** A nullable instant of a PATCH: null or an empty text clears. */
export const ClearableInstant = describedAs(
  z
    .string()
    .nullable()
    .transform((text, context) => (text === null || text === '' ? null : readInstant(text, context))),
  InstantInput.nullable(),
);

function readInstant(text: string, context: z.RefinementCtx): string {
  const instant = parseInstant(text);
  if (instant === undefined) context.addIssue('must be an instant such as 2026-04-26T06:00:00Z');
  return instant ?? z.NEVER;
}

/** Any text without U+0000; the length counts characters. */
export function text(max: number, min = 0): z.ZodType<string, string> {
  return z
    .string()
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'must not contain U+0000 or unpaired surrogates')
    .refine((value) => lengthOf(value) <= max, `must have at most ${max} characters`)
    .refine((value) => lengthOf(value) >= min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .meta({ ...(min > 0 ? { minLength: min } : {}), ...(max < LIMITS.jsonBodyBytes ? { maxLength: max } : {}) });
}

/** Trimmed text of 1 to `max` characters. */
export function name(max: number = LIMITS.nameChars): z.ZodType<string, string> {
  return z
    .string()
    .transform((value) => value.trim())
    .pipe(text(max, 1))
    .meta({ minLength: 1, maxLength: max, pattern: '\\S' });
}

/** A nullable text field of a PATCH: trimmed; null, empty or blank clears. */
export function clearableText(max: number): z.ZodType<string | null, string | null> {
  return z
    .string()
    .meta({ maxLength: max })
    .nullable()
    .transform((value) => (value === null || value.trim() === '' ? null : value.trim()))
    .pipe(text(max).nullable());
}

/** A bare email address, in canonical form (contract 20.9). */
export const Email = text(LIMITS.emailChars).transform((value, context) => {
  const email = parseEmail(value);
  if (email === undefined) context.addIssue('must be a bare email address such as ana@home.example');
  return email ?? z.NEVER;
});

function lengthOf(value: string): number {
  return value.length <= 50 ? value.length : [...value].length;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Query booleans: true, false, 1, 0. The reference shows them as booleans, although a URL carries text. */
export const QueryBoolean = z
  .string()
  .transform((value, context) => {
    const known = BOOLEANS.get(value);
    if (known === undefined) context.addIssue('must be true, false, 1 or 0');
    return known ?? z.NEVER;
  })
  .meta({ type: 'boolean' });

/** One of these words. */
export function oneOf<T extends string>(words: readonly [T, ...T[]]): z.ZodEnum<{ [K in T]: K }> {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

export function queryInteger(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .transform((value, context) => {
      const number = /^-?\d{1,9}$/.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      context.addIssue(`must be a whole number from ${min} to ${max}`);
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** A query list: repeated key or commas, trimmed, without duplicates. A lone comma is empty, so it is refused. */
export function queryList<T>(item: z.ZodType<T, string>, min = 1): z.ZodType<T[], string | string[]> {
  const max = LIMITS.listFilterValues;
  const list = z.array(item).min(min, 'must have at least one value').max(max, `must have at most ${max} values`);
  const parsed = z
    .union([z.string(), z.array(z.string())])
    .transform((value) => {
      const parts = (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(','));
      return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
    })
    .pipe(list);
  return describedAs(parsed, list);
}

/** A decimal in a query, as integer hundredths. */
export const QueryCents = describedAs(
  z.string().transform((value, context) => {
    const cents = parseCents(value);
    if (cents === undefined) {
      context.addIssue('must be a decimal with at most two digits after the point, such as -12.50');
      return z.NEVER;
    }
    return cents;
  }),
  Decimal,
);

export const QueryInstant = InstantInput;

export const ActorType = z.enum(['user', 'agent', 'system'], 'must be user, agent or system').meta({ id: 'ActorType' });
export const ConnectionStatus = z
  .enum(['active', 'error', 'pending_reauth', 'disconnected'])
  .meta({ id: 'ConnectionStatus' });
/** Who did something. */
export const Actor = z.object({ type: ActorType, id: Code.nullable(), name: z.string() }).meta({ id: 'Actor' });
export const Provider = z.enum(['plaid', 'teller', 'csv']).meta({ id: 'Provider' });

export const ErrorDetail = z
  .looseObject({
    path: z.string().meta({ description: 'The field, line or cause' }),
    message: z.string().meta({ description: 'What is wrong, or what is expected' }),
  })
  .meta({ id: 'ErrorDetail' });
export const ErrorEnvelope = z
  .object({
    error: z
      .looseObject({
        code: z.string().meta({ description: 'Each status lists its codes; more may be added' }),
        message: z.string().meta({ description: 'What is wrong and what to do, for people' }),
        details: z.array(ErrorDetail).optional(),
        request_id: z.string().optional(),
      })
      .meta({ id: 'ErrorBody' }),
  })
  .meta({ id: 'ErrorEnvelope', description: 'The form of every error' });
/** What failed inside a request that itself succeeded: a job, an import, one edit of a batch. */
export const Failure = z.object({ code: Code, message: Sentence }).meta({ id: 'Failure' });

/** Per-currency total of a set of transactions (10.5.3). */
export const Total = z
  .object({
    iso_currency_code: CurrencyCode.nullable(),
    transaction_count: z.int(),
    total_amount: Money,
    money_out: Money,
    money_in: Money,
  })
  .meta({ id: 'Total' });

const pageFields = {
  next_cursor: Cursor.meta({ description: 'Send it as `cursor` to get the next page; "" on the last page' }),
  has_more: z.boolean(),
  limit: z.int().nullable(),
};
type Page<K extends string, T extends z.ZodType> = z.ZodObject<Record<K, z.ZodArray<T>> & typeof pageFields>;

/** A page of a list with a cursor. */
export function page<K extends string, T extends z.ZodType>(key: K, item: T): Page<K, T> {
  const id = z.globalRegistry.get(item)?.id;
  const envelope = z.object({ [key]: z.array(item), ...pageFields }) as unknown as Page<K, T>;
  return id === undefined ? envelope : envelope.meta({ id: `${id}Page` });
}
