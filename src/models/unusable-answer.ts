import type { ModelAnswer } from './model.ts';

/** Why an answer of a model is of no use (contract 60.5). */
export type Unusable = 'cut' | 'empty' | 'calls_as_text' | 'no_call';

/** How servers and chat templates write a call that nobody turned into one. */
const WRITTEN_CALL = /<tool_call|<function=|<\|tool_call|\[TOOL_CALLS\]|<\|python_tag\|>|```tool_code/;
const FENCE = /^```\w*\s*([\s\S]*?)\s*```$/;
const REASONING = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/g;

/**
 * @param toolNames of the whole registry
 * @param mustCall a run that has done nothing so far, of a prompt that says what to do
 */
export function unusableOf(
  answer: Pick<ModelAnswer, 'text' | 'toolCalls' | 'finish'>,
  { toolNames, mustCall }: { toolNames: ReadonlySet<string>; mustCall: boolean },
): Unusable | undefined {
  if (answer.finish === 'length') return 'cut';
  if (answer.toolCalls.length > 0) return undefined;
  const text = answer.text.replaceAll(REASONING, '').trim();
  // Why a provider stopped a model matters more than that it said nothing.
  if (text === '') return answer.finish === 'content-filter' || answer.finish === 'error' ? undefined : 'empty';
  if (WRITTEN_CALL.test(text) || isCallInJson(text, toolNames)) return 'calls_as_text';
  return mustCall ? 'no_call' : undefined;
}

function isCallInJson(text: string, toolNames: ReadonlySet<string>): boolean {
  const bare = FENCE.exec(text)?.[1] ?? text;
  if (!/^[[{]/.test(bare)) return false;
  let json: unknown;
  try {
    json = JSON.parse(bare);
  } catch {
    return false;
  }
  return [json].flat().some((one) => {
    if (typeof one !== 'object' || one === null) return false;
    const { name, arguments: sent, parameters } = one as Readonly<Record<string, unknown>>;
    return typeof name === 'string' && toolNames.has(name) && (sent !== undefined || parameters !== undefined);
  });
}

/** What people read of a run, or of the test of a model, that ended with such an answer. */
export function describeUnusable(unusable: Unusable, model: string, outputTokens: number): string {
  const said: Readonly<Record<Unusable, string>> = {
    cut:
      `The answer of ${model} was cut off after ${outputTokens} tokens. Raise the output limit of the model server, or ` +
      'choose a model that reasons less.',
    empty: `${model} answered nothing: neither text nor a call of a tool.`,
    calls_as_text:
      `${model} wrote its calls of tools as text, and the model server did not turn them into calls. Its tool parser or ` +
      'chat template does not fit this model.',
    no_call: `${model} ended without a successful call of a tool, so it has not done the task.`,
  };
  return said[unusable];
}

/** What the model is told, once for each. */
export const TOLD: Readonly<Record<Unusable, string>> = {
  cut: 'Your last answer was cut off because it was too long, and nothing of it was carried out. Answer again, with less text and fewer calls at once.',
  empty: 'Your last answer was empty. Go on with the task: call a tool, or say in one or two sentences what you did.',
  calls_as_text:
    'Your last answer had a call of a tool written as text, and nothing was carried out. Use the function calling of the API to call tools.',
  no_call:
    'You have not done anything yet: no call of a tool has succeeded. Do the task with the tools that you were given.',
};
