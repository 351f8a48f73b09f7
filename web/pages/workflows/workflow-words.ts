import {
  CalendarCheck,
  ChartColumn,
  Layers,
  ListChecks,
  Repeat,
  ScanSearch,
  Sparkles,
  Store,
  TrendingUp,
  WandSparkles,
  Workflow as WorkflowIcon,
  type LucideIcon,
} from 'lucide-react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listPresets } from '../../../src/features/workflow-presets/workflow-presets.contract.ts';
import type { getWorkflow } from '../../../src/features/workflows/workflows.contract.ts';

export type Workflow = OutputOf<typeof getWorkflow>;
export type Preset = OutputOf<typeof listPresets>[number];

interface Trigger {
  schedule_cron: string | null;
  trigger_on_sync_complete: boolean;
}

/** "After each sync or import", "Mondays at 07:00", "Only when you run it". */
export function triggerInWords({ schedule_cron: cron, trigger_on_sync_complete: isAfterSync }: Trigger): string {
  if (isAfterSync) return 'After each sync or import';
  return cron === null ? 'Only when you run it' : cronInWords(cron);
}

const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];
const SHORT_DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Schedules that most households have, in words; others as they are written. */
function cronInWords(cron: string): string {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.trim().split(/\s+/);
  const isPlain = /^\d{1,2}$/.test(minute) && /^\d{1,2}$/.test(hour) && month === '*';
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  const named = SHORT_DAYS.indexOf(weekday.toUpperCase());
  const days = DAYS[named === -1 ? Number(weekday) : named];
  if (isPlain && day === '*' && weekday === '*') return `Every day at ${time}`;
  if (isPlain && day === '*' && days !== undefined) return `${days} at ${time}`;
  if (isPlain && /^\d{1,2}$/.test(day ?? '') && weekday === '*') return `On day ${day} of each month at ${time}`;
  return `On the schedule ${cron}`;
}

export const FALLBACK_ICON = WorkflowIcon;
export const ICONS: Readonly<Record<string, LucideIcon>> = {
  'calendar-check': CalendarCheck,
  'chart-column': ChartColumn,
  layers: Layers,
  'list-checks': ListChecks,
  repeat: Repeat,
  'scan-search': ScanSearch,
  sparkles: Sparkles,
  store: Store,
  'trending-up': TrendingUp,
  'wand-sparkles': WandSparkles,
};

export function isRunning({ last_run: run }: Workflow): boolean {
  return run?.status === 'in_progress';
}
