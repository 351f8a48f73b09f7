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
 * The names that entities had in the past: their present names, minus the later changes. So a name is stored once, in
 * the journal of its own entity, and never in the changes of other entities.
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

/** Whether a change came later than a set, or is a deletion in it: a set removes a record from transactions before it deletes it. */
function isLater({ changeSetId, operation }: JournaledChange, than: string): boolean {
  return changeSetId > than || (changeSetId === than && operation === 'delete');
}

/** Categories with their parents, present and former. */
export async function categoryNamesAt(tx: ReadTx, ids: readonly string[]): Promise<NameAt> {
  const now = await selectNamedNow(tx, 'category', ids);
  const changes = await selectNameChanges(tx, 'category', ids);
  const parents = [...now.map((row) => row.parent_id), ...changes.map(({ before }) => before?.['parent_id'])];
  const known = parents.filter((id): id is string => typeof id === 'string');
  return namesAt(tx, 'category', [...new Set([...ids, ...known])]);
}

/** The tag that had a slug at the time: after a deletion, another tag may have got it. */
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
