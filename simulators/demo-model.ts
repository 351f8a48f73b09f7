import { startLlmSimulator } from './llm.ts';
import { householdReviewer } from './llm/household-reviewer.ts';

/** The language model of a demo: simulated, on loopback, without a key. */
export interface DemoModel {
  /** What a server needs in its environment to use it. */
  environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Nobody can follow a run that is over at once. */
const THINKING_MS = 600;

export async function startDemoModel(): Promise<DemoModel> {
  const model = await startLlmSimulator({
    model: (conversation) => ({ ...householdReviewer(conversation), delay_ms: THINKING_MS }),
  });
  return {
    environment: {
      WORKFLOW_MODEL_PROVIDER: 'openai_compatible',
      WORKFLOW_MODEL: 'simulated-reviewer',
      OPENAI_BASE_URL: model.baseUrl,
    },
    close: () => model.close(),
  };
}
