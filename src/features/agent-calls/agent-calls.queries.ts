import { sql, type RawBuilder } from 'kysely';
import type { Selectable } from 'kysely';
import type { z } from 'zod';

import type { McpCallsTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Position } from '../../kernel/cursor.ts';
import type { OldRows } from '../old-rows.ts';
import type { AgentCallRecord } from './agent-calls.contract.ts';

type CallRow = Selectable<McpCallsTable>;

/** Filters of a list of calls; ids are UUIDs. */
export interface CallFilter {
  tools: readonly string[] | undefined;
  effect: string | undefined;
  surface: string | undefined;
  transport: string | undefined;
  outcome: string | undefined;
  apiKeyId: string | undefined;
  runId: string | undefined;
  from: string | undefined;
  /** Exclusive. */
  to: string | undefined;
}

/** Newest first. */
export async function selectCalls(
  tx: ReadTx,
  filter: CallFilter,
  after: Position | null,
  limit: number,
): Promise<CallRow[]> {
  const conditions = [...conditionsOf(tx, filter)];
  if (after) conditions.push(sql`(created_at, id) < (${after.key}, ${after.id})`);
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<CallRow>`select * from mcp_calls ${where}
    order by created_at desc, id desc limit ${sql.lit(limit)}`.execute(tx.q);
  return rows;
}

function* conditionsOf(tx: ReadTx, filter: CallFilter): Generator<RawBuilder<unknown>> {
  if (filter.tools) yield tx.portable.inList(sql.ref('tool'), filter.tools);
  const equals = [
    ['effect', filter.effect],
    ['surface', filter.surface],
    ['transport', filter.transport],
    ['outcome', filter.outcome],
    ['api_key_id', filter.apiKeyId],
    ['run_id', filter.runId],
  ] as const;
  for (const [column, value] of equals) if (value !== undefined) yield sql`${sql.ref(column)} = ${value}`;
  if (filter.from !== undefined) yield sql`created_at >= ${filter.from}`;
  if (filter.to !== undefined) yield sql`created_at < ${filter.to}`;
}

/** By UUID or short_id. */
export async function findCall(tx: ReadTx, anyId: string): Promise<CallRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('mcp_calls').selectAll().where(column, '=', anyId).executeTakeFirst();
}

/** Whether a call was made in this run. */
export async function isRunOfCalls(tx: ReadTx, runId: string): Promise<boolean> {
  const call = await tx.q.selectFrom('mcp_calls').select('id').where('run_id', '=', runId).executeTakeFirst();
  return call !== undefined;
}

export function callsBefore(instant: string): OldRows {
  return { table: 'mcp_calls', key: ['id'], isOld: sql`created_at < ${instant}` };
}

/** The record (contract 70.7). */
export function toCall(row: CallRow): z.output<typeof AgentCallRecord> {
  const { principal_type: type, principal_id: id, principal_name: name, arguments: sent, ...fields } = row;
  return { ...fields, principal: { type, id, name }, arguments: JSON.parse(sent) as unknown } as z.output<
    typeof AgentCallRecord
  >;
}
