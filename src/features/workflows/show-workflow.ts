import type { z } from 'zod';

import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { dollarsOf } from '../../kernel/dollars.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { nextFireAt } from '../workflow-triggers/index.ts';
import { promptOf } from './effective-prompt.ts';
import { householdZone } from '../config/index.ts';
import { fieldsOf } from './workflow-fields.ts';
import type { Workflow } from './workflow-record.contract.ts';
import { selectRunFigures, type LastRun, type RunFigures } from './workflows.queries.ts';

type Shown = z.input<typeof Workflow>;

/** The record of one workflow (contract 60.1). */
export async function showWorkflow(tx: ReadTx, row: WorkflowsTable, now: string): Promise<Shown> {
  const [shown] = await show(tx, [row], now, row.id);
  return shown as Shown;
}

/** The records of all workflows: as many queries as for one. */
export async function showWorkflows(tx: ReadTx, rows: readonly WorkflowsTable[], now: string): Promise<Shown[]> {
  return show(tx, rows, now);
}

async function show(tx: ReadTx, rows: readonly WorkflowsTable[], now: string, only?: string): Promise<Shown[]> {
  const zone = await householdZone(tx);
  const figures = await selectRunFigures(tx, instantAfter(now, -LIMITS.workflowCostMs), only);
  return rows.map((row) => toWorkflow(row, figures.get(row.id) as RunFigures, zone, now));
}

function toWorkflow(row: WorkflowsTable, figures: RunFigures, zone: string, now: string): Shown {
  const { prompt, prompt_blocks, preset_options, allowed_tools, ...fields } = fieldsOf(row);
  const { finishedCount: finished } = figures;
  return {
    id: row.id,
    short_id: row.short_id,
    ...(fields as Pick<Shown, keyof typeof fields>),
    prompt: promptOf({ ...fields, prompt, prompt_blocks, preset_options }),
    prompt_edited: prompt !== null,
    prompt_blocks: [...prompt_blocks],
    preset_options: { ...preset_options },
    allowed_tools: [...allowed_tools],
    next_fire_at: nextFire(row, zone, now),
    last_run: figures.lastRun && toLastRun(figures.lastRun),
    cost_stats_30d: { run_count: figures.runCount, total_cost_usd: dollarsOf(figures.costMicros) },
    recent_error_stats: { error_count: figures.errorCount, run_count: finished },
    recent_cap_stats: { cap_count: figures.capCount, run_count: finished },
    last_prompt_prefix: figures.lastPrefix,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function nextFire(row: WorkflowsTable, zone: string, now: string): string | null {
  const { is_enabled, schedule_cron: cron, quiet_hours_start: start, quiet_hours_end: end } = row;
  if (is_enabled === 0 || cron === null) return null;
  return nextFireAt(cron, start === null || end === null ? null : { start, end }, zone, now);
}

function toLastRun({ total_cost_micros: micros, ...run }: LastRun): NonNullable<Shown['last_run']> {
  return { ...run, total_cost_usd: micros === null ? null : dollarsOf(micros) } as NonNullable<Shown['last_run']>;
}
