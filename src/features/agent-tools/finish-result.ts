import type { BackgroundContext, ReadContext, WriteContext } from '../handler.ts';
import { shortIdsIn } from './short-ids-in.queries.ts';
import type { ToolInfo } from './tool.ts';

type Context = ReadContext | WriteContext | BackgroundContext;

/**
 * What all results have in common: short ids in place of UUIDs, nothing that is null, and which text is from outside
 * (contract 70.2). Tools whose results the specification fixes keep theirs.
 */
export async function finishResult(context: Context, info: ToolInfo, result: object): Promise<object> {
  if (info.isExact) return result;
  const known =
    'tx' in context
      ? await shortIdsIn(context.tx, result)
      : await context.instance.database.read((tx) => shortIdsIn(tx, result));
  const compacted = compact(result, known) as object;
  return info.untrusted.length === 0 ? compacted : { ...compacted, _untrusted: info.untrusted };
}

/** Without nulls, without `short_id` beside an `id`, and with short ids wherever they are known. */
function compact(value: unknown, shortIds: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item, shortIds));
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Readonly<Record<string, unknown>>;
  const entries = Object.entries(record).flatMap(([name, held]): [string, unknown][] => {
    if (held === null || held === undefined) return [];
    if (name === 'short_id' && 'id' in record) return [];
    if (name === 'id' && typeof record['short_id'] === 'string') return [[name, record['short_id']]];
    if (isIdField(name) && typeof held === 'string') return [[name, shortIds.get(held) ?? held]];
    return [[name, compact(held, shortIds)]];
  });
  return Object.fromEntries(entries);
}

export function isIdField(name: string): boolean {
  return name === 'id' || name.endsWith('_id');
}
