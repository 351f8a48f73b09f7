import type { ReadTx } from '../../db/unit-of-work.ts';
import type { JournaledChange } from '../../journal/undo.ts';
import {
  selectNameChanges,
  selectNamedNow,
  selectTagIdsEver,
  type NamedRow,
  type NamedType,
} from './annotations.queries.ts';

/** What something was called when a change set was written. */
export type NameAt = (id: string, changeSetId: string) => NamedRow | null;

/**
 * Reads the names that entities had in the past: what stands now, walked back through the changes that came later.
 * So a name is stored once, in the journal of its own entity, and never beside the rows that mention it.
 */
export async function namesAt(tx: ReadTx, type: NamedType, ids: readonly string[]): Promise<NameAt> {
  const now = new Map((await selectNamedNow(tx, type, ids)).map((row) => [row.id, row]));
  const changes = new Map<string, JournaledChange[]>();
  for (const change of await selectNameChanges(tx, type, ids)) {
    const id = change.entityId as string;
    changes.set(id, [...(changes.get(id) ?? []), change]);
  }
  return (id, changeSetId) => {
    let then: Partial<NamedRow> = { ...now.get(id) };
    for (const change of [...(changes.get(id) ?? [])].reverse()) {
      if (!isLater(change, changeSetId)) break;
      then = change.operation === 'update' ? { ...then, ...nameOf(change.before) } : nameOf(change.before);
    }
    const { name, slug = null, parent_id: parentId = null } = then;
    return name === undefined ? null : { id, name, slug, parent_id: parentId };
  };
}

/** What a set deletes still had its name while the set took it off the transactions. */
function isLater({ changeSetId, operation }: JournaledChange, than: string): boolean {
  return changeSetId > than || (changeSetId === than && operation === 'delete');
}

/** Categories with those above them, now or at any time before. */
export async function categoryNamesAt(tx: ReadTx, ids: readonly string[]): Promise<NameAt> {
  const now = await selectNamedNow(tx, 'category', ids);
  const changes = await selectNameChanges(tx, 'category', ids);
  const parents = [...now.map((row) => row.parent_id), ...changes.map(({ before }) => before?.['parent_id'])];
  const known = parents.filter((id): id is string => typeof id === 'string');
  return namesAt(tx, 'category', [...new Set([...ids, ...known])]);
}

/** The tag that a slug named at the time; a slug may have been given again after a deletion. */
export async function tagNamesAt(tx: ReadTx, slugs: ReadonlySet<string>): Promise<NameAt> {
  const ids = await selectTagIdsEver(tx, slugs);
  const nameAt = await namesAt(tx, 'tag', [...ids.values()].flat());
  return (slug, changeSetId) => {
    for (const id of ids.get(slug) ?? []) {
      const name = nameAt(id, changeSetId);
      if (name) return name;
    }
    return null;
  };
}

function nameOf(before: JournaledChange['before']): Partial<NamedRow> {
  const found: Record<string, unknown> = {};
  for (const field of ['name', 'slug', 'parent_id']) if (before && field in before) found[field] = before[field];
  return found;
}
