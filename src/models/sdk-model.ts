import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  generateText,
  wrapLanguageModel,
  type GenerateTextResult,
  type LanguageModel,
  type LanguageModelMiddleware,
  type LanguageModelUsage,
  type ToolSet,
} from 'ai';

import { LIMITS } from '../kernel/limits.ts';
import { describeFailure } from './describe-failure.ts';
import { canonicalChat } from './canonical-chat.ts';
import { createTransport, type TransportOptions } from './model-transport.ts';
import type { Model, ModelAnswer, ModelChoice, ModelRequest, ModelUsage, ToolRequest } from './model.ts';
import { toSdkPrompt, type AssistantParts } from './sdk-messages.ts';

export interface SdkModelOptions extends TransportOptions {
  choice: ModelChoice;
  /** Whether the base URL is the provider's own. */
  isOwnAddress: boolean;
  key: string | null;
  now: () => number;
}

// The SDK would print its warnings to the console.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A model through the AI SDK, from the factory of its provider: never by a model string, which goes through a gateway. */
export function createSdkModel(options: SdkModelOptions): Model {
  const { choice, key, now } = options;
  const { fetch, close } = createTransport(options);
  const isResponses = choice.provider === 'openai' && options.isOwnAddress;
  const { model: bare, providerOptions } = languageModel(options, fetch);
  const model = wrapLanguageModel({ model: bare, middleware: distinctIds });

  async function ask(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    signal.throwIfAborted();
    try {
      const result = await generateText({
        model,
        ...toSdkPrompt(request, { hasCacheMarks: choice.provider === 'anthropic', isResponses }),
        ...outputLimit(choice, request),
        ...(providerOptions ? { providerOptions } : {}),
        maxRetries: 0,
        telemetry: { isEnabled: false },
        abortSignal: signal,
      });
      return toAnswer(result, request);
    } catch (error) {
      signal.throwIfAborted();
      throw describeFailure(error, { key, now: now() });
    }
  }

  return { ...choice, ask, close };
}

type SdkOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

/** Every address and key is given: nothing is read from the environment. */
function languageModel(
  { choice: { provider, name }, baseUrl, isOwnAddress, key }: SdkModelOptions,
  fetch: typeof globalThis.fetch,
): { model: Exclude<LanguageModel, string>; providerOptions?: SdkOptions } {
  if (provider === 'anthropic') {
    return { model: createAnthropic({ baseURL: baseUrl, apiKey: key ?? '', fetch })(name) };
  }
  if (provider === 'openai' && isOwnAddress) {
    const model = createOpenAI({ baseURL: baseUrl, apiKey: key ?? '', fetch }).responses(name);
    return { model, providerOptions: { openai: { store: false } } };
  }
  const settings = {
    name: 'models',
    baseURL: baseUrl,
    fetch: canonical(fetch),
    ...(key === null ? {} : { apiKey: key }),
  };
  return { model: createOpenAICompatible(settings).chatModel(name) };
}

/** Model servers of one's own differ in what they leave out. */
function canonical(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (...asked) => {
    const answer = await fetch(...asked);
    if (!answer.ok || answer.body === null) return answer;
    return new Response(canonicalChat(await answer.text()), { status: answer.status, headers: answer.headers });
  };
}

/** Anthropic demands a limit; elsewhere one could exceed what the context leaves. */
function outputLimit({ provider }: ModelChoice, { maxOutputTokens }: ModelRequest): { maxOutputTokens?: number } {
  const limit = maxOutputTokens ?? (provider === 'anthropic' ? LIMITS.modelOutputTokens : undefined);
  return limit === undefined ? {} : { maxOutputTokens: limit };
}

type Result = GenerateTextResult<ToolSet, Record<string, unknown>, never>;

function toAnswer(
  result: Pick<Result, 'text' | 'toolCalls' | 'usage' | 'finishReason' | 'rawFinishReason' | 'response'>,
  request: ModelRequest,
): ModelAnswer {
  const raw = result.response.messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content.map(presentable) : [],
  );
  const toolCalls = result.toolCalls.map(({ toolCallId, toolName, input, invalid }): ToolRequest => ({
    id: toolCallId,
    tool: toolName,
    // What could not be parsed is left as text.
    input: invalid === true && typeof input === 'string' ? undefined : input,
  }));
  const { text, finishReason, rawFinishReason } = result;
  return {
    text,
    toolCalls,
    usage: usageOf(result.usage, request, { text, toolCalls }),
    finish: rawFinishReason === PAUSED ? 'pause' : (FINISHES.find((one) => one === finishReason) ?? 'other'),
    raw,
  };
}

/** Anthropic paused a long turn: it goes on when it is sent its answer back. */
const PAUSED = 'pause_turn';
const FINISHES = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'] as const;

/** Some servers give all calls of an answer the same id, so that results could not be told apart. */
const distinctIds: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  async wrapGenerate({ doGenerate }) {
    const result = await doGenerate();
    const seen = new Set<string>();
    const content = result.content.map((part) => {
      if (part.type !== 'tool-call') return part;
      const toolCallId = seen.has(part.toolCallId) ? `${part.toolCallId}_${seen.size + 1}` : part.toolCallId;
      seen.add(toolCallId);
      return { ...part, toolCallId };
    });
    return { ...result, content };
  },
};

/** No provider takes arguments back that are no object. */
function presentable(part: AssistantParts[number]): AssistantParts[number] {
  return part.type === 'tool-call' && !isObject(part.input) ? { ...part, input: {} } : part;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A server that counts nothing must not look free: its tokens are then estimated. */
function usageOf(
  { inputTokens, outputTokens, inputTokenDetails: details }: LanguageModelUsage,
  request: ModelRequest,
  answer: Pick<ModelAnswer, 'text' | 'toolCalls'>,
): ModelUsage {
  if (inputTokens === undefined && outputTokens === undefined) {
    return { input: tokensIn(request), output: tokensIn(answer), cacheRead: 0, cacheCreation: 0 };
  }
  const [cacheRead, cacheCreation] = [count(details.cacheReadTokens), count(details.cacheWriteTokens)];
  return {
    input: count(details.noCacheTokens ?? (inputTokens ?? 0) - cacheRead - cacheCreation),
    output: count(outputTokens),
    cacheRead,
    cacheCreation,
  };
}

function count(tokens: number | undefined): number {
  return Number.isFinite(tokens) ? Math.min(Math.max(0, Math.round(tokens ?? 0)), LIMITS.modelUsageTokens) : 0;
}

function tokensIn(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / LIMITS.charsPerToken);
}
