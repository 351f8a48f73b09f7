import type { z } from 'zod';

import type { AnyOperation } from '../contract/operation.ts';
import { AppError, notFound, shownName, type ErrorDetail } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { probablyMeant } from '../kernel/nearest.ts';

const DETAILS_SHOWN = 100;

/** Query parameters as they were sent: a value, or several if the name was repeated. Empty values are left out. */
export type RawQuery = Readonly<Record<string, string | string[]>>;

/** @throws INVALID_PARAMETER for a percent escape that is none, which would otherwise be read as something else */
export function readQuery(search: string): RawQuery {
  const broken = search.split('&').find((pair) => !canBeDecoded(pair));
  if (broken !== undefined) {
    const message = 'has a broken percent escape. Write % as %25, and other characters as percent-encoded UTF-8.';
    throw parameterError([{ path: shownName(broken.split('=')[0] as string), message }]);
  }
  const found: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(search)) {
    if (value === '') continue;
    const known = found[name];
    if (known === undefined) found[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else found[name] = [known, value];
  }
  return found;
}

/** Whether every percent escape of a text is one of UTF-8. */
export function canBeDecoded(text: string): boolean {
  try {
    // Compared, because the build leaves out a call whose result nobody uses.
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** @throws NOT_FOUND for an id that no entity can have. Other path parameters are left to the handler. */
export function parseParams(operation: AnyOperation, raw: Readonly<Record<string, string>>): unknown {
  if (!operation.params) return {};
  const result = operation.params.safeParse(raw);
  if (!result.success) throw notFound('resource');
  return result.data;
}

/** @throws INVALID_PARAMETER naming the parameter. */
export function parseQuery(operation: AnyOperation, raw: RawQuery): unknown {
  const known = Object.keys(operation.query?.shape ?? {});
  if (isStrict(operation)) {
    const unknown = Object.keys(raw).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw parameterError([{ path: shownName(unknown), message: unknownName('parameter', unknown, known) }]);
    }
  }
  const zero = Object.entries(raw).find(([, value]) => [value].flat().some((part) => part.includes('\0')));
  if (zero) throw parameterError([{ path: zero[0], message: 'must not contain U+0000' }]);
  if (!operation.query) return {};
  const result = operation.query.safeParse(raw, { error: queryMessage });
  if (!result.success) throw parameterError(named(details(result.error, raw)));
  return result.data;
}

/** A write that ignored a mistyped parameter would do something other than was asked. */
export function isStrict({ method, strictQuery }: Pick<AnyOperation, 'method' | 'strictQuery'>): boolean {
  return strictQuery === true || method !== 'GET';
}

/** Parameters under the names that were sent, without list positions from splitting; each problem once. */
function named(found: readonly ErrorDetail[]): ErrorDetail[] {
  const faults = new Map<string, ErrorDetail>();
  for (const { path, message } of found) {
    const name = path.split(/[.[]/)[0] as string;
    faults.set(`${name} ${message}`, { path: name, message });
  }
  return [...faults.values()];
}

/** @throws VALIDATION_ERROR with a detail per field. */
export function parseBody(operation: Pick<AnyOperation, 'body' | 'bodyOptional'>, raw: unknown): unknown {
  if (!operation.body) {
    const sent = Object.keys(raw ?? {}).slice(0, DETAILS_SHOWN);
    const unknown = sent.map((field) => ({
      path: shownName(field),
      message: 'unknown field; this request has no fields',
    }));
    if (unknown.length > 0) throw new AppError('VALIDATION_ERROR', summary(unknown), { details: unknown });
    return {};
  }
  if (raw === undefined && operation.bodyOptional !== true) {
    throw new AppError('VALIDATION_ERROR', 'A JSON body is required.');
  }
  const result = operation.body.safeParse(raw ?? {}, { error: bodyMessage });
  if (result.success) return result.data;
  const found = details(result.error, raw, operation.body);
  throw new AppError('VALIDATION_ERROR', summary(found), { details: found });
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What would be right, unless the schema has its own message. */
const bodyMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type') return `must be ${typeName(issue.expected)}`;
  if (issue.code === 'too_small')
    return `must ${sizeOf(issue.origin)}at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
  if (issue.code === 'too_big')
    return `must ${sizeOf(issue.origin)}at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
  if (issue.code === 'invalid_union') return unionMessage(issue.errors);
  return issue.code === 'invalid_format' ? 'is not valid' : undefined;
};

function typeName(expected: string): string {
  return TYPE_NAMES[expected] ?? expected;
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

function sizeOf(origin: string): string {
  return origin in UNITS ? 'have ' : 'be ';
}

function unitOf(origin: string, count: number | bigint): string {
  return origin in UNITS ? ` ${UNITS[origin]}${Number(count) === 1 ? '' : 's'}` : '';
}

/** The types a field takes, or what is wrong with a value of the right type. */
function unionMessage(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const inside = errors.flatMap(([first]) => (first && first.code !== 'invalid_type' ? [first.message] : []));
  if (inside[0] !== undefined) return inside[0];
  const types = errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [typeName(first.expected)] : []));
  return `must be ${[...new Set(types)].join(' or ')}`;
}

const queryMessage: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_type' && Array.isArray(issue.input) ? 'must be sent only once' : bodyMessage(issue);

function parameterError(found: readonly ErrorDetail[]): AppError {
  return new AppError('INVALID_PARAMETER', summary(found), { details: found });
}

function summary(found: readonly ErrorDetail[]): string {
  const [first] = found;
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  if (!first) return 'The request is not valid.';
  return first.path === '' ? `${first.message}${more}` : `${first.path}: ${first.message}${more}`;
}

function details(error: z.ZodError, raw: unknown, schema?: z.ZodType): ErrorDetail[] {
  const found: ErrorDetail[] = [];
  for (const issue of error.issues) {
    if (found.length >= DETAILS_SHOWN) break;
    found.push(...explain(issue, raw, schema));
  }
  return found.slice(0, DETAILS_SHOWN);
}

/** `schema` is that of the body, to suggest the right name for a mistyped field. */
function explain(issue: z.core.$ZodIssue, raw: unknown, schema?: z.ZodType): ErrorDetail[] {
  const path = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, issue.path);
    return issue.keys.slice(0, DETAILS_SHOWN).map((key, index) => ({
      path: pathOf([...issue.path, key]),
      message: unknownName('field', key, index < LIMITS.suggestedNames ? known : []),
    }));
  }
  const isTyped = issue.code === 'invalid_type' || issue.code === 'invalid_union';
  const sent = valueAt(raw, issue.path);
  if (isTyped && sent === undefined) return [{ path, message: 'is required' }];
  if (isTyped && sent === null && mayBeLeftOut(schema, issue.path)) {
    return [{ path, message: `${issue.message}, not null. Leave it out instead.` }];
  }
  return [{ path, message: issue.message }];
}

