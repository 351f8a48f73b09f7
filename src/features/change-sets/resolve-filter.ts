import { findIdOf } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { ENTITY_TABLES } from '../../journal/entities.ts';
import type { InputOf } from '../../contract/operation.ts';
import { dayAfter, isDateOnly, type DateOnly, type Instant } from '../../kernel/dates.ts';
import { invalidParameter, reversedRange, type AppError, unknownId } from '../../kernel/errors.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';
import { withoutUndefined } from '../../kernel/json.ts';
import { users } from '../users/index.ts';
import type { listChangeSets } from './change-sets.contract.ts';
import {
  findIdIn,
  findJournaledId,
  isJournaledActor,
  isNamedInJournal,
  type ChangeSetFilter,
} from './change-sets.queries.ts';

type Query = InputOf<typeof listChangeSets>['query'];

const TABLES: Readonly<Record<string, string>> = ENTITY_TABLES;

/** Resolves ids to UUIDs. @throws INVALID_PARAMETER for an id that never existed, or a start after the end */
export async function resolveFilter(tx: ReadTx, query: Query): Promise<ChangeSetFilter> {
  const { from, to } = momentsOf(query);
  const known = async (parameter: 'transaction_id' | 'import_id' | 'rule_id', entityType: string) => {
    const anyId = query[parameter];
    if (anyId === undefined) return undefined;
    const id = await idOf(tx, entityType, anyId);
    if (id === undefined) throw unknown(parameter, anyId);
    return id;
  };
  const actor: { id?: string; memberId?: string } =
    query.actor_id === undefined ? {} : await actorOf(tx, query.actor_id);
  return withoutUndefined({
    actorTypes: query.actor_type,
    actorId: actor.id,
    memberId: actor.memberId,
    surfaces: query.surface,
    sources: query.source,
    actions: query.action,
    entityTypes: query.entity_type,
    entityId: await entityOf(tx, query),
    transactionId: await known('transaction_id', 'transaction'),
    importId: await known('import_id', 'import'),
    syncLogId: query.sync_log_id === undefined ? undefined : await syncOf(tx, query.sync_log_id),
    workflowRunId: query.workflow_run_id === undefined ? undefined : await runOf(tx, query.workflow_run_id),
    ruleId: await known('rule_id', 'rule'),
    from,
    to,
  });
}

/** A run may have been deleted since; its change sets still name it. */
async function runOf(tx: ReadTx, anyId: string): Promise<string> {
  const id = await findIdOf(tx, 'workflow_runs', anyId);
  const isNamed = id === undefined && isUuid(anyId) && (await isNamedInJournal(tx, 'workflow_run_id', anyId));
  if (id === undefined && !isNamed) throw unknown('workflow_run_id', anyId);
  return id ?? anyId;
}

/** A sync log may have been deleted since; its change set still names it. */
async function syncOf(tx: ReadTx, anyId: string): Promise<string> {
  const id = await findIdOf(tx, 'sync_logs', anyId);
  const isNamed = id === undefined && isUuid(anyId) && (await isNamedInJournal(tx, 'sync_log_id', anyId));
  if (id === undefined && !isNamed) throw unknown('sync_log_id', anyId);
  return id ?? anyId;
}

function momentsOf({ from, to }: Query): { from: Instant | undefined; to: Instant | undefined } {
  const isDay = to !== undefined && isDateOnly(to);
  const lower = from !== undefined && isDateOnly(from) ? startOf(from) : from;
  const upper = isDay ? endOf(to) : to;
  // Where a day ends, nothing of it can begin; an instant may be both ends of nothing.
  if (lower !== undefined && upper !== undefined && (isDay ? lower >= upper : lower > upper)) {
    throw reversedRange('from', 'to');
  }
  return { from: lower, to: upper };
}

/** In UTC (contract 10.13.2). */
function startOf(day: DateOnly): Instant {
  return `${day}T00:00:00.000Z`;
}

/** Where the next day begins; after the last day of the calendar there is none. */
function endOf(day: DateOnly): Instant | undefined {
  const next = dayAfter(day);
  return next && startOf(next);
}

/** The UUID of an entity in the ledger or its journal, whether or not it still exists. */
async function idOf(tx: ReadTx, entityType: string, anyId: string): Promise<string | undefined> {
  const table = TABLES[entityType];
  if (isUuid(anyId)) {
    const live = table === undefined ? undefined : await findIdIn(tx, table, 'id', anyId);
    return live ?? findJournaledId(tx, { id: anyId });
  }
  if (!isShortId(anyId)) return undefined;
  const live = table === undefined ? undefined : await findIdIn(tx, table, 'short_id', anyId);
  return live ?? findJournaledId(tx, { shortId: anyId, entityType });
}

async function entityOf(tx: ReadTx, { entity_id: anyId, entity_type: types }: Query): Promise<string | undefined> {
  if (anyId === undefined) return undefined;
  const [only, ...others] = types ?? [];
  if (!isUuid(anyId) && (only === undefined || others.length > 0)) {
    throw invalidParameter(
      'entity_id',
      'entity_id: a short_id is unique only within one entity_type. Send exactly one entity_type.',
    );
  }
  const candidates = types ?? Object.keys(TABLES);
  for (const type of candidates) {
    const id = await idOf(tx, type, anyId);
    if (id !== undefined) return id;
  }
  throw unknown('entity_id', anyId);
}

/** Members are stored by their short_id, other actors by their UUID. */
async function actorOf(tx: ReadTx, anyId: string): Promise<{ id: string } | { memberId: string }> {
  const member = await users.find(tx, anyId);
  if (member) return { memberId: member.short_id };
  const column = isUuid(anyId) ? 'id' : 'short_id';
  for (const table of ['api_keys', 'connections', 'workflows']) {
    const id = await findIdIn(tx, table, column, anyId);
    if (id !== undefined) return { id };
  }
  // Of those who no longer exist, only members are named by their short_id.
  if (await isJournaledActor(tx, anyId)) return isShortId(anyId) ? { memberId: anyId } : { id: anyId };
  throw unknown('actor_id', anyId);
}

/** What each parameter has ids of; an actor or entity can be of any kind. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['transaction_id', 'transaction'],
  ['import_id', 'import'],
  ['rule_id', 'rule'],
  ['workflow_run_id', 'run'],
  ['sync_log_id', 'sync log'],
]);

function unknown(parameter: string, anyId: string): AppError {
  return unknownId(parameter, KINDS.get(parameter) ?? 'id', anyId);
}
