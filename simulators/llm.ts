import { systemClock } from '../src/kernel/clock.ts';
import type { Conversation } from './llm/conversation.ts';
import { createModelIds } from './llm/model-ids.ts';
import { answerModelRequest, type ModelServer } from './llm/model-server.ts';
import { createPromptCache } from './llm/prompt-cache.ts';
import { ReplySchema, type ReplyInput } from './llm/reply.ts';
import { parseScenario, scenarioModel, type ScenarioInput } from './llm/scenario.ts';
import { createRequestLog, type LoggedRequest } from './providers/request-log.ts';
import { readRequest, serveOnLoopback } from './providers/simulator-server.ts';

/** What a simulated model says to a request; `count` is 1 for the first request since the model was set. */
export type SimulatedModel = (conversation: Conversation, count: number) => ReplyInput | Promise<ReplyInput>;

export interface LlmSimulatorOptions {
  /** Any free one unless given. */
  port?: number;
  /** What the model says; a short text unless given. */
  model?: SimulatedModel;
}

export interface LlmTraits {
  /** The only key that is accepted; any by default, and none at all over chat completions. */
  key?: string | null;
  /** The names of the models there are; any by default. */
  models?: readonly string[] | null;
  contextTokens?: number | null;
  /** What happens to a prompt that does not fit: an error, or its beginning is cut off and nobody is told. */
  whenTooLong?: 'refuse' | 'cut';
}

export interface LlmSimulator {
  url: string;
  /** The address to configure: `http://127.0.0.1:<port>/v1`. */
  baseUrl: string;
  /** All requests, with their headers and bodies, oldest first. */
  requests(): readonly LoggedRequest[];
  /** Every request of a conversation as the model understood it. */
  conversations(): readonly Conversation[];
  /** Sets what the model says: a function, or replies of the next requests, of which the last one is repeated. Forgets all requests. */
  play(...model: [SimulatedModel] | ReplyInput[]): void;
  playScenario(scenario: ScenarioInput): void;
  /** How the server behaves from now on; what is left out is as by default. */
  be(traits: LlmTraits): void;
  close(): Promise<void>;
}

const CONVERSATIONS_KEPT = 2_000;
const DEFAULT_TRAITS = { key: null, models: null, contextTokens: null, whenTooLong: 'refuse' } as const;

/** A server of language models on loopback, which speaks as Anthropic, OpenAI and servers like it do. */
export async function startLlmSimulator({ port = 0, model }: LlmSimulatorOptions = {}): Promise<LlmSimulator> {
  const requests = createRequestLog();
  const conversations: Conversation[] = [];
  const played = { model: model ?? (() => ({ text: 'Hello.' })), count: 0 };
  const server: ModelServer = {
    ...DEFAULT_TRAITS,
    ids: createModelIds(1),
    now: () => systemClock.now(),
    stored: new Map(),
    cache: createPromptCache(),
    async reply(conversation) {
      conversations.push(conversation);
      if (conversations.length > CONVERSATIONS_KEPT) conversations.shift();
      return ReplySchema.parse(await played.model(conversation, ++played.count));
    },
  };
  const play = (next: SimulatedModel): void => {
    Object.assign(played, { model: next, count: 0 });
    conversations.length = 0;
    requests.clear();
    server.cache.clear();
  };
  const listening = await serveOnLoopback(
    async (incoming, outgoing, signal) => {
      const request = await readRequest(incoming);
      const { method, path, query, headers, body, text } = request;
      const logged = requests.add({
        at: new Date(server.now()).toISOString(),
        method,
        path,
        query,
        headers,
        body: body ?? text,
      });
      outgoing.once('finish', () => (logged.status = outgoing.statusCode));
      await answerModelRequest(server, request, outgoing, signal);
    },
    { port },
  );
  return {
    url: listening.url,
    baseUrl: `${listening.url}/v1`,
    requests: () => requests.list(),
    conversations: () => conversations,
    play(...given) {
      const [first] = given;
      play(typeof first === 'function' ? first : inOrder(given as ReplyInput[]));
    },
    playScenario(input) {
      const scenario = parseScenario(input);
      play(scenarioModel(scenario));
      Object.assign(server, traitsOf(scenario));
    },
    be(traits) {
      Object.assign(server, DEFAULT_TRAITS, traits);
    },
    close: listening.close,
  };
}

function inOrder(replies: readonly ReplyInput[]): SimulatedModel {
  return (_conversation, count) => replies[Math.min(count, replies.length) - 1] ?? {};
}

function traitsOf(scenario: ReturnType<typeof parseScenario>): Required<LlmTraits> {
  const { key = null, models = null, context_tokens: contextTokens = null, when_too_long: whenTooLong } = scenario;
  return { key, models, contextTokens, whenTooLong };
}
