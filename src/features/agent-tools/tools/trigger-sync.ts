import { z } from 'zod';

import { isServerRunning } from '../../encryption/index.ts';
import type { Instance } from '../../handler.ts';
import { syncConnection, triggerSync as syncAll } from '../../sync/sync.contract.ts';
import { Sentence } from '../../../contract/common.ts';
import { answerOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { defineBackgroundTool } from '../tool.ts';

export const triggerSync = defineBackgroundTool({
  name: 'trigger_sync',
  title: 'Start a sync',
  description:
    'Requests a sync of one connection, or of all active ones, and returns at once; the sync runs in the background. ' +
    'get_sync_status shows the outcome. `skipped` says why a connection is not synced.',
  scope: 'full_access',
  effect: 'write',
  isOpenWorld: true,
  isExact: true,
  input: { connection_id: z.string().optional() },
  output: answerOf(syncAll).extend({ message: Sentence }).shape,
  errors: ['CONNECTION_DISCONNECTED'],
  operations: ['triggerSync', 'syncConnection'],
  examples: [{ arguments: {}, says: 'Bring all banks up to date.' }],
  run: async (context, { connection_id: id }) => {
    const syncs =
      id === undefined
        ? (await callOperation(context, syncAll, { body: {} })).syncs
        : [await callOperation(context, syncConnection, { params: { id }, body: {} })];
    const isAnyComing = syncs.some(({ status }) => status !== 'skipped');
    const message = isAnyComing ? await whenTheyRun(context.instance) : NOTHING_COMES;
    return { status: 'accepted', syncs, message };
  },
});

const NOTHING_COMES = 'No sync was started. The reason given for each connection says why.';

/** A process that serves one agent only stores the request; the server carries it out (70.5). */
async function whenTheyRun(instance: Instance): Promise<string> {
  const outcome = 'get_sync_status shows the outcome.';
  if (instance.syncs().isOpen()) return `The syncs run in the background. ${outcome}`;
  return (await isServerRunning(instance.database))
    ? `The server starts the syncs within 5 seconds. ${outcome}`
    : 'The syncs are queued, and start when the Homeledger server starts. It is not running now.';
}
