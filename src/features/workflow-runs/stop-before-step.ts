import { dollarsOf } from '../../kernel/dollars.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { INTERRUPTED, type Ending } from './end-run.ts';
import type { RunDefinition } from './run-definition.ts';
import type { RunRow } from './run-leases.ts';
import { LeaseLost, RunStop, type RunControl } from './run-stop.ts';

const MS_PER_SECOND = 1_000;

/** Where a run stands between two steps. */
export interface RunState {
  readonly row: RunRow;
  readonly caps: RunDefinition['caps'];
  readonly control: RunControl;
  /** Milliseconds. */
  readonly now: number;
}

/** Why there is no further step, in the order of contract 60.5. @throws LeaseLost */
export function stopBeforeStep(state: RunState): Ending | undefined {
  const { row, caps, control } = state;
  const stop = stopNow(state);
  if (stop) return stop;
  const turns = caps.maxTurns ?? LIMITS.workflowTurns;
  if (row.turn_count >= turns) return { kind: 'capped', cap: 'max_turns', limit: turns, used: row.turn_count };
  const spent = row.total_cost_micros ?? 0;
  if (caps.budgetMicros !== null && spent >= caps.budgetMicros) {
    const cap = row.is_budget_of_household === 1 ? 'household_budget' : 'max_budget';
    return { kind: 'capped', cap, limit: dollarsOf(caps.budgetMicros), used: dollarsOf(spent) };
  }
  const tokens = row.input_tokens + row.output_tokens + row.cache_read_tokens + row.cache_creation_tokens;
  // Whatever the run began with: without a price, nothing else would hold.
  const mostTokens = caps.maxTokens ?? (row.total_cost_micros === null ? LIMITS.workflowUnpricedTokens : Infinity);
  if (tokens >= mostTokens) return { kind: 'capped', cap: 'max_tokens', limit: mostTokens, used: tokens };
  return control.isStopping() ? INTERRUPTED : undefined;
}

/** Why even an outstanding request is not awaited. @throws LeaseLost */
export function stopNow({ row, caps, control, now }: RunState): Ending | undefined {
  const reason: unknown = control.signal.reason;
  const kind = reason instanceof RunStop ? reason.kind : undefined;
  if (kind === 'lost') throw new LeaseLost();
  if (kind === 'cancelled' || row.cancel_requested_at !== null) return { kind: 'cancelled' };
  if (kind === 'max_duration' || now >= control.endsAt) {
    const used = Math.round((now - control.endsAt + caps.maxDurationMs) / MS_PER_SECOND);
    return { kind: 'capped', cap: 'max_duration', limit: caps.maxDurationMs / MS_PER_SECOND, used };
  }
  return kind === 'interrupted' ? INTERRUPTED : undefined;
}
