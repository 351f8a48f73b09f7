import type { WorkflowFields } from './workflow-fields.ts';

/** A field that contradicts another one, or could never have an effect. */
export interface Contradiction {
  field: keyof WorkflowFields;
  message: string;
}

/** Fields that only make sense together; a change or an undo of one is judged with the others as they are. */
type Judged = Pick<
  WorkflowFields,
  | 'prompt'
  | 'extra_instructions'
  | 'schedule_cron'
  | 'trigger_on_sync_complete'
  | 'quiet_hours_start'
  | 'quiet_hours_end'
>;

/** What is wrong with the fields of a workflow together, whenever it is; null if nothing is. */
export function findContradiction(fields: Judged): Contradiction | null {
  return inPrompt(fields) ?? inQuietHours(fields) ?? inTriggers(fields);
}

function inPrompt({ prompt, extra_instructions: extra }: Judged): Contradiction | null {
  if (prompt === null || extra === null) return null;
  return {
    field: 'extra_instructions',
    message: 'belong to a composed prompt. Put them into the prompt, which is written by hand.',
  };
}

function inQuietHours({ quiet_hours_start: start, quiet_hours_end: end }: Judged): Contradiction | null {
  if (start === null && end === null) return null;
  if (start === null) return { field: 'quiet_hours_start', message: 'is missing. Send both times, or neither.' };
  if (end === null) return { field: 'quiet_hours_end', message: 'is missing. Send both times, or neither.' };
  if (start !== end) return null;
  return { field: 'quiet_hours_end', message: 'must differ from quiet_hours_start.' };
}

function inTriggers({ schedule_cron: cron, trigger_on_sync_complete: bySyncs }: Judged): Contradiction | null {
  if (cron === null || !bySyncs) return null;
  return {
    field: 'trigger_on_sync_complete',
    message: 'a workflow has one automatic trigger. Clear schedule_cron, or send false.',
  };
}
