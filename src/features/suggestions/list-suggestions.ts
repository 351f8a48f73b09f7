import type { ReadTx } from '../../db/unit-of-work.ts';
import { unknownId } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { findAccount } from '../accounts/index.ts';
import { connections } from '../connections/index.ts';
import { handleRead } from '../handler.ts';
import { loadSubjects, statusOf, toSuggestion } from './suggestion-record.ts';
import { listSuggestions as operation } from './suggestions.contract.ts';
import { selectOpen, selectResolved, type SuggestionRow } from './suggestions.queries.ts';

export const listSuggestions = handleRead(operation, async ({ tx }, { query }) => {
  const wanted = new Set<string>(query.status ?? ['open']);
  const filter = {
    kinds: query.kind,
    connectionId: await idOf(tx, 'connection_id', 'connection', query.connection_id, (...given) =>
      connections.find(...given),
    ),
    accountId: await idOf(tx, 'account_id', 'account', query.account_id, findAccount),
  };
  const resolved = await selectResolved(
    tx,
    filter,
    ['accepted', 'dismissed'].filter((status) => wanted.has(status)),
    LIMITS.suggestionsListed,
  );
  const unresolved = wanted.has('open') || wanted.has('obsolete') ? await selectOpen(tx, filter) : [];
  const subjects = await loadSubjects(tx, unresolved);
  const open = unresolved.filter((row) => wanted.has(statusOf(row, subjects)));
  const shown = newestFirst([...open, ...resolved.rows]).slice(0, LIMITS.suggestionsListed);
  const shownSubjects = await loadSubjects(tx, shown);
  return {
    suggestions: shown.map((row) => toSuggestion(row, shownSubjects)),
    total: open.length + resolved.total,
  };
});

/** How many suggestions about the accounts of each connection are open, and since when. */
export async function countOpenSuggestions(tx: ReadTx): Promise<{ connection_id: string; n: number; since: string }[]> {
  const rows = await selectOpen(tx, {});
  const subjects = await loadSubjects(tx, rows);
  const open = rows.filter((row) => statusOf(row, subjects) === 'open');
  const byConnection = Map.groupBy(open, (row) => subjects.accounts.get(row.account_id)?.connection_id ?? null);
  return [...byConnection].flatMap(([id, own]) => {
    const oldest = own.at(-1);
    return id === null || !oldest ? [] : [{ connection_id: id, n: own.length, since: oldest.created_at }];
  });
}

/** @throws INVALID_PARAMETER */
async function idOf(
  tx: ReadTx,
  path: string,
  kind: string,
  anyId: string | undefined,
  find: (tx: ReadTx, anyId: string) => Promise<{ id: string } | undefined>,
): Promise<string | undefined> {
  if (anyId === undefined) return undefined;
  const found = await find(tx, anyId);
  if (!found) throw unknownId(path, kind, anyId);
  return found.id;
}

function newestFirst(rows: readonly SuggestionRow[]): SuggestionRow[] {
  return [...rows].sort((a, b) => order(b, a));
}

function order(a: SuggestionRow, b: SuggestionRow): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
