import { afterAll, afterEach, beforeAll } from 'vitest';

import type { Model, ModelAnswer, ModelProviderName } from '../../../src/models/model.ts';
import { createSdkModel, type SdkModelOptions } from '../../../src/models/sdk-model.ts';
import { scriptedServer, type Scripted, type ScriptedServer } from '../servers/scripted-server.ts';
import { ASKED } from './model-answers.ts';

export const KEY = 'sk-test-abcdefghijklmnop';
const NOW = Date.parse('2026-03-02T12:00:00.000Z');

/** A server on loopback that stands in for each provider of models, and models that ask it. */
export interface SdkModels {
  readonly server: ScriptedServer;
  modelOf: (provider: ModelProviderName, options?: Partial<SdkModelOptions>) => Model;
  /** What the model makes of an answer of the server. */
  ask: (model: Model, answer: Scripted | Scripted[], request?: typeof ASKED) => Promise<ModelAnswer>;
}

/** The same server for all tests of a file. */
export function useSdkModels(): SdkModels {
  let server: ScriptedServer;
  const open: Model[] = [];
  beforeAll(async () => {
    server = await scriptedServer();
  });
  afterAll(() => server.close());
  afterEach(async () => {
    await Promise.all(open.splice(0).map((model) => model.close()));
  });
  return {
    get server() {
      return server;
    },
    modelOf(provider, options = {}) {
      const model = createSdkModel({
        choice: { provider, name: provider === 'anthropic' ? 'claude-haiku-4-5' : 'gpt-5' },
        baseUrl: `${server.url}/v1`,
        isOwnAddress: true,
        key: KEY,
        userAgent: 'homeledger/test',
        resolveHost: async () => ['127.0.0.1'],
        now: () => NOW,
        ...options,
      });
      open.push(model);
      return model;
    },
    async ask(model, answer, request = ASKED) {
      server.script(...[answer].flat());
      return model.ask(request, new AbortController().signal);
    },
  };
}
