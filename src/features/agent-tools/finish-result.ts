import { LIMITS } from '../../kernel/limits.ts';
import type { BackgroundContext, ReadContext, WriteContext } from '../handler.ts';
import { fitRead, fitWritten } from './fit-result.ts';
import { shortIdsIn } from './short-ids-in.queries.ts';
import type { ToolInfo } from './tool.ts';
import { cleanUntrusted } from './untrusted-text.ts';

type Context = ReadContext | WriteContext | BackgroundContext;

interface Called {
  /** Names of the arguments that the tool takes. */
  names: readonly string[];
  input: Readonly<Record<string, unknown>>;
}

/** Free-form everywhere in the API: in these fields null and ids are values to keep. */
const FREE_FORM: ReadonlySet<string> = new Set(['metadata', 'condition', 'conditions', 'actions', 'before', 'after']);
/** For tools called outside any surface. */
const USUAL = { maxBytes: LIMITS.agentResponseBytes, masksNumbers: false };

/**
 * What all results have in common (contract 70.2): short ids in place of UUIDs, nothing that is null, clean text from
 * outside, and a limited size. Tools whose results the specification fixes keep theirs.
 */
export async function finishResult(
  context: Context,
  info: ToolInfo,
  { names, input }: Called,
  result: object,
): Promise<object> {
  if (info.isExact) return result;
  const { maxBytes, masksNumbers } = context.agent?.results ?? USUAL;
  const known = context.tx
    ? await shortIdsIn(context.tx, result)
    : await context.instance.database.read((tx) => shortIdsIn(tx, result));
  const compacted = compact(result, known) as object;
  const { result: clean, found } = cleanUntrusted(compacted, info.untrusted, { isMasked: masksNumbers });
  const finished = found.length === 0 ? clean : { ...clean, _untrusted: found };
  return info.effect === 'read' ? fitRead(finished, maxBytes, { names, sent: input }) : fitWritten(finished, maxBytes);
}

/** Drops nulls and any `short_id` next to an `id`, and uses short ids wherever they are known. */
export function compact(value: unknown, shortIds: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item, shortIds));
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Readonly<Record<string, unknown>>;
  const entries = Object.entries(record).flatMap(([name, held]): [string, unknown][] => {
    if (held === null || held === undefined) return [];
    if (FREE_FORM.has(name)) return [[name, held]];
    if (name === 'short_id' && 'id' in record) return [];
    if (name === 'id' && typeof record['short_id'] === 'string') return [[name, record['short_id']]];
    if (isIdField(name) && typeof held === 'string') return [[name, shortIds.get(held) ?? held]];
    return [[name, compact(held, shortIds)]];
  });
  return Object.fromEntries(entries);
}

function isIdField(name: string): boolean {
  return name === 'id' || name.endsWith('_id');
}
