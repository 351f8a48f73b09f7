import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** What the household has spent on models in 30 days, and what it allows (contract 60.7). In millionths of a dollar. */
export interface Budget {
  spentMicros: number;
  /** What runs in progress may still spend. */
  reservedMicros: number;
  /** null: no ceiling. */
  ceilingMicros: number | null;
  /** null without a ceiling; below zero if a run went over by its last step, or the ceiling was lowered. */
  availableMicros: number | null;
}

export async function readBudget(tx: ReadTx, now: string, ceilingMicros: number | null): Promise<Budget> {
  const since = instantAfter(now, -LIMITS.workflowCostMs);
  const { rows } = await sql<{ spent: number | null; reserved: number | null }>`select
    (select cast(sum(cost_micros) as bigint) from workflow_spending where started_at >= ${since}) as spent,
    (select cast(sum(case when budget_micros > coalesce(total_cost_micros, 0)
      then budget_micros - coalesce(total_cost_micros, 0) else 0 end) as bigint)
      from workflow_runs where status = 'in_progress') as reserved`.execute(tx.q);
  const spentMicros = rows[0]?.spent ?? 0;
  const reservedMicros = rows[0]?.reserved ?? 0;
  return {
    spentMicros,
    reservedMicros,
    ceilingMicros,
    availableMicros: ceilingMicros === null ? null : ceilingMicros - spentMicros - reservedMicros,
  };
}

/** The dollar cap of a run, and whether the household's ceiling made it smaller than the workflow's own. */
export interface DollarCap {
  micros: number | null;
  isOfHousehold: boolean;
}

/** `own`: of the workflow, 0 for none. `available`: null without a ceiling. */
export function dollarCapOf(own: number, available: number | null): DollarCap {
  if (available === null) return { micros: own === 0 ? null : own, isOfHousehold: false };
  const isOfHousehold = own === 0 || available < own;
  return { micros: isOfHousehold ? available : own, isOfHousehold };
}
