import { sql, type Insertable } from 'kysely';

import { shortIdFor } from '../../db/short-ids.ts';
import type { WorkflowRunsTable, WorkflowsTable } from '../../db/schema-workflows.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { afterQuietHours } from '../../kernel/quiet-hours.ts';
import { toolsOf } from '../agent-tools/index.ts';
import { actorOf, type Instance, type Principal } from '../handler.ts';
import { BUILT_IN_SYSTEM_PROMPT } from '../workflow-presets/index.ts';
import {
  modelFor,
  modelRefusal,
  priceOf,
  readModelSettings,
  switchedOff,
  type ModelSettings,
} from '../workflow-settings/index.ts';
import { householdZone } from '../config/index.ts';
import { effectivePrompt } from '../workflows/index.ts';
import { dollarCapOf, readBudget, type Budget, type DollarCap } from './budget.ts';
import type { RunCaps, RunDefinition, RunTrigger, ToolScope } from './run-definition.ts';
import { RUN_COLUMNS, type RunRow } from './workflow-runs.queries.ts';

/** Why an automatic start did not become a run. */
export type SkipReason = 'quiet_hours' | 'already_running' | 'concurrency' | 'budget_ceiling' | 'model_not_configured';

export interface WantedRun {
  workflow: WorkflowsTable;
  trigger: RunTrigger;
  /** Put before the prompt, for this run. */
  prefix?: string | null;
  /** Instead of the stored prompt, for this run. */
  prompt?: string | null;
  /** Who starts it by hand. */
  principal?: Principal | null;
}

export type Start =
  | { kind: 'started'; run: RunRow }
  /** A gate stopped an automatic start; a row says so. */
  | { kind: 'skipped'; reason: SkipReason; run: RunRow }
  /** A gate stopped a start by hand; nothing is stored. */
  | { kind: 'refused'; error: AppError }
  /** Workflows are switched off, or this one is paused: an automatic start does not happen at all. */
  | { kind: 'nothing' };

/**
 * Passes the gates of contract 60.4 and stores the run, all in the transaction of the caller, so that two starts cannot
 * both pass. A server process works on it as soon as this is committed.
 */
export async function startRun(tx: WriteTx, instance: Instance, wanted: WantedRun): Promise<Start> {
  const { workflow, trigger } = wanted;
  const isManual = trigger === 'manual';
  const settings = await readModelSettings(tx, instance);
  if (!settings.isEnabled) return isManual ? { kind: 'refused', error: switchedOff() } : { kind: 'nothing' };
  if (!isManual && workflow.is_enabled === 0) return { kind: 'nothing' };
  const budget = await readBudget(tx, tx.now, settings.ceilingMicros);
  const refusal = await findRefusal(tx, wanted, settings, budget);
  if (refusal && isManual) return { kind: 'refused', error: refusal.error };
  if (refusal) return { kind: 'skipped', reason: refusal.reason, run: await insertSkipped(tx, wanted, refusal.reason) };
  const run = await insertStarted(tx, wanted, settings, budget);
  tx.afterCommit(() => instance.wakeRuns());
  return { kind: 'started', run };
}

interface Refusal {
  reason: SkipReason;
  error: AppError;
}

/** Gates 3 to 8, in this order. */
async function findRefusal(
  tx: WriteTx,
  { workflow, trigger }: WantedRun,
  settings: ModelSettings,
  { availableMicros }: Budget,
): Promise<Refusal | undefined> {
  const lack = modelRefusal(settings, choiceFor(workflow, settings));
  if (lack) return { reason: 'model_not_configured', error: lack };
  if (trigger !== 'manual' && (await isQuiet(tx, workflow))) return { reason: 'quiet_hours', error: quiet() };
  const { own, all } = await countRunning(tx, workflow.id);
  if (own > 0) return { reason: 'already_running', error: running() };
  if (all >= settings.maxConcurrent) return { reason: 'concurrency', error: tooMany(settings.maxConcurrent) };
  if (availableMicros !== null && availableMicros <= 0) return { reason: 'budget_ceiling', error: spent() };
  return undefined;
}

function choiceFor({ model_tier: tier, model }: WorkflowsTable, settings: ModelSettings) {
  return modelFor(settings, { tier: tier as 'fast' | 'balanced' | 'deep', model });
}

async function isQuiet(
  tx: WriteTx,
  { quiet_hours_start: start, quiet_hours_end: end }: WorkflowsTable,
): Promise<boolean> {
  if (start === null || end === null) return false;
  const now = Date.parse(tx.now);
  return afterQuietHours({ start, end }, await householdZone(tx), now) !== now;
}

async function countRunning(tx: WriteTx, workflowId: string): Promise<{ own: number; all: number }> {
  const { rows } = await sql<{ own: number | null; count: number }>`select count(*) as count,
    cast(sum(case when workflow_id = ${workflowId} then 1 else 0 end) as bigint) as own
    from workflow_runs where status = 'in_progress'`.execute(tx.q);
  return { own: rows[0]?.own ?? 0, all: rows[0]?.count ?? 0 };
}

