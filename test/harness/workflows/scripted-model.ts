import { NO_USAGE, type Model, type ModelAnswer, type ModelRequest } from '../../../src/models/model.ts';

/** A scripted answer: what is left out is empty. Or whatever a model does instead. */
export type Script = Partial<ModelAnswer> | ((request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>);

export interface ScriptedModel extends Model {
  /** The answers to come; the last one is repeated. */
  script: Script[];
  readonly requests: ModelRequest[];
}

/** A model that answers what a test tells it to. */
export function scriptedModel(...script: Script[]): ScriptedModel {
  const model: ScriptedModel = {
    provider: 'openai_compatible',
    name: 'scripted',
    script,
    requests: [],
    async ask(request, signal) {
      model.requests.push({ ...request, messages: [...request.messages] });
      const next = model.script.length > 1 ? model.script.shift() : model.script[0];
      return typeof next === 'function' ? next(request, signal) : answer(next);
    },
    close: async () => undefined,
  };
  return model;
}

export function answer(given: Partial<ModelAnswer> = {}): ModelAnswer {
  const { toolCalls = [] } = given;
  const finish = toolCalls.length > 0 ? 'tool-calls' : 'stop';
  return { text: '', toolCalls, usage: NO_USAGE, finish, raw: null, ...given };
}

/** An answer that never comes, unless the request is aborted. */
export async function silence(_request: ModelRequest, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
