import type { ModelProviderName } from '../../models/model.ts';

export type ToolScope = 'read_only' | 'propose' | 'read_write';
export type RunTrigger = 'manual' | 'cron' | 'after_sync';
export type Cap = 'max_turns' | 'max_budget' | 'max_tokens' | 'max_duration' | 'household_budget';

/** What a run began with. Later changes of its workflow do not reach it (contract 60.2). */
export interface RunDefinition {
  systemPrompt: string;
  /** Composed, with the operator's note. */
  prompt: string;
  /** The prompt is made of blocks, all of which call tools. Absent in runs from before. */
  isComposed?: boolean;
  toolScope: ToolScope;
  /** Names of the tools it is offered. */
  tools: readonly string[];
  provider: ModelProviderName;
  model: string;
  caps: RunCaps;
}

export interface RunCaps {
  /** null: none of its own (500 holds). */
  maxTurns: number | null;
  /** Millionths of a dollar; null: no dollar cap. */
  budgetMicros: number | null;
  /** null: none. */
  maxTokens: number | null;
  maxDurationMs: number;
}
