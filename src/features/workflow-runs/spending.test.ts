import fc from 'fast-check';
import { expect, test } from 'vitest';

import { call, scriptedModel, workOnRuns } from '../../../test/harness/workflows/runs.ts';
import { changeModels, setUpModel, start } from '../../../test/harness/workflows/started-runs.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { addWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import type { WorkflowRunsTable } from '../../db/schema-workflows.ts';
import type { WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { findWorkflow } from '../workflows/index.ts';
import { dollarCapOf } from './budget.ts';
import { readBudget, startRun } from './index.ts';

const CEILING = 3_000_000;
const MOST_OF_STEP = 400_000;
/** Of the workflows `w0` to `w3`, in dollars; 0 is none of its own. */
const BUDGETS = [0.5, 1, 2, 0] as const;

const which = fc.nat(BUDGETS.length - 1);
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('start' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      which,
      cost: fc.integer({ min: 1, max: MOST_OF_STEP }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const) }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

async function findRunning(tx: WriteTx, slug: string) {
  return tx.q
    .selectFrom('workflow_runs')
    .select(['id', 'started_at', 'total_cost_micros', 'budget_micros'])
    .where('workflow_slug', '=', slug)
    .where('status', '=', 'in_progress')
    .executeTakeFirst();
}

test('a dollar cap is the smaller of what the workflow may spend and what the household has left', () => {
  expect(dollarCapOf(0, null)).toEqual({ micros: null, isOfHousehold: false });
  expect(dollarCapOf(5, null)).toEqual({ micros: 5, isOfHousehold: false });
  expect(dollarCapOf(0, 7)).toEqual({ micros: 7, isOfHousehold: true });
  expect(dollarCapOf(5, 7)).toEqual({ micros: 5, isOfHousehold: false });
  expect(dollarCapOf(7, 7)).toEqual({ micros: 7, isOfHousehold: false });
  expect(dollarCapOf(7, 5)).toEqual({ micros: 5, isOfHousehold: true });
});

forEachDatabase((database) => {
  test('what is spent and reserved exceeds the ceiling by no more than the last step of each run', async () => {
    const app = await database.open();
    await setUpModel(app, { max_concurrent: 50, global_max_budget_usd: CEILING / 1_000_000 });
    for (const [at, budget] of BUDGETS.entries()) {
      await addWorkflow(app, { name: `w${at}`, slug: `w${at}`, max_budget_usd: budget });
    }
    const { instance } = app.app;

    /** As the start, the accounting of a step and the end of a run do it. Answers by how much a step overshot. */
    async function doOne(tx: WriteTx, one: Act): Promise<number> {
      if (one.kind === 'forget') {
        await tx.q.deleteFrom('workflow_runs').where('status', '<>', 'in_progress').execute();
        return 0;
      }
      const slug = `w${one.which}`;
      const running = await findRunning(tx, slug);
      if (one.kind === 'start') {
        const workflow = await findWorkflow(tx, slug);
        if (!workflow) throw new Error('The workflow is gone.');
        const { availableMicros: left } = await readBudget(tx, tx.now, CEILING);
        const { kind } = await startRun(tx, instance, { workflow, trigger: 'manual' });
        expect(kind).toBe(running === undefined && (left ?? 0) > 0 ? 'started' : 'refused');
        return 0;
      }
      if (!running) return 0;
      const change = async (
        fields: Partial<Pick<WorkflowRunsTable, 'status' | 'total_cost_micros'>>,
      ): Promise<void> => {
        await tx.q.updateTable('workflow_runs').set(fields).where('id', '=', running.id).execute();
      };
      if (one.kind === 'end') {
        await change({ status: 'success' });
        return 0;
      }
      const [spent, cap] = [running.total_cost_micros ?? 0, running.budget_micros ?? 0];
      if (spent >= cap) return 0;
      const total = spent + one.cost;
      await change({ total_cost_micros: total });
      const cost = { cost_micros: total };
      await tx.q
        .insertInto('workflow_spending')
        .values({ run_id: running.id, started_at: running.started_at, ...cost })
        .onConflict((conflict) => conflict.column('run_id').doUpdateSet(cost))
        .execute();
      return Math.max(0, total - cap);
    }

    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40 }), async (acts) => {
        let overshot = 0;
        await app.write('test.clear', async (tx) => {
          await tx.q.deleteFrom('workflow_runs').execute();
          await tx.q.deleteFrom('workflow_spending').execute();
        });
        await app.write('test.spend', async (tx) => {
          for (const one of acts) {
            overshot += await doOne(tx, one);
            const { spentMicros, reservedMicros, availableMicros } = await readBudget(tx, tx.now, CEILING);
            expect(spentMicros + reservedMicros).toBeLessThanOrEqual(CEILING + overshot);
            expect(availableMicros).toBe(CEILING - spentMicros - reservedMicros);
          }
        });
      }),
      { numRuns: database.name === 'SQLite' ? 25 : 10 },
    );
  });

  const STEP = { input: 500_000, output: 500_000, cacheRead: 0, cacheCreation: 0 };

  /** A model that goes on calling tools, and what one run of it came to. */
  async function runOn(app: TestApp, fields: object) {
    const begun = await start(app, await addWorkflow(app, { name: 'Endless', ...fields }));
    expect(begun.status, begun.text).toBe(201);
    await workOnRuns(app);
    return (await app.request('GET', `/api/v1/workflows/runs/${begun.json.id}`)).json;
  }
  const endless = () => scriptedModel({ toolCalls: [call('list_tags')], usage: STEP });

  test('a run ends after the step that passes its budget', async () => {
    const model = endless();
    const app = await database.open({ standInModel: () => model });
    await setUpModel(app);
    expect(await runOn(app, { max_budget_usd: 1.5 })).toMatchObject({
      status: 'success',
      hit_cap: 'max_budget',
      total_cost_usd: 2,
      turn_count: 2,
    });
  });

  test('a run that the household cannot afford ends when its part is spent, and what it cost counts', async () => {
    const model = endless();
    const app = await database.open({ standInModel: () => model });
    await setUpModel(app, { global_max_budget_usd: 2.5 });
    expect(await runOn(app, { max_budget_usd: 10, max_tokens: 0 })).toMatchObject({
      hit_cap: 'household_budget',
      total_cost_usd: 3,
    });
    const now = instantNow(app.clock);
    const budget = await app.app.instance.database.read((tx) => readBudget(tx, now, 2_500_000));
    expect(budget).toEqual({
      spentMicros: 3_000_000,
      reservedMicros: 0,
      ceilingMicros: 2_500_000,
      availableMicros: -500_000,
    });
    const refused = await start(app, { slug: 'endless' });
    expect([refused.status, refused.json.error.code]).toEqual([429, 'BUDGET_CEILING_REACHED']);
  });

  test('a run of a model without a price ends at its tokens, and costs nobody knows what', async () => {
    const model = endless();
    const app = await database.open({ standInModel: () => model });
    await setUpModel(app);
    await changeModels(app, { prices: [] });
    expect(await runOn(app, { max_tokens: 0 })).toMatchObject({
      status: 'success',
      hit_cap: 'max_tokens',
      total_cost_usd: null,
      turn_count: 2,
    });
  });
});
