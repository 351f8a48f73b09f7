import { FIELDS } from '../../../engines/rules/fields.ts';
import { keysOf } from '../../../engines/rules/language.ts';
import { ACTION_TYPES } from '../../../engines/rules/actions.ts';
import { validationError } from '../../../kernel/errors.ts';
import type { Form, Json } from './argument.ts';

type Fields = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const OPERATORS =
  'eq, neq, contains, not_contains, starts_with, ends_with, matches, gt, gte, lt, lte, between, approx, in, not_in, exists, not_exists';

const test: Json = {
  field: { ...TEXT, description: 'get_guide("rules") lists them' },
  op: { ...TEXT, description: OPERATORS },
  value: TEXT,
  values: { ...TEXTS, description: 'For in, not_in' },
  min: { ...TEXT, description: 'For between, with max' },
  max: TEXT,
  tolerance: { ...TEXT, description: 'For approx' },
};
/** Said once: three tools have conditions, and every conversation begins with them. */
const inner = Object.fromEntries(
  Object.entries(test).map(([name, shown]) => [name, { ...(shown as Json), description: undefined }]),
);
const tests = { type: 'array', items: { type: 'object', properties: inner } };

/** A condition: one test, or several of which all or any must hold. Any condition of the API is taken. */
export const CONDITION: Form = {
  shown: {
    type: 'object',
    properties: {
      ...test,
      and: { ...tests, description: 'All of these' },
      or: { ...tests, description: 'Any of these' },
    },
    description: 'One test, or and/or; empty: every transaction',
  },
  read: (value) => (isEmpty(value) ? undefined : readCondition(value)),
};

/** What a condition would be if nothing of it were said. */
function isEmpty(value: unknown): boolean {
  return isFields(value) && Object.keys(value).length > 0 && Object.values(value).every(isAbsent);
}

function readCondition(value: unknown): unknown {
  if (!isFields(value)) return value;
  const said = Object.fromEntries(
    Object.entries(value).filter(([key, held]) => !isAbsent(held) || isSaidBlank(key, value)),
  );
  const parts = Object.entries(said).map(([key, held]): [string, unknown] => {
    if (key === 'and' || key === 'or') return [key, Array.isArray(held) ? held.map(readCondition) : held];
    if (key === 'not') return [key, readCondition(held)];
    if (key === 'values' && !('value' in said)) return ['value', inKindOf(said['field'], held)];
    return [key, key === 'field' || key === 'op' ? held : inKindOf(said['field'], held)];
  });
  return Object.fromEntries(parts);
}

/** Some tests compare with a blank text. */
function isSaidBlank(key: string, { op, value, values }: Fields): boolean {
  if (key !== 'value' || value !== '' || typeof op !== 'string' || op === '' || !isAbsent(values)) return false;
  return keysOf(op as never).includes('value');
}

/** Numbers, and yes and no, are sent as text. */
function inKindOf(field: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inKindOf(field, one));
  const kind =
    typeof field === 'string' && Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof typeof FIELDS].kind : undefined;
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return kind === 'integer' && typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
}

/** What a rule does. Any action of the API is taken. */
export const ACTIONS: Form = {
  shown: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ACTION_TYPES },
        category_id: TEXT,
        category_slug: TEXT,
        tag_slug: TEXT,
        series_id: TEXT,
        series_name: TEXT,
        series_type: TEXT,
        counterparty_id: TEXT,
        counterparty_name: TEXT,
        create_if_missing: { type: 'string', enum: ['unchanged', 'true', 'false'] },
        metadata_key: TEXT,
        metadata_value: TEXT,
        content: TEXT,
      },
      required: ['type'],
    },
  },
  read: (value) => (Array.isArray(value) ? value.map(readAction) : value),
};

function readAction(value: unknown): unknown {
  if (!isFields(value)) return value;
  const said = Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
    if (key === 'metadata_value' && value['type'] === 'set_metadata') return [[key, held]];
    if (held === '' || (key === 'create_if_missing' && (held === 'unchanged' || held === null))) return [];
    return [[key, key === 'create_if_missing' && typeof held === 'string' ? held === 'true' : held]];
  });
  return Object.fromEntries(said);
}

/** Metadata as a list, for models that cannot send keys of their own. An object is taken, too. */
export const METADATA: Form = {
  shown: {
    type: 'array',
    items: { type: 'object', properties: { key: TEXT, value: TEXT }, required: ['key', 'value'] },
  },
  read: (value, path) => {
    if (!Array.isArray(value)) return value;
    const entries = (value as unknown[]).map((one, index): [string, unknown] => {
      if (isFields(one) && typeof one['key'] === 'string' && 'value' in one) return [one['key'], one['value']];
      throw validationError(
        `${path}[${index}]`,
        `${path}[${index}]: must have key and value, such as {"key": "invoice", "value": "12"}.`,
      );
    });
    const twice = entries.find(([key], index) => entries.findIndex(([other]) => other === key) !== index);
    if (twice) throw validationError(path, `${path}: sets the same key twice. Send each key once.`);
    return Object.fromEntries(entries);
  },
};

/** A list of tags by slug. `{slug}` is taken, too. */
export const TAGS: Form = {
  shown: TEXTS,
  read: (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value),
};

/** Yes, no or either, in a filter of whatever tool. */
export const EITHER: Form = {
  shown: { type: 'string', enum: ['any', 'true', 'false'] },
  read: (value) => (value === 'true' ? true : value === 'false' ? false : value === 'any' ? undefined : value),
};

function isAbsent(value: unknown): boolean {
  return value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
