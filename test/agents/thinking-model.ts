import type { Model, ModelMessage, ModelRequest, ToolRequest } from '../../src/models/model.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a model may look at any field
export type Result = any;

export interface Ask {
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

/**
 * How a model goes about a task: it yields calls that do not depend on each other, gets their results, and returns what
 * it says at the end. It knows nothing but the results.
 */
export type Mind = () => Generator<readonly Ask[], string, Result[]>;

export interface Measured {
  turns: number;
  calls: number;
  /** Characters of all results. */
  resultChars: number;
  /** Characters of all requests: what a provider without a cache would charge for. */
  inputChars: number;
  outputChars: number;
}

export interface ThinkingModel extends Model {
  readonly measured: Measured;
}

/** A usual estimate for JSON and English. */
export const CHARS_PER_TOKEN = 4;

/** A model that thinks as its mind does. A call that is refused, or of a tool that it was not given, is a fault of the prompt. */
export function thinkingModel(mind: Mind): ThinkingModel {
  const measured: Measured = { turns: 0, calls: 0, resultChars: 0, inputChars: 0, outputChars: 0 };
  const thought = mind();
  return {
    provider: 'openai_compatible',
    name: 'thinking',
    measured,
    async ask({ system, messages, tools }: ModelRequest) {
      const results = resultsIn(messages.at(-1));
      measured.resultChars += results.reduce((sum, text) => sum + text.length, 0);
      const { value, done } = thought.next(results.map((text) => JSON.parse(text)));
      const asked = done ? [] : value;
      const missing = asked.find(({ tool }) => !tools.some(({ name }) => name === tool));
      if (missing) throw new Error(`The prompt lets the model call ${missing.tool}, which it is not given.`);
      const toolCalls = asked.map(({ tool, input }, index): ToolRequest => {
        return { id: `call_${measured.turns}_${index}`, tool, input };
      });
      const inputChars = system.length + JSON.stringify(tools).length + charsOf(messages);
      const outputChars = done ? value.length : JSON.stringify(asked).length;
      measured.turns += 1;
      measured.calls += asked.length;
      measured.inputChars += inputChars;
      measured.outputChars += outputChars;
      return {
        text: done ? value : '',
        toolCalls,
        usage: { input: tokens(inputChars), output: tokens(outputChars), cacheRead: 0, cacheCreation: 0 },
        finish: done ? 'stop' : 'tool-calls',
        raw: null,
      };
    },
    close: async () => undefined,
  };
}

function resultsIn(last: ModelMessage | undefined): string[] {
  if (last?.role !== 'tools') return [];
  const refused = last.results.find(({ isError }) => isError);
  if (refused) throw new Error(`${refused.tool} refused what the prompt says: ${refused.text}`);
  return last.results.map(({ text }) => text);
}

function charsOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => {
    if (message.role === 'user') return sum + message.text.length;
    if (message.role === 'assistant') return sum + JSON.stringify(message.answer.toolCalls).length;
    return sum + message.results.reduce((all, { text }) => all + text.length, 0);
  }, 0);
}

function tokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
