import type { z } from 'zod';

import { LIMITS } from '../../../kernel/limits.ts';
import type { BackgroundContext, ReadContext, WriteContext } from '../../handler.ts';
import { fitRead, fitWritten } from './fit-result.ts';
import { shortIdsIn } from './short-ids-in.queries.ts';
import type { ToolInfo } from '../tool.ts';
import { cleanOutsideText } from './outside-text.ts';

type Fields = Readonly<Record<string, unknown>>;
type ShortIds = ReadonlyMap<string, string>;
type Context = ReadContext | WriteContext | BackgroundContext;

interface Called {
  /** Names of the arguments that the tool takes. */
  names: readonly string[];
  input: Readonly<Record<string, unknown>>;
  /** The schema of its results. */
  response: z.ZodType;
}

/** Free-form everywhere in the API: in these fields null and ids are values to keep. `set` is metadata in a timeline. */
const FREE_FORM: ReadonlySet<string> = new Set(['metadata', 'set', 'condition', 'conditions']);
/** What rows hold and rules set: fields of ours in which null is a value to keep, and free-form values in them. */
const STATES: ReadonlySet<string> = new Set(['actions', 'before', 'after', 'value', 'this_value', 'other_value']);
/** For tools called outside any surface. */
const USUAL = { maxBytes: LIMITS.agentResponseBytes, masksNumbers: false };

/**
 * What all results have in common (contract 70.2): short ids in place of UUIDs, nothing that is null, clean text from
 * outside, and a limited size. Tools whose results the specification fixes keep theirs.
 */
export async function finishResult(
  context: Context,
  info: ToolInfo,
  { names, input, response }: Called,
  result: object,
): Promise<object> {
  if (info.isExact) return result;
  const { maxBytes, masksNumbers } = context.agent?.results ?? USUAL;
  const known = context.tx
    ? await shortIdsIn(context.tx, result)
    : await context.instance.database.read((tx) => shortIdsIn(tx, result));
  const compacted = compact(result, known) as object;
  const { result: clean, found } = cleanOutsideText(compacted, response, { isMasked: masksNumbers });
  const finished = found.length === 0 ? clean : { ...clean, _untrusted: found };
  return info.effect === 'read'
    ? fitRead(finished, maxBytes, { names, sent: input, isPerCurrency: info.limitsEachCurrency })
    : fitWritten(finished, maxBytes);
}

/** Drops nulls and any `short_id` next to the id it is of, and uses short ids wherever they are known. */
export function compact(value: unknown, shortIds: ShortIds): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item, shortIds));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([name, held]): [string, unknown][] => {
    if (held === null || held === undefined) return [];
    if (FREE_FORM.has(name)) return [[name, held]];
    if (STATES.has(name)) return [[name, withShortIds(held, shortIds)]];
    if (name === 'short_id' && Object.keys(value).some(isIdField)) return [];
    return [[name, isIdField(name) ? shortId(value, name, shortIds) : compact(held, shortIds)]];
  });
  return Object.fromEntries(entries);
}

/** The fields of a row or an action, or several: only ids of ours are replaced in them. */
function withShortIds(held: unknown, shortIds: ShortIds): unknown {
  if (Array.isArray(held)) return held.map((item) => withShortIds(item, shortIds));
  if (!isRecord(held)) return held;
  const entries = Object.entries(held).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'short_id' && 'id' in held) return [];
    if (name === 'actions') return [[name, withShortIds(value, shortIds)]];
    return [[name, isIdField(name) ? shortId(held, name, shortIds) : value]];
  });
  return Object.fromEntries(entries);
}

/** The id in this field, or the ids, as far as they are known. */
function shortId(record: Fields, name: string, shortIds: ShortIds): unknown {
  const held = record[name];
  if (name === 'id' && typeof record['short_id'] === 'string') return record['short_id'];
  if (typeof held === 'string') return shortIds.get(held) ?? held;
  return Array.isArray(held)
    ? held.map((id: unknown) => (typeof id === 'string' ? (shortIds.get(id) ?? id) : id))
    : compact(held, shortIds);
}

/** Names with a dot are those of metadata. */
function isIdField(name: string): boolean {
  return /^(?:id|bound_to|[^.]*_ids?)$/.test(name);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
