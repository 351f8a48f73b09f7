import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { dollarsOf } from '../../kernel/dollars.ts';
import { handleRead } from '../handler.ts';
import { readBudget } from '../workflow-runs/index.ts';
import { hasKeyItNeeds, modelFor, modelReadiness, readModelSettings } from './model-settings.ts';
import { getWorkflowStatus as operation } from './workflow-settings.contract.ts';

const TIERS = ['fast', 'balanced', 'deep'] as const;

/** Whether workflows can start, and what is left to spend. Any key may ask, so no address and no secret is in it. */
export const getWorkflowStatus = handleRead(operation, async ({ tx, instance }) => {
  const settings = await readModelSettings(tx, instance);
  const { isEnabled, provider, maxConcurrent, ceilingMicros } = settings;
  const choices = TIERS.map((tier) => modelFor(settings, { tier, model: null }));
  const [fast = null, balanced = null, deep = null] = choices.map((choice) => choice?.name ?? null);
  const budget = await readBudget(tx, instantNow(instance.clock), ceilingMicros);
  return {
    enabled: isEnabled,
    provider,
    models: { fast, balanced, deep },
    auth_configured: hasKeyItNeeds(settings),
    ready: isEnabled && choices.every((choice) => modelReadiness(settings, choice) === 'ready'),
    in_progress_count: await countInProgress(tx),
    max_concurrent: maxConcurrent,
    spent_30d_usd: dollarsOf(budget.spentMicros),
    reserved_usd: dollarsOf(budget.reservedMicros),
    global_max_budget_usd: ceilingMicros === null ? null : dollarsOf(ceilingMicros),
    available_usd: budget.availableMicros === null ? null : dollarsOf(budget.availableMicros),
  };
});

async function countInProgress(tx: ReadTx): Promise<number> {
  const row = await tx.q
    .selectFrom('workflow_runs')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('status', '=', 'in_progress')
    .executeTakeFirstOrThrow();
  return row.count;
}
