import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import { answersIn, resultsIn, type Conversation } from './conversation.ts';
import { ReplySchema, type Reply } from './reply.ts';
import { fillIn, filledText, PathError } from './result-path.ts';

const StepSchema = ReplySchema.extend({
  /** What happens first to requests for this answer, one each: failures that a client is to try again after. */
  first: z.array(ReplySchema).default([]),
});

const ScriptSchema = z.strictObject({
  /** Words of the system prompt or the first message; a script without them fits every conversation. */
  when: z.string().optional(),
  steps: z.array(StepSchema).min(1, 'must have at least one step'),
  /** After the last step: the same again, for an endless loop, or a short answer without tools. */
  afterwards: z.enum(['repeat', 'stop']).default('stop'),
});

/** What a scenario file says: how the server is, and what its model answers. */
const ScenarioSchema = z.strictObject({
  key: z.string().optional(),
  models: z.array(z.string()).min(1).optional(),
  context_tokens: z.int().min(1).optional(),
  /** `cut`: as some local servers do, the beginning is cut off and nobody is told. */
  when_too_long: z.enum(['refuse', 'cut']).default('refuse'),
  /** The first that fits a conversation is played. */
  scripts: z.array(ScriptSchema).min(1, 'must have at least one script'),
});

export type Scenario = z.output<typeof ScenarioSchema>;
export type ScenarioInput = z.input<typeof ScenarioSchema>;

/** Reads a scenario file. @throws Error that says what is wrong, and where */
export async function readScenario(path: string): Promise<Scenario> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`The scenario ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  return parseScenario(value, path);
}

export function parseScenario(value: unknown, name = 'The scenario'): Scenario {
  const parsed = ScenarioSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`${name} is not valid.\n${z.prettifyError(parsed.error)}`);
}

/**
 * A model that follows a scenario. The step of a conversation is the number of answers in it, so that conversations do
 * not disturb each other and a repeated request gets the same answer.
 */
export function scenarioModel({ scripts }: Scenario): (conversation: Conversation) => Reply {
  const failures = new Map(scripts.flatMap(({ steps }) => steps.map((step) => [step, [...step.first]])));
  return (conversation) => {
    const script = scripts.find(({ when }) => when === undefined || opening(conversation).includes(when));
    if (!script) return failed('No script of the scenario fits this conversation.');
    const at = answersIn(conversation);
    const step = script.steps[at] ?? (script.afterwards === 'repeat' ? script.steps.at(-1) : undefined);
    if (!step) return ReplySchema.parse({ text: 'Done.' });
    const failure = failures.get(step)?.shift();
    return failure ?? filled(step, conversation);
  };
}

function opening({ system, turns }: Conversation): string {
  const first = turns.find(({ role }) => role === 'user');
  return `${system}\n${first?.role === 'user' ? first.text : ''}`;
}

/** The references of a step to what the tools said are replaced by it. */
function filled(step: z.output<typeof StepSchema>, conversation: Conversation): Reply {
  const { first: _first, ...reply } = step;
  const results = resultsIn(conversation);
  try {
    return {
      ...reply,
      text: filledText(reply.text, results),
      tool_calls: reply.tool_calls.map((call) => ({
        ...call,
        arguments: fillIn(call.arguments, results) as Reply['tool_calls'][number]['arguments'],
      })),
    };
  } catch (error) {
    if (error instanceof PathError) return failed(error.message);
    throw error;
  }
}

function failed(message: string): Reply {
  return ReplySchema.parse({ error: 'server_error', message });
}
