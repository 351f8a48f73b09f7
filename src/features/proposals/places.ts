import type { Reference } from '../../journal/replay.ts';
import type { EntityUndos } from '../../journal/undo.ts';
import { replayOf, type StoredChange } from './planned-changes.ts';

/** Which change creates the row that a reference leads to. */
export function creatorsOf(undos: EntityUndos, changes: readonly StoredChange[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const change of changes) {
    if (change.operation !== 'create') continue;
    for (const place of placesOf(undos, change)) found.set(place, change.sequence);
  }
  return found;
}

/** Where references to a row that is created or deleted lead. */
export function placesOf(undos: EntityUndos, change: StoredChange): string[] {
  const { entityType, entityId, entityShortId, before, after } = change;
  const { table } = replayOf(undos, entityType);
  const slug = (after ?? before)?.['slug'];
  return [
    placeOf({ table, column: 'id' }, entityId),
    ...(entityShortId === null ? [] : [placeOf({ table, column: 'short_id' }, entityShortId)]),
    ...(typeof slug === 'string' ? [placeOf({ table, column: 'slug' }, slug)] : []),
  ];
}

export function placeOf({ table, column }: Pick<Reference, 'table' | 'column'>, value: string): string {
  return `${table}.${column} ${value}`;
}

/** What refers to each place before the plan. */
export function usersOf(undos: EntityUndos, changes: readonly StoredChange[]): ReadonlyMap<string, StoredChange[]> {
  const users = new Map<string, StoredChange[]>();
  for (const change of changes) {
    if (change.before === null) continue;
    const earlier = { ...change, after: change.before, hidden: change.hiddenBefore };
    for (const reference of replayOf(undos, change.entityType).referencesOf(earlier)) {
      const place = placeOf(reference, reference.value);
      const known = users.get(place);
      if (known) known.push(change);
      else users.set(place, [change]);
    }
  }
  return users;
}
