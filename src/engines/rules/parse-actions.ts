import { isEqualJson } from '../../kernel/json.ts';
import { isUuid } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ActionType, StoredAction } from './definition.ts';
import { metadataKeyFault } from './fields.ts';
import { isObject, isStorableText, isWithin, jsonBytes, member, type Json, type JsonObject } from './json.ts';
import { metadataValueFault } from './metadata-value.ts';
import { parseNamed } from './parse-named.ts';
import { parseReference, type ValueContext } from './parse-values.ts';
import { memberPath } from './problems.ts';
import { RULE_LIMITS } from './rule-limits.ts';

export interface ActionsContext extends ValueContext {
  /** What is stored now: a category archived since then may stay. */
  readonly previous?: readonly StoredAction[];
}

const MEMBERS: Readonly<Record<ActionType, readonly string[]>> = {
  set_category: ['category_slug', 'category_id'],
  add_tag: ['tag_slug'],
  remove_tag: ['tag_slug'],
  assign_series: ['series_id', 'series_name', 'create_if_missing', 'series_type'],
  assign_counterparty: ['counterparty_id', 'counterparty_name', 'create_if_missing'],
  set_metadata: ['metadata_key', 'metadata_value'],
  remove_metadata: ['metadata_key'],
  flag: [],
  unflag: [],
  add_comment: ['content'],
};
const TYPES = Object.keys(MEMBERS) as readonly ActionType[];
const SLUG = /^[a-z0-9](?:[a-z0-9:-]{0,62}[a-z0-9])?$/;

/**
 * The actions of a rule from outside in their stored form (contract 40.3). Problems are collected in the context; the
 * answer is then of no use. What is to be created stands in `wanted` and by its placeholder in the action.
 */
export function parseActions(input: unknown, path: string, context: ActionsContext): readonly StoredAction[] {
  const { problems } = context;
  if (!Array.isArray(input) || input.length === 0 || input.length > RULE_LIMITS.actions) {
    problems.invalid(path, `must be an array of 1 to ${RULE_LIMITS.actions} actions`);
    return [];
  }
  const actions: StoredAction[] = [];
  for (const [index, item] of input.entries()) {
    const at = `${path}[${index}]`;
    const action = parseAction(item, at, context);
    if (action === undefined) continue;
    if (actions.some((other) => isSameFacet(other, action))) {
      problems.invalid(at, 'writes what an earlier action of this rule writes; a rule writes each thing once');
    }
    actions.push(action);
  }
  return actions;
}

/** What an action writes, by record; comments have none. */
function facetOf(action: StoredAction): string | undefined {
  switch (action.type) {
    case 'set_category':
      return 'category';
    case 'add_tag':
    case 'remove_tag':
      return `tag:${action.tag_id}`;
    case 'assign_series':
      return 'series';
    case 'assign_counterparty':
      return 'counterparty';
    case 'set_metadata':
    case 'remove_metadata':
      return `metadata.${action.metadata_key}`;
    case 'flag':
    case 'unflag':
      return 'flag';
    case 'add_comment':
    default:
      return undefined;
  }
}

function isSameFacet(a: StoredAction, b: StoredAction): boolean {
  const facet = facetOf(a);
  return facet === undefined ? isEqualJson(a, b) : facet === facetOf(b);
}

