import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { dollarsOf } from '../../kernel/dollars.ts';
import type { FailedRun, WorkflowRun } from './run-record.contract.ts';
import { selectTraces, type RunRow, type RunTraces } from './workflow-runs.queries.ts';

export type RunRecord = z.input<typeof WorkflowRun>;

/** The records of runs, in the order given (contract 60.4). */
export async function showRuns(tx: ReadTx, rows: readonly RunRow[]): Promise<RunRecord[]> {
  const traces = await selectTraces(tx, rows);
  return rows.flatMap((row) => {
    const found = traces.get(row.id);
    return found ? [toRun(row, found)] : [];
  });
}

export async function showRun(tx: ReadTx, row: RunRow): Promise<RunRecord> {
  const [record] = await showRuns(tx, [row]);
  if (!record) throw new Error('A run has no record.');
  return record;
}

function toRun(row: RunRow, traces: RunTraces): RunRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    workflow_id: traces.isWorkflowThere ? row.workflow_id : null,
    workflow_slug: row.workflow_slug,
    workflow_name: row.workflow_name,
    trigger: row.trigger as RunRecord['trigger'],
    status: row.status as RunRecord['status'],
    skip_reason: row.skip_reason as RunRecord['skip_reason'],
    cancel_requested: row.cancel_requested_at !== null,
    tool_scope: row.tool_scope as RunRecord['tool_scope'],
    started_at: row.started_at,
    completed_at: row.completed_at,
    duration_ms: row.duration_ms,
    model_provider: row.model_provider,
    model: row.model,
    total_cost_usd: row.total_cost_micros === null ? null : dollarsOf(row.total_cost_micros),
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cache_read_tokens: row.cache_read_tokens,
    cache_creation_tokens: row.cache_creation_tokens,
    turn_count: row.turn_count,
    num_tool_calls: row.num_tool_calls,
    max_turns_used: row.max_turns_used,
    hit_cap: row.hit_cap as RunRecord['hit_cap'],
    error_code: row.error_code as RunRecord['error_code'],
    error_message: row.error_message,
    result_text: row.result_text,
    operator_note: row.operator_note,
    prompt_prefix: row.prompt_prefix,
    started_by: { type: row.starter_type, id: row.starter_id, name: row.starter_name },
    report_ids: [...traces.reportIds],
    proposal_id: traces.proposalId,
    change_set_count: traces.changeSetCount,
    change_set_status: traces.changeSetStatus,
    has_transcript: row.transcript_lines > 0,
    created_at: row.created_at,
  };
}

export function toFailedRun(row: RunRow): z.input<typeof FailedRun> {
  const run = row as unknown as Pick<RunRecord, 'status' | 'error_code' | 'hit_cap'>;
  return {
    workflow_slug: row.workflow_slug,
    workflow_name: row.workflow_name,
    run_id: row.id,
    run_short_id: row.short_id,
    status: run.status,
    started_at: row.started_at,
    error_code: run.error_code,
    error_message: row.error_message,
    duration_ms: row.duration_ms,
    hit_cap: run.hit_cap,
  };
}
