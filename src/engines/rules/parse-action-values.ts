import { isUuid } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ActionOf, StoredAction } from './definition.ts';
import {
  isStorableText,
  isWithin,
  jsonBytes,
  member,
  metadataKeyFault,
  metadataValueFault,
  type Json,
  type JsonObject,
} from './json.ts';
import { parseReference, type ValueContext } from './parse-values.ts';
import { RULE_LIMITS } from './rule-limits.ts';

export interface ActionsContext extends ValueContext {
  /** The stored actions: a category that was archived since may stay. */
  readonly previous?: readonly StoredAction[];
}

/** The category, by id, by slug, or by both if they mean the same category. */
export function parseSetCategory(
  input: JsonObject,
  path: string,
  context: ActionsContext,
): ActionOf<'set_category'> | undefined {
  const { problems, references, previous } = context;
  const keys = ['category_slug', 'category_id'].filter((key) => member(input, key) !== undefined);
  if (keys.length === 0) return problems.invalid(path, 'must have category_slug or category_id');
  const ids = keys.map((key) => parseReference('category', member(input, key), `${path}.${key}`, context));
  const [id, other = id] = ids;
  if (id === undefined || other === undefined) return undefined;
  if (id !== other) return problems.invalid(`${path}.category_slug`, 'is not the category of category_id');
  const wasSet = previous?.some((action) => action.type === 'set_category' && action.category_id === id) ?? false;
  if (references.isArchived(id) && !wasSet) {
    return problems.invalid(`${path}.${keys[0]}`, 'is an archived category; use one that is not archived');
  }
  return { type: 'set_category', category_id: id };
}

const SLUG = /^[a-z0-9](?:[a-z0-9:-]{0,62}[a-z0-9])?$/;

/** The tag of an action; `add_tag` may name one that does not exist yet. */
export function parseTag(
  type: 'add_tag' | 'remove_tag',
  input: unknown,
  path: string,
  context: ActionsContext,
): string | undefined {
  if (input === undefined) return context.problems.invalid(path, 'is required');
  if (type === 'remove_tag' || typeof input !== 'string') return parseReference('tag', input, path, context);
  const known = context.references.tag(input);
  if (known !== undefined) return known;
  // A text in the form of an id is meant as one; creating a tag from it would hide the mistake.
  if (isUuid(input)) return parseReference('tag', input, path, context);
  return SLUG.test(input)
    ? context.wanted.want('tag', input, path)
    : context.problems.invalid(
        path,
        'must be a slug of 1 to 64 characters: a-z, 0-9, - and :, without - or : at either end',
      );
}

export function parseMetadataKey(input: JsonObject, path: string, { problems }: ActionsContext): string | undefined {
  const key = member(input, 'metadata_key');
  if (typeof key !== 'string') return problems.invalid(`${path}.metadata_key`, 'must be a string');
  const fault = metadataKeyFault(key);
  return fault === undefined ? key : problems.invalid(`${path}.metadata_key`, fault);
}

export function parseMetadataValue(input: JsonObject, path: string, { problems }: ActionsContext): Json | undefined {
  const at = `${path}.metadata_value`;
  const value = member(input, 'metadata_value');
  if (value === undefined) return problems.invalid(at, 'is required; it can be null');
  const fault = metadataValueFault(value);
  if (fault !== undefined) return problems.invalid(at, fault);
  if (jsonBytes(value) <= RULE_LIMITS.metadataValueBytes) return value as Json;
  return problems.invalid(at, `must have at most ${RULE_LIMITS.metadataValueBytes} bytes as compact JSON`);
}

export function parseComment(input: JsonObject, path: string, { problems }: ActionsContext): string | undefined {
  const text = member(input, 'content');
  const content = typeof text === 'string' ? text.trim() : '';
  if (content !== '' && isWithin(content, LIMITS.commentChars) && isStorableText(content)) return content;
  return problems.invalid(`${path}.content`, `must be text of 1 to ${LIMITS.commentChars} characters`);
}

const SERIES_TYPES = ['subscription', 'bill', 'loan', 'other'] as const;

/** The series or counterparty, by id, by name, or by both if they mean the same record. */
export function parseNamed(
  kind: 'series' | 'counterparty',
  input: JsonObject,
  path: string,
  context: ValueContext,
): string | undefined {
  const { problems, references, wanted } = context;
  const [idKey, nameKey] = [`${kind}_id`, `${kind}_name`];
  const [id, rawName] = [member(input, idKey), member(input, nameKey)];
  const mayCreate = parseCreation(input, path, context);
  if (mayCreate === undefined) return undefined;
  if (id === undefined && rawName === undefined) return problems.invalid(path, `must have ${idKey} or ${nameKey}`);
  const name = rawName === undefined ? undefined : parseName(rawName, `${path}.${nameKey}`, context);
  const find = (text: string): string | undefined =>
    kind === 'series' ? references.seriesByName(text) : references.counterpartyByName(text);
  const named = name === undefined ? undefined : (find(name) ?? wanted.find(kind, name));
  if (id !== undefined) {
    for (const key of ['create_if_missing', 'series_type']) {
      if (member(input, key) !== undefined) {
        return problems.invalid(`${path}.${key}`, `can only be sent with ${nameKey}, not with ${idKey}`);
      }
    }
    const found = parseReference(kind, id, `${path}.${idKey}`, context);
    if (found === undefined || rawName === undefined || (name !== undefined && named === found)) return found;
    return name === undefined
      ? undefined
      : problems.invalid(`${path}.${nameKey}`, `is not the name of ${idKey}; send ${idKey} alone`);
  }
  if (name === undefined || named !== undefined) return named;
  if (mayCreate) return wanted.want(kind, name, `${path}.${nameKey}`, kind === 'series' ? seriesTypeOf(input) : null);
  return problems.unknown(
    `${path}.${nameKey}`,
    `is not the name of a ${kind}; send "create_if_missing": true to create it`,
  );
}

/** Whether the record may be created; undefined if the fields that decide it are wrong. */
function parseCreation(input: JsonObject, path: string, { problems }: ValueContext): boolean | undefined {
  const mayCreate = member(input, 'create_if_missing') ?? false;
  if (typeof mayCreate !== 'boolean' || member(input, 'create_if_missing') === null) {
    return problems.invalid(`${path}.create_if_missing`, 'must be true or false');
  }
  const isKnown = SERIES_TYPES.some((type) => type === seriesTypeOf(input));
  if (isKnown && member(input, 'series_type') !== null) return mayCreate;
  return problems.invalid(`${path}.series_type`, `must be one of ${SERIES_TYPES.join(', ')}`);
}

function seriesTypeOf(input: JsonObject): string {
  const type = member(input, 'series_type') ?? SERIES_TYPES[0];
  return typeof type === 'string' ? type : '';
}

function parseName(input: unknown, path: string, { problems }: ValueContext): string | undefined {
  const name = typeof input === 'string' ? input.trim() : '';
  if (name !== '' && isWithin(name, LIMITS.nameChars) && isStorableText(name)) return name;
  return problems.invalid(path, `must be a name of 1 to ${LIMITS.nameChars} characters`);
}
