import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { flag, IDS, json, recorded, STAMPS, type Column } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { dollarsOf, microsOf } from '../../kernel/dollars.ts';
import { householdZone } from '../config/index.ts';
import { findIdleSchedule } from './check-start.ts';
import { findContradiction, type Contradiction } from './check-workflow.ts';
import { restartSchedule } from './schedule.ts';
import { fieldsOf, type WorkflowFields } from './workflow-fields.ts';
import { cancelRunOf, findById } from './workflows.queries.ts';

const dollars = {
  role: 'recorded',
  field: 'max_budget_usd',
  toField: (micros) => dollarsOf(micros as number),
  toColumn: (value) => microsOf(value as number),
} as const satisfies Column;

/** Runs, their notes and proposals are their own record; they outlive the workflow. */
export const workflows = defineEntity('workflows', {
  type: 'workflow',
  columns: {
    ...IDS,
    name: recorded,
    slug: recorded,
    prompt: recorded,
    prompt_blocks: json,
    preset_options: json,
    extra_instructions: recorded,
    system_prompt: recorded,
    tool_scope: recorded,
    allowed_tools: json,
    model_tier: recorded,
    model: recorded,
    max_turns: recorded,
    max_budget_micros: dollars,
    max_tokens: recorded,
    max_duration_seconds: recorded,
    is_enabled: flag('enabled'),
    schedule_cron: recorded,
    is_started_by_syncs: flag('trigger_on_sync_complete'),
    quiet_hours_start: recorded,
    quiet_hours_end: recorded,
    source_template: recorded,
    ...STAMPS,
  },
  // Also when its creation is reverted. What it was waiting for is gone with its schedule.
  removeBelongings: (tx, id) => cancelRunOf(tx, id),
  restoreBelongings: (tx, { entityId }) => restartSchedule(tx, entityId),
  undo: {
    unique: ['slug', 'source_template'],
    async findObstacle(tx, id, fields) {
      const row = await findById(tx, id);
      const after = { ...(row ? fieldsOf(row) : {}), ...fields } as WorkflowFields;
      const wrong = findContradiction(after) ?? (row ? await findIdled(tx, row, fields) : null);
      if (!wrong) return null;
      return { reason: 'changed_since', fields: [wrong.field], message: `${wrong.field}: ${wrong.message}` };
    },
    restoreElsewhere: (tx, { entityId }, fields) =>
      touchesSchedule(Object.keys(fields)) ? restartSchedule(tx, entityId) : Promise.resolve(),
  },
});

/** Fields that say when a workflow starts by itself, by their names in the journal. */
const SCHEDULE_FIELDS: ReadonlySet<string> = new Set(['enabled', 'schedule_cron', 'trigger_on_sync_complete']);

/** Fields of which one can take every occurrence from the other. */
const TIMES = ['schedule_cron', 'quiet_hours_start', 'quiet_hours_end'] as const;

/** A schedule that an undo would leave without occurrence. Counted from the last change: no year differs from the next. */
async function findIdled(tx: ReadTx, row: WorkflowsTable, undone: object): Promise<Contradiction | null> {
  if (!TIMES.some((field) => field in undone)) return null;
  return findIdleSchedule({ ...fieldsOf(row), ...undone }, await householdZone(tx), row.updated_at);
}

function touchesSchedule(fields: readonly string[]): boolean {
  return fields.some((field) => SCHEDULE_FIELDS.has(field));
}

/** Whether a change affects when the workflow starts by itself. */
export function isRescheduled(before: WorkflowsTable, after: WorkflowsTable): boolean {
  return (
    before.is_enabled !== after.is_enabled ||
    before.schedule_cron !== after.schedule_cron ||
    before.is_started_by_syncs !== after.is_started_by_syncs
  );
}
