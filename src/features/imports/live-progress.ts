import type { Instance } from '../handler.ts';
import type { ImportSummary } from './import-records.contract.ts';
import { progressOf } from './imports.table.ts';
import type { Plan } from './plan.ts';

/** A record as far as its import has come, also where the database shows that only after the commit. */
export function withLiveProgress<T extends Pick<ImportSummary, 'id' | 'status' | 'progress'>>(
  { progress }: Instance,
  record: T,
): T {
  const live = record.status === 'running' ? progress.of(record.id) : undefined;
  return live === undefined ? record : { ...record, progress: JSON.parse(live) as T['progress'] };
}

/** Tells how far the writing of a plan has come. Records that add nothing are done once they are matched. */
export function progressTeller(
  { progress }: Instance,
  importId: string,
  { rows, added }: Plan,
): (phase: 'writing' | 'rules', addedSoFar: number) => void {
  const base = rows.length - added.length;
  return (phase, addedSoFar) => progress.note(importId, progressOf(phase, base + addedSoFar, rows.length));
}
