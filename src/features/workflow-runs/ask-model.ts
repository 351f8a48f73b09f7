import { LIMITS } from '../../kernel/limits.ts';
import {
  ModelFailure,
  NO_USAGE,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type ModelUsage,
} from '../../models/model.ts';

/** What came of asking a model, after all attempts. */
export type Asked =
  | { kind: 'answered'; answer: ModelAnswer }
  | { kind: 'failed'; failure: ModelFailure }
  /** The signal ended it: `isOutstanding` while a request was on its way, else in a pause. */
  | { kind: 'aborted'; isOutstanding: boolean };

interface HowToAsk {
  signal: AbortSignal;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

const CAREFUL_CHARS_PER_TOKEN = 3;
const OVERHEAD_TOKENS = 2_000;

/** Asks up to three times while the provider is busy or away (contract 60.5). */
export async function askModel(model: Model, request: ModelRequest, { signal, pause }: HowToAsk): Promise<Asked> {
  for (let attempt = 0; ; attempt += 1) {
    if (signal.aborted) return { kind: 'aborted', isOutstanding: false };
    const asked = await askOnce(model, request, signal);
    const wait = LIMITS.modelBackoffMs[attempt];
    if (asked.kind !== 'failed' || !isPassing(asked.failure) || wait === undefined) return asked;
    await pause(pauseAfter(asked.failure, wait), signal);
  }
}

async function askOnce(model: Model, request: ModelRequest, signal: AbortSignal): Promise<Asked> {
  const aborted = Promise.withResolvers<Asked>();
  const onAbort = (): void => aborted.resolve({ kind: 'aborted', isOutstanding: true });
  signal.addEventListener('abort', onAbort, { once: true });
  const asked = model.ask(request, signal).then(
    (answer): Asked => ({ kind: 'answered', answer }),
    (error: unknown): Asked => {
      if (signal.aborted) return { kind: 'aborted', isOutstanding: true };
      if (error instanceof ModelFailure) return { kind: 'failed', failure: error };
      throw error;
    },
  );
  try {
    return await Promise.race([asked, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function isPassing({ kind }: ModelFailure): boolean {
  return kind === 'busy' || kind === 'network';
}

/** The provider may ask for more patience, up to a minute. */
function pauseAfter({ retryAfterMs }: ModelFailure, usual: number): number {
  return retryAfterMs !== null && retryAfterMs <= LIMITS.modelRetryAfterMs ? Math.max(retryAfterMs, usual) : usual;
}

/** What a request whose answer never came is accounted as. */
export function estimatedUsage(request: ModelRequest): ModelUsage {
  return { ...NO_USAGE, input: Math.ceil(charsOf(request) / LIMITS.charsPerToken) };
}

/** Some servers cut the beginning off without a word, so that the model goes on without its task. */
export function fitsContext(request: ModelRequest, contextTokens: number | null): boolean {
  if (contextTokens === null) return true;
  return Math.ceil(charsOf(request) / CAREFUL_CHARS_PER_TOKEN) + OVERHEAD_TOKENS <= contextTokens;
}

function charsOf({ system, messages, tools }: ModelRequest): number {
  const ofMessages = messages.map((message) => {
    if (message.role === 'user') return message.text.length;
    if (message.role === 'tools') return sum(message.results.map(({ text }) => text.length));
    const { text, toolCalls } = message.answer;
    return text.length + sum(toolCalls.map(({ tool, input }) => tool.length + (JSON.stringify(input) ?? '').length));
  });
  const ofTools = tools.map(
    ({ name, description, inputSchema }) => name.length + description.length + JSON.stringify(inputSchema).length,
  );
  return system.length + sum(ofMessages) + sum(ofTools);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
