import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listRuns } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import type { StatusTone } from '../../components/status.tsx';
import { inDollars } from '../../lib/dollars.ts';

export type Run = OutputOf<typeof listRuns>['runs'][number];

export const STATUS_WORDS: Readonly<Record<Run['status'], { tone: StatusTone; word: string }>> = {
  in_progress: { tone: 'info', word: 'Running' },
  success: { tone: 'success', word: 'Done' },
  error: { tone: 'danger', word: 'Failed' },
  timeout: { tone: 'danger', word: 'Out of time' },
  skipped: { tone: 'neutral', word: 'Skipped' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
};

export const TRIGGER_WORDS: Readonly<Record<Run['trigger'], string>> = {
  manual: 'By hand',
  cron: 'On schedule',
  after_sync: 'After a sync or import',
};

export const SCOPE_WORDS: Readonly<Record<Run['tool_scope'], string>> = {
  read_only: 'Reads, and writes reports',
  propose: 'Proposes changes; you decide',
  read_write: 'Changes the ledger itself',
};

const SKIP_WORDS: Readonly<Record<NonNullable<Run['skip_reason']>, string>> = {
  quiet_hours: 'The start fell in quiet hours.',
  already_running: 'The workflow was already running.',
  concurrency: 'As many workflows as the settings allow were already running.',
  budget_ceiling: 'Nothing was left of what the household may spend on models.',
  model_not_configured: 'No model was set up for it.',
  disabled: 'Workflows were switched off.',
};

export const CAP_WORDS: Readonly<Record<NonNullable<Run['hit_cap']>, string>> = {
  max_turns: 'the most turns it may take',
  max_budget: 'its budget',
  max_tokens: 'the most tokens it may use',
  max_duration: 'its time limit',
  household_budget: 'what the household allows for models',
};

export const CAP_NAMES: Readonly<Record<NonNullable<Run['hit_cap']>, string>> = {
  max_turns: 'Turns',
  max_budget: 'Budget',
  max_tokens: 'Tokens',
  max_duration: 'Time',
  household_budget: 'Household budget',
};

/** What a run came to, in one line; nothing if its state says all there is to say. */
export function outcomeOf(run: Run): string | null {
  if (run.skip_reason !== null) return SKIP_WORDS[run.skip_reason];
  if (run.hit_cap !== null) return `It stopped at ${CAP_WORDS[run.hit_cap]}.`;
  if (run.status === 'in_progress' && run.cancel_requested) return 'It is being cancelled.';
  return run.error_message;
}

export function costInWords(dollars: number | null): string {
  return dollars === null ? 'Not known' : inDollars(dollars);
}
