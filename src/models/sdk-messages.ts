import type { AssistantModelMessage, ModelMessage as SdkMessage, SystemModelMessage, ToolSet } from 'ai';
import { jsonSchema, tool } from 'ai';

import type { ModelAnswer, ModelMessage, ModelRequest, ModelTool } from './model.ts';

/** Marks the end of what Anthropic keeps in its cache; the other providers do so by themselves. */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/** The parts of a request as the SDK takes them. */
export interface SdkPrompt {
  instructions: SystemModelMessage;
  messages: SdkMessage[];
  tools?: ToolSet;
}

interface Wire {
  /** The provider is told what to keep in its cache, and which results are failures. */
  hasCacheMarks: boolean;
  /** Unless it is told otherwise, the Responses API makes every argument required. */
  isResponses: boolean;
}

export function toSdkPrompt(
  { system, messages, tools }: ModelRequest,
  { hasCacheMarks, isResponses }: Wire,
): SdkPrompt {
  const converted = messages.flatMap((message) => toSdkMessage(message, hasCacheMarks));
  return {
    instructions: { role: 'system', content: system, providerOptions: CACHED },
    messages: withCacheMarks(converted),
    ...(tools.length === 0 ? {} : { tools: Object.fromEntries(tools.map(toSdkTool(tools.length - 1, isResponses))) }),
  };
}

/** The end of this request, to be read by the next one, and the end of the one before, which is read now. */
function withCacheMarks(messages: readonly SdkMessage[]): SdkMessage[] {
  const ends = messages.flatMap(({ role }, at) => (role === 'assistant' ? [] : [at])).slice(-2);
  return messages.map((message, at) => (ends.includes(at) ? { ...message, providerOptions: CACHED } : message));
}

/** Without `execute`: tools run elsewhere. */
function toSdkTool(last: number, isResponses: boolean): (wanted: ModelTool, at: number) => [string, ToolSet[string]] {
  return ({ name, description, inputSchema }, at) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema(inputSchema),
      ...(isResponses ? { strict: false } : {}),
      ...(at === last ? { providerOptions: CACHED } : {}),
    }) as ToolSet[string],
  ];
}

/** Only Anthropic can be told that a result is a failure; to others, its text has to say so. */
function toSdkMessage(message: ModelMessage, marksFailures: boolean): SdkMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }];
  if (message.role === 'assistant') {
    const content = contentOf(message.answer);
    return content.length === 0 ? [] : [{ role: 'assistant', content }];
  }
  const results = message.results.map(({ callId, tool: toolName, isError, text }) => ({
    type: 'tool-result' as const,
    toolCallId: callId,
    toolName,
    output: { type: isError && marksFailures ? ('error-text' as const) : ('text' as const), value: text },
  }));
  return results.length === 0 ? [] : [{ role: 'tool', content: results }];
}

export type AssistantParts = Exclude<AssistantModelMessage['content'], string>;

/** What the model said, with its reasoning, as it wants to see it again. */
function contentOf({ raw, text, toolCalls }: ModelAnswer): AssistantParts {
  if (Array.isArray(raw)) return raw as AssistantParts;
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolCalls.map(({ id, tool: toolName, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName,
      input: input ?? {},
    })),
  ];
}
