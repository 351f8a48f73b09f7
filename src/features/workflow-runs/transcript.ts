import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { dollarsOf } from '../../kernel/dollars.ts';
import type { RunDefinition } from './run-definition.ts';
import type { RunRow } from './run-leases.ts';

/** The record of what was said and done in a run (contract 60.4). */

export type LineType =
  | 'system'
  | 'user_message'
  | 'assistant_message'
  | 'tool_use'
  | 'tool_result'
  | 'usage'
  | 'cap_hit'
  | 'error'
  | 'result';

export interface Line {
  type: LineType;
  data: Readonly<Record<string, unknown>>;
}

/** How much of a transcript there is; `bytes` also counts what no longer fits into it. */
export interface TranscriptSize {
  lines: number;
  bytes: number;
}

/** Makes a text fit to be stored: without secrets. */
export type Mask = (text: string) => string;

const MS_PER_SECOND = 1_000;
const TRUNCATED: Line = { type: 'system', data: { truncated: true } };

/** What every transcript begins with: what the run was given. */
export function openingLines({ provider, model, toolScope, tools, caps, systemPrompt, prompt }: RunDefinition): Line[] {
  const system = {
    model_provider: provider,
    model,
    tool_scope: toolScope,
    tools,
    caps: {
      max_turns: caps.maxTurns,
      max_budget_usd: caps.budgetMicros === null ? null : dollarsOf(caps.budgetMicros),
      max_tokens: caps.maxTokens,
      max_duration_seconds: caps.maxDurationMs / MS_PER_SECOND,
    },
    system_prompt: systemPrompt,
  };
  return [
    { type: 'system', data: system },
    { type: 'user_message', data: { text: prompt } },
  ];
}

/** Adds lines. From the first one that does not fit on, only the result is. */
export async function appendLines(
  tx: BareWriteTx,
  {
    id,
    transcript_lines: lines,
    transcript_bytes: bytes,
  }: Pick<RunRow, 'id' | 'transcript_lines' | 'transcript_bytes'>,
  added: readonly Line[],
  mask: Mask,
): Promise<TranscriptSize> {
  const size = { lines, bytes };
  const rows: [string, number, string, string, string][] = [];
  const add = ({ type }: Line, data: string): void => {
    size.lines += 1;
    rows.push([id, size.lines, type, tx.now, data]);
  };
  for (const line of added) {
    const data = JSON.stringify(storable(line.data, mask));
    const hadRoom = size.bytes <= LIMITS.transcriptBytes;
    size.bytes += Buffer.byteLength(data);
    if (line.type === 'result' || size.bytes <= LIMITS.transcriptBytes) add(line, data);
    else if (hadRoom) add(TRUNCATED, JSON.stringify(TRUNCATED.data));
  }
  await tx.insertMany('workflow_run_lines', ['run_id', 'seq', 'type', 'ts', 'data'], rows);
  return size;
}

/** Every text in it masked and cut. */
function storable(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return cut(mask(value));
  if (Array.isArray(value)) return value.map((item) => storable(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cut(mask(key)), storable(item, mask)]));
}

function cut(text: string): string {
  if (text.length * 3 <= LIMITS.transcriptTextBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= LIMITS.transcriptTextBytes) return text;
  // A character that is only partly within the limit is left out.
  const kept = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, LIMITS.transcriptTextBytes), {
    stream: true,
  });
  return `${kept}…[truncated ${text.length - kept.length} characters]`;
}
