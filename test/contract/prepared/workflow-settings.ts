import { onTestFinished } from 'vitest';

import { chat } from '../../harness/workflows/model-answers.ts';
import { scriptedServer } from '../../harness/servers/scripted-server.ts';
import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need a model server. */
export const prepared: Prepared = {
  testWorkflowModel: async (app) => {
    const server = await scriptedServer();
    onTestFinished(() => server.close());
    server.script(chat({ content: 'Ready.' }));
    const body = { provider: 'openai_compatible', model: 'local-model', base_url: server.url };
    await app.request('PATCH', '/api/v1/workflows/settings', { body });
    return { body: { model_tier: 'fast' } };
  },
};
