import { useState, type ReactNode } from 'react';

import { Banner } from '../../components/banner.tsx';
import { Status } from '../../components/status.tsx';
import { inDollars } from '../../lib/dollars.ts';
import { durationInWords, inDigits } from '../../lib/numbers.ts';
import { CAP_WORDS } from './run-words.ts';
import type { Line } from './use-transcript.ts';

/** What was said and done, in its order. Texts of models and tools are shown as they are, never as HTML. */
export function Conversation({ lines }: { lines: readonly Line[] }) {
  const results = new Map(lines.flatMap((line) => (line.type === 'tool_result' ? [[line.data['id'], line]] : [])));
  return (
    <ol className="space-y-4">
      {lines.map((line) => {
        const shown = entryOf(line, results);
        return shown === null ? null : <li key={line.seq}>{shown}</li>;
      })}
    </ol>
  );
}

/** Results of tools are shown with their calls. */
function entryOf(line: Line, results: ReadonlyMap<unknown, Line>): ReactNode {
  const { type, data } = line;
  switch (type) {
    case 'system':
      return <Setup data={data} />;
    case 'user_message':
      return (
        <Folded summary="What it was asked to do">
          <p className="wrap-anywhere whitespace-pre-wrap">{textOf(data['text'])}</p>
        </Folded>
      );
    case 'assistant_message':
      return <Said text={data['text']} />;
    case 'tool_use':
      return <ToolCall call={data} result={results.get(data['id'])?.data} />;
    case 'usage':
      return <Usage data={data} />;
    case 'cap_hit':
      return <Banner>It reached {capInWords(data['cap'])}.</Banner>;
    case 'error':
      return <Banner tone="danger">{textOf(data['message'])}</Banner>;
    case 'result':
      return <p className="text-sm text-muted">The run ended here.</p>;
    default:
      return null;
  }
}

function capInWords(cap: unknown): string {
  return CAP_WORDS[cap as keyof typeof CAP_WORDS] ?? 'a limit';
}

function Setup({ data }: { data: Line['data'] }) {
  if (data['truncated'] === true) return <Banner>The transcript was too long to be kept from here on.</Banner>;
  const tools = Array.isArray(data['tools']) ? data['tools'] : [];
  return (
    <Folded summary={`How it was set up: ${textOf(data['model'])}, ${tools.length} tools`}>
      <Verbatim text={tools.map(textOf).join(', ')} />
      <Verbatim text={textOf(data['system_prompt'])} />
    </Folded>
  );
}

function Said({ text }: { text: unknown }) {
  return (
    <div className="py-2">
      <p className="mb-1 text-sm font-semibold text-muted">Model</p>
      <p className="max-w-prose wrap-anywhere whitespace-pre-wrap">{textOf(text)}</p>
    </div>
  );
}

function ToolCall({ call, result }: { call: Line['data']; result: Line['data'] | undefined }) {
  const isFailed = result?.['is_error'] === true;
  const name = textOf(call['name']);
  return (
    <Folded
      summary={
        <>
          <code className="font-mono">{name}</code>{' '}
          {result === undefined ? (
            <Status tone="info">No result yet</Status>
          ) : (
            isFailed && <Status tone="danger">Failed</Status>
          )}
        </>
      }
    >
      <p className="text-sm font-semibold">Asked for</p>
      <Verbatim text={inLines(call['input'])} />
      {result !== undefined && (
        <>
          <p className="text-sm font-semibold">Got, after {durationInWords(Number(result['duration_ms']))}</p>
          <Verbatim text={inLines(result['content'])} />
        </>
      )}
    </Folded>
  );
}

function Usage({ data }: { data: Line['data'] }) {
  const cost = data['total_cost_usd'] as number | null;
  const read = Number(data['input_tokens']) + Number(data['cache_read_tokens']) + Number(data['cache_creation_tokens']);
  return (
    <p className="text-sm text-muted">
      Turn {textOf(data['turn'])}: {inDigits(read)} tokens read, {inDigits(Number(data['output_tokens']))} written
      {cost !== null && `, ${inDollars(cost)} so far`}
    </p>
  );
}

interface FoldedProps {
  summary: ReactNode;
  children: ReactNode;
}

/** What is inside is made when it is opened: results of tools are long. */
function Folded({ summary, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="border-b border-line" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="target cursor-pointer content-center wrap-anywhere">{summary}</summary>
      {isOpen && <div className="space-y-2 pb-2">{children}</div>}
    </details>
  );
}

function Verbatim({ text }: { text: string }) {
  return (
    <pre className="rounded-control bg-sunken p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap">{text}</pre>
  );
}

/** JSON on several lines, whether it comes as a value or as a text. */
function inLines(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? '';
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
