import { dollarsOf } from '../../kernel/dollars.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { closePlan } from '../proposals/index.ts';
import type { RunRow } from './run-leases.ts';
import type { Cap } from './run-definition.ts';
import type { RunRecord } from './run-record.ts';
import { tellOfFailure } from './tell-of-failure.ts';
import type { Line } from './transcript.ts';

export type RunErrorCode =
  | 'auth_error'
  | 'api_error'
  | 'network_error'
  | 'context_too_long'
  | 'tool_error'
  | 'unusable_answer'
  | 'interrupted'
  | 'unknown';

/** How a run ends (contract 60.4, status machine). */
export type Ending =
  | { kind: 'answered' }
  | { kind: 'capped'; cap: Cap; limit: number; used: number }
  | { kind: 'cancelled' }
  | { kind: 'failed'; code: RunErrorCode; message: string };

export const INTERRUPTED: Ending = {
  kind: 'failed',
  code: 'interrupted',
  message: 'Homeledger stopped while the run was in progress. What it had done until then is kept.',
};

/** Closes a run for good: its plan, its last line, its status and its lease, in one transaction. @throws LeaseLost */
export async function endRun(
  instance: Instance,
  record: RunRecord,
  ending: Ending,
  text: string | null,
): Promise<void> {
  const { row } = record;
  const status = statusOf(ending);
  const fields = {
    status,
    hit_cap: ending.kind === 'capped' ? ending.cap : null,
    error_code: ending.kind === 'failed' ? ending.code : null,
    error_message: ending.kind === 'failed' ? shortText(record.masked(ending.message), LIMITS.runErrorChars) : null,
    result_text: text === null || text === '' ? null : shortText(record.masked(text), LIMITS.runResultChars),
  };
  await record.end([...linesOf(ending), resultLine(row, ending, status)], fields, async (tx, ended) => {
    await closePlan(tx, row.id);
    await tellOfFailure(tx, ended);
  });
  // What waited for its end can begin.
  instance.wakeRuns();
}

function statusOf(ending: Ending): 'success' | 'timeout' | 'cancelled' | 'error' {
  if (ending.kind === 'capped') return ending.cap === 'max_duration' ? 'timeout' : 'success';
  return ({ answered: 'success', cancelled: 'cancelled', failed: 'error' } as const)[ending.kind];
}

function linesOf(ending: Ending): Line[] {
  if (ending.kind === 'capped') {
    const { cap, limit, used } = ending;
    return [{ type: 'cap_hit', data: { cap, limit, used } }];
  }
  if (ending.kind === 'failed') return [{ type: 'error', data: { code: ending.code, message: ending.message } }];
  return [];
}

function resultLine(row: RunRow, ending: Ending, status: string): Line {
  return {
    type: 'result',
    data: {
      status,
      stop_reason: stopReasonOf(ending),
      total_cost_usd: row.total_cost_micros === null ? null : dollarsOf(row.total_cost_micros),
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      cache_read_tokens: row.cache_read_tokens,
      cache_creation_tokens: row.cache_creation_tokens,
      turn_count: row.turn_count,
      num_tool_calls: row.num_tool_calls,
    },
  };
}

function stopReasonOf(ending: Ending): string {
  if (ending.kind === 'answered') return 'end_turn';
  if (ending.kind === 'capped') return ending.cap;
  if (ending.kind === 'cancelled') return 'cancelled';
  return ending.code === 'interrupted' ? 'interrupted' : 'error';
}

/** Neither database can store any other text. */
function shortText(text: string, most: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed();
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`;
}
