import { LIMITS } from '../../kernel/limits.ts';
import { nextFireAt, parseCron } from '../workflow-triggers/index.ts';
import type { Contradiction } from './check-workflow.ts';
import { promptOf } from './effective-prompt.ts';
import type { WorkflowFields } from './workflow-fields.ts';

/** A hand-written prompt was measured when it was sent. */
export function findLongPrompt(fields: WorkflowFields): Contradiction | null {
  if (fields.prompt !== null) return null;
  const characters = [...promptOf(fields)].length;
  if (characters <= LIMITS.workflowPromptChars) return null;
  const field = fields.extra_instructions === null ? 'prompt_blocks' : 'extra_instructions';
  const limit = LIMITS.workflowPromptChars;
  return { field, message: `the composed prompt has ${characters} characters; it must have at most ${limit}.` };
}

/** Why a schedule would never start anything; null if it will. */
export function findIdleSchedule(fields: WorkflowFields, zone: string, now: string): Contradiction | null {
  const { schedule_cron: cron, quiet_hours_start: start, quiet_hours_end: end } = fields;
  if (cron === null) return null;
  const field = 'schedule_cron';
  const parsed = parseCron(cron);
  if ('problem' in parsed) return { field, message: parsed.problem };
  const years = LIMITS.workflowCronYears;
  if (nextFireAt(cron, null, zone, now) === null)
    return { field, message: `does not occur in the next ${years} years.` };
  if (start === null || end === null || nextFireAt(cron, { start, end }, zone, now) !== null) return null;
  return { field, message: `occurs only in quiet hours in the next ${years} years, when nothing starts.` };
}
