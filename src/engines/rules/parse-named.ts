import { LIMITS } from '../../kernel/limits.ts';
import { isStorableText, isWithin, member, type JsonObject } from './json.ts';
import { parseReference, type ValueContext } from './parse-values.ts';

export const SERIES_TYPES = ['subscription', 'bill', 'loan', 'other'] as const;

/** The series or counterparty of an action, by id, by name, or by both when they mean the same record. */
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
        return problems.invalid(`${path}.${key}`, `goes with ${nameKey} alone, not with ${idKey}`);
      }
    }
    const found = parseReference(kind, id, `${path}.${idKey}`, context);
    if (found === undefined || rawName === undefined || (name !== undefined && named === found)) return found;
    return name === undefined ? undefined : problems.invalid(`${path}.${nameKey}`, `names another one than ${idKey}`);
  }
  if (name === undefined || named !== undefined) return named;
  if (mayCreate) return wanted.want(kind, name, `${path}.${nameKey}`, kind === 'series' ? seriesTypeOf(input) : null);
  return problems.unknown(`${path}.${nameKey}`, `names no ${kind}; with "create_if_missing": true it is created`);
}

/** Whether a record may be created; undefined when the fields that say so are wrong. */
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
