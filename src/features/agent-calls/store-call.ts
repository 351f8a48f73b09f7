import { shortIdFor } from '../../db/short-ids.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { CallRecord } from '../agent-tools/index.ts';

/** How a call ended. */
export interface CallOutcome {
  outcome: 'ok' | 'error';
  errorCode: string | null;
  changeSetId: string | null;
  proposalId: string | null;
  /** Size of the result, which itself is not kept. */
  resultBytes: number;
  durationMs: number;
}

/**
 * Stores the record of a call: in the transaction of its write, else in one of its own. Names that a client chose may
 * contain anything, and never prevent the record. A call whose commit was not confirmed may already be recorded.
 */
export async function storeCall(tx: BareWriteTx, record: CallRecord, outcome: CallOutcome): Promise<void> {
  const row = {
    ...record,
    short_id: await shortIdFor(tx, 'mcp_calls'),
    tool: storable(record.tool, LIMITS.callToolChars),
    client_name: storableOrNull(record.client_name, LIMITS.clientNameChars),
    client_version: storableOrNull(record.client_version, LIMITS.clientNameChars),
    reason: storableOrNull(record.reason, LIMITS.reasonChars),
    arguments: boundedArguments(record.arguments),
    outcome: outcome.outcome,
    error_code: outcome.errorCode,
    change_set_id: outcome.changeSetId,
    proposal_id: outcome.proposalId,
    result_bytes: outcome.resultBytes,
    duration_ms: Math.max(0, Math.round(outcome.durationMs)),
  };
  await tx.q
    .insertInto('mcp_calls')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Says of a recorded call what its work has written, where that went on after the answer. */
export async function noteChangeSet(tx: BareWriteTx, callId: string, changeSetId: string): Promise<void> {
  await tx.q.updateTable('mcp_calls').set({ change_set_id: changeSetId }).where('id', '=', callId).execute();
}

/** The JSON of a call's arguments, or what stands for it when there is too much of it (contract 70.7). */
export function boundedArguments(json: string): string {
  const bytes = Buffer.byteLength(json);
  if (bytes <= LIMITS.callArgumentBytes) return json;
  return JSON.stringify({ truncated: true, bytes, preview: beginning(json, LIMITS.callPreviewChars) });
}

function storableOrNull(text: string | null | undefined, max: number): string | null {
  return text === null || text === undefined ? null : storable(text, max);
}

function storable(text: string, max: number): string {
  return beginning(text.replaceAll('\0', ' ').toWellFormed(), max);
}

/** At most so many UTF-16 units, and never half a character. */
function beginning(text: string, max: number): string {
  if (text.length <= max) return text;
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(max - 1));
  return text.slice(0, isSplit ? max - 1 : max);
}
