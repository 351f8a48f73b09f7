import type { ChangeSetRow } from '../../journal/journal.queries.ts';
import type { JournaledChange } from '../../journal/undo.ts';
import { isDeliveredField } from '../facets/index.ts';
import type { Telling } from './facet-entries.ts';

/** What a bank's file or a sync changed of the values it had delivered; null when it changed none. */
export function tellDelivered(
  change: JournaledChange,
  set: ChangeSetRow & { file_name: string | null },
  provider: string,
): Telling | null {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [field, to] of Object.entries(change.after ?? {})) {
    if (isDeliveredField(field)) changes[field] = { from: change.before?.[field] ?? null, to };
  }
  const fields = Object.keys(changes);
  if (fields.length === 0) return null;
  const clause = fields.map((field) => clauseOf(field, changes[field] as { from: unknown; to: unknown })).join(', ');
  const isSync = set.source === 'sync';
  return {
    kind: isSync ? 'sync_updated' : 'import_updated',
    about: 'delivered',
    payload: isSync
      ? { provider, connection_id: set.actor_id, sync_log_id: set.sync_log_id, changes }
      : { import_id: set.import_id, file_name: set.file_name, changes },
    clause,
  };
}

function clauseOf(field: string, { from, to }: { from: unknown; to: unknown }): string {
  if (field === 'pending') return to === true ? 'marked it pending' : 'marked it posted';
  const shown = (value: unknown): string =>
    value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return `changed ${field} from ${shown(from)} to ${shown(to)}`;
}
