import type { ReadTx } from '../../db/unit-of-work.ts';
import { invalidParameter, type AppError } from '../../kernel/errors.ts';
import { selectUserIds } from './users.queries.ts';

/**
 * UUIDs of household members named by UUID or short_id, without duplicates.
 * @throws INVALID_PARAMETER on `path` for one that nobody has.
 */
export async function resolveUserIds(tx: ReadTx, anyIds: readonly string[], path: string): Promise<string[]> {
  if (anyIds.length === 0) return [];
  const known = new Map<string, string>();
  for (const { id, short_id } of await selectUserIds(tx, anyIds)) known.set(id, id).set(short_id, id);
  const resolved = anyIds.map((anyId) => {
    const id = known.get(anyId);
    if (id === undefined) throw unknownUser(path, anyId);
    return id;
  });
  return [...new Set(resolved)];
}

/** @returns the INVALID_PARAMETER error for a name that no household member has. */
export function unknownUser(path: string, anyId: string): AppError {
  return invalidParameter(path, `${path}: ${JSON.stringify(anyId.slice(0, 100))} is not a known household member.`);
}
