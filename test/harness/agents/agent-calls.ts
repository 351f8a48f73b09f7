import { storeCall, type CallOutcome } from '../../../src/features/agent-calls/index.ts';
import type { CallRecord } from '../../../src/features/agent-tools/agent-call.ts';
import type { Made } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

/** The record of a call that an agent made over HTTP; it read something and succeeded unless given. */
export async function addCall(
  app: TestApp,
  columns: Partial<CallRecord> = {},
  outcome: Partial<CallOutcome> = {},
): Promise<Made> {
  return app.write('test.call', async (tx) => {
    const id = tx.ids.uuid();
    const record = {
      id,
      short_id: tx.ids.shortId(),
      tool: 'list_tags',
      effect: 'read',
      surface: 'mcp',
      transport: 'http',
      principal_type: 'agent',
      principal_id: null,
      principal_name: 'Desk assistant',
      api_key_id: null,
      run_id: null,
      client_name: 'example-client',
      client_version: '2.1.0',
      reason: null,
      arguments: '{}',
      created_at: tx.now,
      ...columns,
    };
    await storeCall(tx, record, {
      outcome: 'ok',
      errorCode: null,
      changeSetId: null,
      proposalId: null,
      resultBytes: 412,
      durationMs: 17.6,
      ...outcome,
    });
    const row = await tx.q.selectFrom('mcp_calls').select('short_id').where('id', '=', id).executeTakeFirstOrThrow();
    return { id, short_id: row.short_id };
  });
}