/** Whether the field at this place of a body need not be sent. */
function mayBeLeftOut(schema: z.ZodType | undefined, steps: readonly PropertyKey[]): boolean {
  const field = formAt(schema, steps.slice(0, -1)).shape?.[String(steps.at(-1))] as z.ZodType | undefined;
  return field !== undefined && field.safeParse(undefined).success;
}

/** The fields of the object at this place of a body; none where the schema leaves it open or gives a choice. */
function fieldsAt(schema: unknown, steps: readonly PropertyKey[]): string[] {
  return Object.keys(formAt(schema, steps).shape ?? {});
}

function formAt(schema: unknown, steps: readonly PropertyKey[]): Form {
  let at = unwrapped(schema);
  for (const step of steps) {
    const { shape, element } = at;
    at = unwrapped(typeof step === 'number' ? element : shape?.[String(step)]);
  }
  return at;
}

interface Form {
  shape?: Readonly<Record<string, unknown>>;
  element?: unknown;
  unwrap?: () => unknown;
}

/** Without what makes it optional, nullable or gives it a default. */
function unwrapped(schema: unknown): Form {
  let form = (schema ?? {}) as Form;
  while (form.shape === undefined && form.element === undefined && form.unwrap) form = form.unwrap() ?? {};
  return form;
}

function unknownName(what: 'field' | 'parameter', name: string, known: readonly string[]): string {
  const meant = probablyMeant(name, known);
  return `unknown ${what}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** In the notation of a program: `rules[2].actions[0].type`. */
function pathOf(steps: readonly PropertyKey[]): string {
  const written = steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${shownName(String(step))}`))
    .join('');
  return written.startsWith('.') ? written.slice(1) : written;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
