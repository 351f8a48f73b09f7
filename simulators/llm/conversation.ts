/** What a model is asked, whichever wire it came over. */
export interface Conversation {
  wire: WireName;
  model: string;
  system: string;
  turns: readonly Turn[];
  tools: readonly OfferedTool[];
  maxTokens: number | null;
  isStreamed: boolean;
  /** The request in pieces, in the order in which a prompt cache keeps them. */
  parts: readonly PromptPart[];
}

export type WireName = 'anthropic' | 'openai' | 'openai_compatible';

export type Turn =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly EarlierCall[] }
  | { role: 'tools'; results: readonly ToolResult[] };

export interface EarlierCall {
  id: string;
  name: string;
  arguments: unknown;
}

export interface ToolResult {
  callId: string;
  /** Of the tool that was called. */
  name: string;
  text: string;
  isError: boolean;
}

export interface OfferedTool {
  name: string;
  description: string;
  schema: Readonly<Record<string, unknown>>;
}

export interface PromptPart {
  text: string;
  /** The client asks the provider to keep everything up to here in its cache. */
  isMarked: boolean;
}

/** How many answers the model has given in it. */
export function answersIn({ turns }: Conversation): number {
  return turns.filter(({ role }) => role === 'assistant').length;
}

export function resultsIn({ turns }: Conversation): readonly ToolResult[] {
  return turns.flatMap((turn) => (turn.role === 'tools' ? turn.results : []));
}

const CHARS_PER_TOKEN = 4;

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

export function tokensOfPrompt({ parts }: Pick<Conversation, 'parts'>): number {
  return parts.reduce((sum, { text }) => sum + tokensOf(text), 0);
}

/** What is left of a conversation on a server that silently keeps only the last tokens: tools go first, then the system. */
export function cutToFit(conversation: Conversation, tokens: number): Conversation {
  let left = tokens * CHARS_PER_TOKEN;
  const keepEnd = (text: string): string => {
    const kept = left <= 0 ? '' : text.slice(-left);
    left -= text.length;
    return kept;
  };
  const turns = conversation.turns
    .toReversed()
    .flatMap((turn): Turn[] => (left <= 0 ? [] : [cutTurn(turn, keepEnd)]))
    .toReversed();
  const system = keepEnd(conversation.system);
  const tools = conversation.tools.toReversed().filter((tool) => {
    left -= JSON.stringify(tool).length;
    return left >= 0;
  });
  const parts = [{ text: JSON.stringify({ tools, system, turns }).slice(-tokens * CHARS_PER_TOKEN), isMarked: false }];
  return { ...conversation, turns, system, tools: tools.toReversed(), parts };
}

function cutTurn(turn: Turn, keepEnd: (text: string) => string): Turn {
  if (turn.role === 'user') return { ...turn, text: keepEnd(turn.text) };
  if (turn.role === 'assistant') {
    keepEnd(JSON.stringify(turn.calls));
    return { ...turn, text: keepEnd(turn.text) };
  }
  const results = turn.results.toReversed().map((result) => ({ ...result, text: keepEnd(result.text) }));
  return { ...turn, results: results.toReversed() };
}
