import { addCall } from '../../harness/agents/agent-calls.ts';
import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getAgentCall: async (app) => ({ params: { id: (await addCall(app)).short_id } }),
  replaceAgentSettings: async () => ({ body: { mode: 'read_only', instructions: 'Ask first.' } }),
};
