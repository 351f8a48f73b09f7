/** The model providers of contract 60.5. */
export type ModelProviderName = 'anthropic' | 'openai' | 'openai_compatible';

export type ModelTier = 'fast' | 'balanced' | 'deep';

/** Which model a run uses. */
export interface ModelChoice {
  provider: ModelProviderName;
  name: string;
}

/** A language model behind a provider: one request, one answer, no retries and no time limit of its own. */
export interface Model {
  readonly provider: ModelProviderName;
  readonly name: string;
  /**
   * Asks once. Once the signal is aborted, throws its reason.
   * @throws ModelFailure
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** Ends kept connections. */
  close(): Promise<void>;
}

export interface ModelRequest {
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  maxOutputTokens?: number;
}

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  inputSchema: object;
}

export type ModelMessage =
  | { role: 'user'; text: string }
  /** An earlier answer of this model. */
  | { role: 'assistant'; answer: ModelAnswer }
  | { role: 'tools'; results: readonly ToolResult[] };

export interface ToolResult {
  callId: string;
  tool: string;
  isError: boolean;
  text: string;
}

export interface ModelAnswer {
  text: string;
  toolCalls: readonly ToolRequest[];
  usage: ModelUsage;
  /** Why the model stopped, in the provider-neutral words of the AI SDK; `pause`: it wants to be asked again to go on. */
  finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'pause' | 'error' | 'other';
  /** What the provider needs to see of it in the next request; only the model that gave it reads it. */
  raw: unknown;
}

export interface ToolRequest {
  id: string;
  tool: string;
  /** As the model wrote it: may be no object, or `undefined` if it was no JSON. */
  input: unknown;
}

/** Tokens of one answer. `input` does not include those read from or written to the provider's cache. */
export interface ModelUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheCreation: number;
}

export const NO_USAGE: ModelUsage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

/** Why a request to a model failed. */
export type ModelFailureKind = 'auth' | 'busy' | 'refused' | 'network' | 'context_too_long';

/** A failure of a model provider. Its message is ours, or the provider's without secrets, and fit to be shown. */
export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  /** HTTP status; null if no answer came. */
  readonly status: number | null;
  /** How long the provider asks not to be called. */
  readonly retryAfterMs: number | null;
  /** The model has answered, in a form that cannot be read: the provider may charge for it. */
  readonly isAnswered: boolean;

  constructor(
    kind: ModelFailureKind,
    message: string,
    {
      status = null,
      retryAfterMs = null,
      isAnswered = false,
    }: Partial<Pick<ModelFailure, 'status' | 'retryAfterMs' | 'isAnswered'>> = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.isAnswered = isAnswered;
  }
}
