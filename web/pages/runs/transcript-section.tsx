import { useEffect, useState } from 'react';

import { getRun } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { refresh } from '../../api/queries.ts';
import { Section } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Conversation } from './conversation.tsx';
import type { Run } from './run-words.ts';
import { isOver, useTranscript, type Line } from './use-transcript.ts';

const VIEWS = [
  { value: 'conversation', label: 'Conversation' },
  { value: 'raw', label: 'Raw' },
] as const;
type View = (typeof VIEWS)[number]['value'];

/** What was said and done; it grows while the run is in progress. */
export function TranscriptSection({ run }: { run: Run }) {
  const [view, setView] = useState<View>('conversation');
  const transcript = useTranscript(run);
  const hasEnded = isOver(transcript.data);
  useEffect(() => {
    // The result is there before the run is read again, with its final figures.
    if (hasEnded && run.status === 'in_progress') void refresh([getRun]);
  }, [hasEnded, run.status]);
  if (!run.has_transcript) {
    if (run.status === 'skipped') return null;
    return (
      <Section title="Transcript">
        <p className="text-muted">
          {run.status === 'in_progress' ? 'The run has not begun yet.' : 'There is no transcript of this run.'}
        </p>
      </Section>
    );
  }
  return (
    <Section
      title="Transcript"
      actions={<Segmented label="How to show the transcript" options={VIEWS} value={view} onChange={setView} />}
    >
      <Loaded query={transcript} lines={10}>
        {(lines) => (
          <>
            {view === 'raw' ? <Raw lines={lines} /> : <Conversation lines={lines} />}
            <p role="status" className="mt-4 text-sm text-muted">
              {isOver(lines) ? '' : 'The run is in progress. New lines appear here by themselves.'}
            </p>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Raw({ lines }: { lines: readonly Line[] }) {
  return (
    <pre className="rounded-control bg-sunken p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
      {lines.map((line) => JSON.stringify(line)).join('\n')}
    </pre>
  );
}
