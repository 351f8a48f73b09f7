import { z } from 'zod';

import type { OutputOf } from '../../../contract/operation.ts';
import { getConnectionStatus, listConnections } from '../../connections/connections.contract.ts';
import { getSyncHealth } from '../../sync/sync.contract.ts';
import { answerOf, fieldsOf } from '../results/result-schema.ts';
import { SyncLog } from '../../sync/sync-record.contract.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

const CONNECTION = [
  'id',
  'institution_name',
  'provider',
  'status',
  'paused',
  'last_sync_at',
  'next_sync_at',
  'attention',
] as const;
const SYNC = [
  'id',
  'status',
  'trigger',
  'added_count',
  'modified_count',
  'removed_count',
  'error_code',
  'error_message',
  'started_at',
  'finished_at',
] as const;

export const getSyncStatus = defineReadTool({
  name: 'get_sync_status',
  title: 'Get sync status',
  description:
    'Overall sync health, and for each connection its latest sync, its next one, and what needs a person. After ' +
    'trigger_sync, call it until `running` and `queued` are false.',
  scope: 'read_only',
  input: { connection_id: z.string().optional() },
  output: {
    health: answerOf(getSyncHealth),
    connections: z.array(
      fieldsOf(answerOf(getConnectionStatus), CONNECTION).extend({
        last_sync: fieldsOf(SyncLog, SYNC).nullable(),
        running: z.boolean(),
        queued: z.boolean(),
      }),
    ),
  },
  operations: ['getSyncHealth', 'listConnections', 'getConnectionStatus'],
  examples: [{ arguments: {}, says: 'Are all banks up to date?' }],
  run: async (context, { connection_id: id }) => {
    const ids = id === undefined ? (await callOperation(context, listConnections, {})).map((one) => one.id) : [id];
    const connections: object[] = [];
    for (const one of ids) {
      connections.push(shown(await callOperation(context, getConnectionStatus, { params: { id: one } })));
    }
    return { health: await callOperation(context, getSyncHealth, {}), connections };
  },
});

type State = OutputOf<typeof getConnectionStatus>;

function shown(connection: State): object {
  const { last_sync_log: last, running_sync_log_id: running, sync_queued: queued } = connection;
  return {
    ...pick(connection, CONNECTION),
    last_sync: last ? pick(last, SYNC) : null,
    running: running !== null,
    queued,
  };
}