async function insertSkipped(tx: WriteTx, wanted: WantedRun, reason: SkipReason): Promise<RunRow> {
  return insertRun(tx, wanted, {
    status: 'skipped',
    skip_reason: reason,
    completed_at: tx.now,
    duration_ms: 0,
    total_cost_micros: 0,
  });
}

async function insertStarted(
  tx: WriteTx,
  wanted: WantedRun,
  settings: ModelSettings,
  { availableMicros }: Budget,
): Promise<RunRow> {
  const { workflow } = wanted;
  const choice = choiceFor(workflow, settings);
  if (!choice) throw new Error('The gates let a run pass that has no model.');
  const isPriced = priceOf(settings, choice.name) !== null;
  // Without a price there is nothing that a dollar cap could be compared with.
  const dollars = isPriced
    ? dollarCapOf(workflow.max_budget_micros, availableMicros)
    : { micros: null, isOfHousehold: false };
  const caps = capsOf(wanted, dollars, isPriced);
  const prefix = wanted.prompt == null ? (wanted.prefix ?? null) : null;
  const definition: RunDefinition = {
    systemPrompt: workflow.system_prompt ?? BUILT_IN_SYSTEM_PROMPT,
    prompt: withPrefix(wanted.prompt ?? effectivePrompt(workflow), prefix),
    isComposed: workflow.prompt === null && wanted.prompt == null,
    toolScope: workflow.tool_scope as ToolScope,
    tools: toolsOf(workflow.tool_scope as ToolScope, JSON.parse(workflow.allowed_tools) as string[], {
      isAfterSync: wanted.trigger === 'after_sync',
    }),
    provider: choice.provider,
    model: choice.name,
    caps,
  };
  return insertRun(tx, wanted, {
    status: 'in_progress',
    total_cost_micros: isPriced ? 0 : null,
    max_turns_used: caps.maxTurns,
    prompt_prefix: prefix,
    definition: JSON.stringify(definition),
    budget_micros: caps.budgetMicros,
    is_budget_of_household: dollars.isOfHousehold ? 1 : 0,
  });
}

function capsOf({ workflow, trigger }: WantedRun, { micros }: DollarCap, isPriced: boolean): RunCaps {
  const { max_turns: turns, max_tokens: tokens, max_duration_seconds: seconds } = workflow;
  const unlimited = isPriced ? null : LIMITS.workflowUnpricedTokens;
  const durationMs = seconds * 1_000;
  return {
    maxTurns: turns === 0 ? null : turns,
    budgetMicros: micros,
    maxTokens: tokens === 0 ? unlimited : tokens,
    maxDurationMs: trigger === 'after_sync' ? Math.min(durationMs, LIMITS.workflowAfterSyncMaxMs) : durationMs,
  };
}

function withPrefix(prompt: string, prefix: string | null): string {
  return prefix === null ? prompt : `## Note from the operator\n\n${prefix}\n\n${prompt}`;
}

async function insertRun(
  tx: WriteTx,
  wanted: WantedRun,
  fields: Partial<Insertable<WorkflowRunsTable>>,
): Promise<RunRow> {
  const { workflow, trigger } = wanted;
  return tx.q
    .insertInto('workflow_runs')
    .values({
      id: tx.ids.uuid(),
      short_id: await shortIdFor(tx, 'workflow_runs'),
      workflow_id: workflow.id,
      workflow_slug: workflow.slug,
      workflow_name: workflow.name,
      trigger,
      tool_scope: workflow.tool_scope,
      started_at: tx.now,
      created_at: tx.now,
      is_after_sync: trigger === 'after_sync' ? 1 : 0,
      ...starterOf(wanted),
      status: 'skipped',
      ...fields,
    })
    .returning(RUN_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** What the record says of an automatic start. */
const STARTERS = { cron: 'schedule', after_sync: 'sync', manual: 'workflows' } as const;

function starterOf({ trigger, principal }: WantedRun): {
  starter_type: string;
  starter_id: string | null;
  starter_name: string;
  starter_key_id: string | null;
} {
  if (trigger !== 'manual') {
    return { starter_type: 'system', starter_id: null, starter_name: STARTERS[trigger], starter_key_id: null };
  }
  const { type, id, name } = actorOf(principal ?? null);
  const keyId = principal?.kind === 'key' ? principal.id : null;
  return { starter_type: type, starter_id: id, starter_name: name, starter_key_id: keyId };
}

function quiet(): AppError {
  return new AppError('INVALID_STATE', 'It is quiet now.');
}

function running(): AppError {
  return new AppError('RUN_IN_PROGRESS', 'The workflow is already running. Wait until it has ended, or cancel it.');
}

function tooMany(most: number): AppError {
  const what = most === 1 ? 'another workflow is running' : `${most} workflows are running`;
  return new AppError(
    'CONCURRENCY_LOCKED',
    `The settings allow no more at once: ${what}. Try again later, or raise max_concurrent in the workflow settings.`,
  );
}

function spent(): AppError {
  return new AppError(
    'BUDGET_CEILING_REACHED',
    'Nothing is left of what the household may spend on models in 30 days. Wait, or raise global_max_budget_usd in the workflow settings.',
  );
}
