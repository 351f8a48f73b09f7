import type { z } from 'zod';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { SyncLog, SyncLogDetail } from '../sync-record.contract.ts';
import { selectExistingRules, type SyncLogRow, type SyncStatistics } from './sync-history.queries.ts';

type Listed = z.output<typeof SyncLog>;
type Detail = z.output<typeof SyncLogDetail>;
type RuleHits = Listed['rule_hits'];

/** Sync logs as lists show them. */
export async function toSyncLogs(tx: ReadTx, rows: readonly SyncLogRow[]): Promise<Listed[]> {
  const hits = rows.map((row) => JSON.parse(row.rule_hits) as RuleHits);
  const existing = await selectExistingRules(tx, [...new Set(hits.flat().map(({ rule_id: id }) => id))]);
  const named = (one: RuleHits[number]): RuleHits[number] =>
    existing.has(one.rule_id) ? one : { ...one, rule_name: 'Deleted rule' };
  return rows.map((row, at) => toSyncLog(row, (hits[at] as RuleHits).map(named)));
}

function toSyncLog(row: SyncLogRow, hits: RuleHits): Listed {
  return {
    id: row.id,
    short_id: row.short_id,
    connection_id: row.connection_id,
    provider: row.provider as Listed['provider'],
    institution_name: row.institution_name,
    status: row.status as Listed['status'],
    trigger: row.trigger as Listed['trigger'],
    started_at: row.started_at,
    finished_at: row.finished_at,
    duration_ms: row.duration_ms,
    added_count: row.added_count,
    modified_count: row.modified_count,
    removed_count: row.removed_count,
    unchanged_count: row.unchanged_count,
    skipped_count: row.skipped_count,
    rule_hits: hits,
    total_rule_hits: row.total_rule_hits,
    accounts_affected: row.accounts_affected,
    error_code: row.error_code,
    error_message: row.error_message,
    warning_count: row.warning_count,
    warning_message: row.warning_message,
  };
}

/** A sync log with its accounts and warnings. */
export async function toSyncLogDetail(tx: ReadTx, row: SyncLogRow): Promise<Detail> {
  const [listed] = (await toSyncLogs(tx, [row])) as [Listed];
  return {
    ...listed,
    accounts: JSON.parse(row.accounts) as Detail['accounts'],
    warnings: JSON.parse(row.warnings) as Detail['warnings'],
    provider_error: row.provider_error === null ? null : (JSON.parse(row.provider_error) as Detail['provider_error']),
    is_full: row.is_full === 1,
    change_set_id: row.change_set_id,
  };
}

/** Percentage of finished syncs that succeeded, with one decimal; null if none has finished. */
export function successRate({
  success_count: successes,
  error_count: errors,
}: Pick<SyncStatistics, 'success_count' | 'error_count'>): number | null {
  return successes + errors === 0 ? null : Math.round((successes * 1_000) / (successes + errors)) / 10;
}