function parseAction(input: unknown, path: string, context: ActionsContext): StoredAction | undefined {
  const { problems } = context;
  if (!isObject(input)) return problems.invalid(path, 'must be an object with a type');
  const type = TYPES.find((one) => one === member(input, 'type'));
  if (type === undefined) {
    const what = member(input, 'type') === undefined ? 'is missing' : 'is not a type of action';
    return problems.invalid(`${path}.type`, `${what}; the types are ${TYPES.join(', ')}`);
  }
  for (const key of Object.keys(input)) {
    if (key === 'type' || MEMBERS[type].includes(key)) continue;
    const fields = ['type', ...MEMBERS[type]].join(', ');
    problems.invalid(memberPath(path, key), `is not a field of ${type}; its fields are ${fields}`);
  }
  switch (type) {
    case 'set_category':
      return parseSetCategory(input, path, context);
    case 'add_tag':
    case 'remove_tag': {
      const tagId = parseTag(type, member(input, 'tag_slug'), `${path}.tag_slug`, context);
      return tagId === undefined ? undefined : { type, tag_id: tagId };
    }
    case 'assign_series': {
      const id = parseNamed('series', input, path, context);
      return id === undefined ? undefined : { type, series_id: id };
    }
    case 'assign_counterparty': {
      const id = parseNamed('counterparty', input, path, context);
      return id === undefined ? undefined : { type, counterparty_id: id };
    }
    case 'set_metadata': {
      const key = parseMetadataKey(input, path, context);
      const value = parseMetadataValue(input, path, context);
      return key === undefined || value === undefined ? undefined : { type, metadata_key: key, metadata_value: value };
    }
    case 'remove_metadata': {
      const key = parseMetadataKey(input, path, context);
      return key === undefined ? undefined : { type, metadata_key: key };
    }
    case 'add_comment':
      return parseComment(input, path, context);
    case 'flag':
    case 'unflag':
    default:
      return { type };
  }
}

function parseSetCategory(input: JsonObject, path: string, context: ActionsContext): StoredAction | undefined {
  const { problems, references, previous } = context;
  const keys = ['category_slug', 'category_id'].filter((key) => member(input, key) !== undefined);
  if (keys.length === 0) return problems.invalid(path, 'must name a category by category_slug or category_id');
  const ids = keys.map((key) => parseReference('category', member(input, key), `${path}.${key}`, context));
  const [id, other = id] = ids;
  if (id === undefined || other === undefined) return undefined;
  if (id !== other) return problems.invalid(`${path}.category_slug`, 'names another category than category_id');
  const wasSet = previous?.some((action) => action.type === 'set_category' && action.category_id === id) ?? false;
  if (references.isArchived(id) && !wasSet) {
    return problems.invalid(`${path}.${keys[0]}`, 'names an archived category; take one that is in use');
  }
  return { type: 'set_category', category_id: id };
}

function parseTag(
  type: 'add_tag' | 'remove_tag',
  input: unknown,
  path: string,
  context: ActionsContext,
): string | undefined {
  if (input === undefined) return context.problems.invalid(path, 'is missing');
  if (type === 'remove_tag' || typeof input !== 'string') return parseReference('tag', input, path, context);
  const known = context.references.tag(input);
  if (known !== undefined) return known;
  // What has the form of an id was meant as one; a tag made of it would only hide the mistake.
  if (isUuid(input)) return parseReference('tag', input, path, context);
  return SLUG.test(input)
    ? context.wanted.want('tag', input, path)
    : context.problems.invalid(path, 'must be a slug of 1 to 64 characters: a-z, 0-9, - and :, not - or : at an end');
}

function parseMetadataKey(input: JsonObject, path: string, { problems }: ActionsContext): string | undefined {
  const key = member(input, 'metadata_key');
  if (typeof key !== 'string') return problems.invalid(`${path}.metadata_key`, 'must be a string');
  const fault = metadataKeyFault(key);
  return fault === undefined ? key : problems.invalid(`${path}.metadata_key`, fault);
}

function parseMetadataValue(input: JsonObject, path: string, { problems }: ActionsContext): Json | undefined {
  const at = `${path}.metadata_value`;
  const value = member(input, 'metadata_value');
  if (value === undefined) return problems.invalid(at, 'is missing; null is a value');
  const fault = metadataValueFault(value);
  if (fault !== undefined) return problems.invalid(at, fault);
  if (jsonBytes(value) <= RULE_LIMITS.metadataValueBytes) return value as Json;
  return problems.invalid(at, `must have at most ${RULE_LIMITS.metadataValueBytes} bytes as compact JSON`);
}

function parseComment(input: JsonObject, path: string, { problems }: ActionsContext): StoredAction | undefined {
  const text = member(input, 'content');
  const content = typeof text === 'string' ? text.trim() : '';
  if (content !== '' && isWithin(content, LIMITS.commentChars) && isStorableText(content)) {
    return { type: 'add_comment', content };
  }
  return problems.invalid(`${path}.content`, `must be a text of 1 to ${LIMITS.commentChars} characters`);
}
