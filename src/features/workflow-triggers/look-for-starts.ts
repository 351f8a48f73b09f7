import { isUnavailable } from '../../db/unavailable.ts';
import { newestOccurrence, nextOccurrence } from '../../engines/cron/occurrences.ts';
import { parseCron } from '../../engines/cron/parse-cron.ts';
import { systemOrigin, write, type WriteTx } from '../../journal/write.ts';
import { instantAfter, instantAt } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { afterQuietHours, type QuietHours } from '../../kernel/quiet-hours.ts';
import { zoneClock } from '../../kernel/zone-clock.ts';
import type { Instance } from '../handler.ts';
import { startRun } from '../workflow-runs/index.ts';
import { readModelSettings } from '../workflow-settings/index.ts';
import { householdZone } from '../config/index.ts';
import {
  claimOccurrences,
  deleteOldCauses,
  findRecentStart,
  isAnythingWaiting,
  keepStart,
  selectScheduled,
  selectToStart,
  takeCauses,
  type Scheduled,
  type WorkflowRow,
} from './triggers.queries.ts';

/** What this process knows of schedules, so that a look that finds nothing due costs nothing. */
interface Known {
  /** When it last looked, in milliseconds. */
  lookedAt: number;
  readonly alarms: ReadonlyMap<string, Alarm>;
}

interface Alarm {
  /** Occurrences up to then do not count; both in milliseconds. */
  readonly after: number;
  readonly next: number | null;
}

const known = new WeakMap<Instance, Known>();

const ORIGIN = systemOrigin('workflows', 'run.start');

/** Starts what is due: by schedule, because of a sync or import, and what was kept for later (contract 60.4). */
export async function lookForStarts(instance: Instance): Promise<void> {
  const now = instance.clock.now();
  const { scheduled, zone, isWaiting } = await instance.database.read(async (tx) => ({
    scheduled: await selectScheduled(tx),
    zone: await householdZone(tx),
    isWaiting: await isAnythingWaiting(tx, instantAt(now)),
  }));
  for (const { one, after } of findDue(instance, scheduled, zone, now)) {
    await startScheduled(instance, one, { zone, after });
  }
  if (isWaiting) await startAfterSyncs(instance, zone);
}

/** The schedules with an occurrence since they were last dealt with, those that are due longest first. */
function findDue(
  instance: Instance,
  scheduled: readonly Scheduled[],
  zone: string,
  now: number,
): { one: Scheduled; after: number }[] {
  const before = known.get(instance);
  // A change of the time zone must not bring back a time that has passed.
  const lookedAt = before && before.lookedAt <= now ? before.lookedAt : -Infinity;
  const alarms = new Map<string, Alarm>();
  const due: { one: Scheduled; after: number; next: number }[] = [];
  for (const one of scheduled) {
    const key = JSON.stringify([one, zone]);
    const alarm = before?.alarms.get(key) ?? alarmOf(one, zone, lookedAt);
    alarms.set(key, alarm);
    const isAhead = Date.parse(one.checked_until) > now + LIMITS.workflowMissedMs;
    if (isAhead || (alarm.next !== null && alarm.next <= now)) {
      due.push({ one, after: alarm.after, next: alarm.next ?? Infinity });
    }
  }
  known.set(instance, { lookedAt: now, alarms });
  return due.sort((a, b) => a.next - b.next);
}

function alarmOf(one: Scheduled, zone: string, lookedAt: number): Alarm {
  const after = Math.max(Date.parse(one.checked_until), lookedAt);
  const parsed = parseCron(one.cron);
  return {
    after,
    next: 'problem' in parsed ? null : nextOccurrence(parsed.cron, zoneClock(zone), after, quietOf(one)),
  };
}

/**
 * Starts a workflow for the newest of its occurrences, and says that they have been dealt with, in one transaction: of
 * several processes one does it. What is a day old, or would come in quiet hours, is not made up for.
 */
async function startScheduled(
  instance: Instance,
  one: Scheduled,
  { zone, after }: { zone: string; after: number },
): Promise<void> {
  await write(instance.database, ORIGIN, async (tx) => {
    const workflow = await claimOccurrences(tx, one);
    const parsed = parseCron(one.cron);
    if (!workflow || 'problem' in parsed) return;
    const until = Date.parse(tx.now);
    const window = { after: Math.max(after, until - LIMITS.workflowMissedMs), until };
    const quiet = quietOf(workflow);
    const occurrence = newestOccurrence(parsed.cron, zoneClock(zone), window, quiet);
    if (occurrence === null || endOfQuiet(quiet, zone, until) !== until) return;
    await attempt(tx, instance, workflow, async () => {
      await startRun(tx, instance, { workflow, trigger: 'cron' });
    });
  });
}

/** Deals with all causes and kept starts, and with what they lead to, in one transaction. */
async function startAfterSyncs(instance: Instance, zone: string): Promise<void> {
  await write(instance.database, ORIGIN, async (tx) => {
    const newestCause = await takeCauses(tx);
    const toStart = await selectToStart(tx, tx.now, newestCause);
    const isOff = toStart.length > 0 && !(await readModelSettings(tx, instance)).isEnabled;
    for (const workflow of toStart) {
      if (isOff) await keepStart(tx, workflow.id, null);
      else await startOrKeep(tx, instance, workflow, zone);
    }
    await deleteOldCauses(tx);
  });
}

/** One start is kept where a recent run, quiet hours or a run in progress stand in its way, and only there. */
async function startOrKeep(tx: WriteTx, instance: Instance, workflow: WorkflowRow, zone: string): Promise<void> {
  const now = Date.parse(tx.now);
  const recent = await findRecentStart(tx, workflow.id);
  if (recent !== undefined) {
    const at = Math.min(Date.parse(recent), now) + LIMITS.workflowPauseMs;
    return keepStart(tx, workflow.id, instantAt(at));
  }
  // Should it fail, it is tried again.
  await keepStart(tx, workflow.id, instantAfter(tx.now, LIMITS.workflowPauseMs));
  await attempt(tx, instance, workflow, async () => {
    const start = await startRun(tx, instance, { workflow, trigger: 'after_sync' });
    const reason = start.kind === 'skipped' ? start.reason : undefined;
    if (reason === 'quiet_hours') {
      return keepStart(tx, workflow.id, instantAt(endOfQuiet(quietOf(workflow), zone, now)));
    }
    return keepStart(tx, workflow.id, reason === 'already_running' ? tx.now : null);
  });
}

/** One workflow that cannot be started must not keep the others from it. */
async function attempt(
  tx: WriteTx,
  { logger }: Instance,
  { id }: WorkflowRow,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await tx.attempt(work);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    logger.error({ err: error, workflow_id: id }, 'A workflow could not be started.');
  }
}

function endOfQuiet(quiet: QuietHours | null, zone: string, now: number): number {
  return quiet ? afterQuietHours(quiet, zone, now) : now;
}

function quietOf({
  quiet_hours_start: start,
  quiet_hours_end: end,
}: Pick<WorkflowRow, 'quiet_hours_start' | 'quiet_hours_end'>): QuietHours | null {
  return start === null || end === null ? null : { start, end };
}
