import type { ReadTx } from '../../db/unit-of-work.ts';
import { dayAfter, isDateOnly, startOfDay } from '../../kernel/dates.ts';
import { notFound, reversedRange, unknownId } from '../../kernel/errors.ts';
import { householdZone } from '../config/index.ts';
import { findWorkflow } from '../workflows/index.ts';
import { findRun, selectWorkflowIdsOfRuns, type RunFilter, type RunRow } from './workflow-runs.queries.ts';

interface Query {
  status?: readonly string[] | undefined;
  trigger?: readonly string[] | undefined;
  skip_reason?: readonly string[] | undefined;
  hit_cap?: readonly string[] | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

/** @throws INVALID_PARAMETER if the start is after the end */
export async function resolveRunFilter(tx: ReadTx, query: Query): Promise<RunFilter> {
  const { start, end } = query;
  const zone = await householdZone(tx);
  const day = (date: string): string => startOfDay(zone, date);
  const from = start !== undefined && isDateOnly(start) ? day(start) : start;
  const isDay = end !== undefined && isDateOnly(end);
  const to = isDay ? endOf(zone, end) : end;
  // Where a day ends, nothing of it can begin; an instant may be both ends of nothing.
  if (from !== undefined && to !== undefined && (isDay ? from >= to : from > to)) throw reversedRange('start', 'end');
  return {
    statuses: query.status,
    triggers: query.trigger,
    skipReasons: query.skip_reason,
    caps: query.hit_cap,
    from,
    to,
  };
}

/** Where the day after begins; after the last day of the calendar there is none. */
function endOf(zone: string, date: string): string | undefined {
  const next = dayAfter(date);
  return next && startOfDay(zone, next);
}

/** UUIDs of a workflow by slug or id; a deleted one is found by what its runs keep. @throws INVALID_PARAMETER */
export async function resolveWorkflow(tx: ReadTx, parameter: string, named: string): Promise<string[]> {
  const workflow = await findWorkflow(tx, named);
  if (workflow) return [workflow.id];
  const ids = await selectWorkflowIdsOfRuns(tx, named);
  if (ids.length === 0) throw unknownId(parameter, 'workflow', named);
  return ids;
}

/** @throws NOT_FOUND */
export async function getRunRow(tx: ReadTx, anyId: string): Promise<RunRow> {
  const row = await findRun(tx, anyId);
  if (!row) throw notFound('run');
  return row;
}
