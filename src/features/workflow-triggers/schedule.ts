import { nextOccurrence } from '../../engines/cron/occurrences.ts';
import { parseCron } from '../../engines/cron/parse-cron.ts';
import { instantAt, type Instant } from '../../kernel/dates.ts';
import type { QuietHours } from '../../kernel/quiet-hours.ts';
import { zoneClock } from '../../kernel/zone-clock.ts';

/** When a schedule next starts its workflow; null if it does not in five years, or cannot be read. */
export function nextFireAt(cron: string, quiet: QuietHours | null, zone: string, after: Instant): Instant | null {
  return nextFires(cron, quiet, { zone, after, count: 1 })[0] ?? null;
}

/** The next occurrences of a schedule, whatever the quiet hours of a workflow. */
export function nextOccurrences(cron: string, zone: string, after: Instant, count: number): Instant[] {
  return nextFires(cron, null, { zone, after, count });
}

function nextFires(
  expression: string,
  quiet: QuietHours | null,
  { zone, after, count }: { zone: string; after: Instant; count: number },
): Instant[] {
  const parsed = parseCron(expression);
  if ('problem' in parsed) return [];
  const clock = zoneClock(zone);
  const found: Instant[] = [];
  for (let at: number | null = Date.parse(after); found.length < count; found.push(instantAt(at))) {
    at = nextOccurrence(parsed.cron, clock, at, quiet);
    if (at === null) break;
  }
  return found;
}
