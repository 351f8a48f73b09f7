import { startLlmSimulator } from './llm.ts';
import { householdReviewer } from './llm/household-reviewer.ts';
import type { ReplyInput } from './llm/reply.ts';

/** The language model of a demo: simulated, on loopback, without a key. */
export interface DemoModel {
  /** What a server needs in its environment to use it. */
  environment: Readonly<Record<string, string>>;
  /** It answers the next conversation like this. */
  fail(reply: ReplyInput): void;
  /** From now on it takes its time. */
  slowDown(): void;
  close(): Promise<void>;
}

/** Nobody can follow a run that is over at once. */
const THINKING_MS = 600;

export async function startDemoModel(): Promise<DemoModel> {
  let delayMs = 0;
  let failure: ReplyInput | undefined;
  const model = await startLlmSimulator({
    model(conversation) {
      const reply = failure ?? { ...householdReviewer(conversation), delay_ms: delayMs };
      failure = undefined;
      return reply;
    },
  });
  return {
    environment: {
      WORKFLOW_MODEL_PROVIDER: 'openai_compatible',
      WORKFLOW_MODEL: 'simulated-reviewer',
      OPENAI_BASE_URL: model.baseUrl,
    },
    fail: (reply) => (failure = reply),
    slowDown: () => (delayMs = THINKING_MS),
    close: () => model.close(),
  };
}
