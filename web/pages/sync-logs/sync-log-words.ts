import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getSyncLog, listSyncLogs } from '../../../src/features/sync/sync.contract.ts';
import type { StatusTone } from '../../components/status.tsx';
import { inDigits } from '../../lib/numbers.ts';

export type SyncLog = OutputOf<typeof listSyncLogs>['sync_logs'][number];
export type SyncLogDetail = OutputOf<typeof getSyncLog>;

export const STATUS_WORDS: Readonly<Record<SyncLog['status'], { tone: StatusTone; word: string }>> = {
  in_progress: { tone: 'info', word: 'Running' },
  success: { tone: 'success', word: 'Done' },
  error: { tone: 'danger', word: 'Failed' },
};

export const TRIGGER_WORDS: Readonly<Record<SyncLog['trigger'], string>> = {
  cron: 'On schedule',
  webhook: 'The bank had news',
  manual: 'By hand',
  initial: 'First sync',
};

/** What a sync did, in one line. */
export function outcomeOf(log: SyncLog): string {
  if (log.status === 'in_progress') return 'Under way';
  if (log.status === 'error') return log.error_message ?? 'It failed.';
  const parts = [
    [log.added_count, 'new'],
    [log.modified_count, 'changed'],
    [log.removed_count, 'removed'],
    [log.skipped_count, 'could not be read'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${inDigits(count)} ${word}`);
  return said.length === 0 ? 'Nothing new' : said.join(', ');
}
