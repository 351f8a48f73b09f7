import { getRun } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Banner } from '../../components/banner.tsx';
import { Undone } from '../../components/changes/undone.tsx';
import { Facts, type Definition } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { durationInWords, inDigits } from '../../lib/numbers.ts';
import { LINK_ALONE, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { NoteSection } from './note-section.tsx';
import { OutcomeSection } from './outcome-section.tsx';
import { RunActions } from './run-actions.tsx';
import { costInWords, outcomeOf, SCOPE_WORDS, STATUS_WORDS, TRIGGER_WORDS, type Run } from './run-words.ts';
import { TranscriptSection } from './transcript-section.tsx';
import { workflowTitle } from '../../lib/workflow-titles.ts';

const RUNNING_MS = 2_000;

/** One run of a workflow: what it was to do, what it did, and what that cost. */
export default function RunPage() {
  const { id = '' } = usePageParams();
  const run = useApiQuery(
    getRun,
    { params: { id } },
    { refetchInterval: ({ state: { data } }) => (data?.status === 'in_progress' ? RUNNING_MS : false) },
  );
  return (
    <>
      <BackLink to="/runs">Runs</BackLink>
      {run.data === undefined && <PageHeader title="Run" />}
      <Loaded query={run} lines={8}>
        {(found) => (
          <>
            <PageHeader
              title={workflowTitle(found.workflow_name).title}
              lead={<Lead run={found} />}
              actions={<RunActions key={found.id} run={found} />}
            />
            <Trouble run={found} />
            <OutcomeSection run={found} />
            <Summary run={found} />
            <NoteSection key={`note ${found.id}`} run={found} />
            <TranscriptSection key={`transcript ${found.id}`} run={found} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Lead({ run }: { run: Run }) {
  const { tone, word } = STATUS_WORDS[run.status];
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Status tone={tone}>{word}</Status>
      <Undone status={run.change_set_status} />
      <span>{TRIGGER_WORDS[run.trigger]}</span>
      <Instant at={run.started_at} />
    </span>
  );
}

/** Why it did not do all that it was to do. */
function Trouble({ run }: { run: Run }) {
  const outcome = outcomeOf(run);
  if (outcome === null) return null;
  return (
    <Banner tone={run.status === 'error' ? 'danger' : 'info'}>
      <span className="wrap-anywhere">{outcome}</span>
    </Banner>
  );
}

function Summary({ run }: { run: Run }) {
  return (
    <Section title="Summary">
      <Facts items={run.status === 'skipped' ? [workflowOf(run)] : figuresOf(run)} />
    </Section>
  );
}

function figuresOf(run: Run): Definition[] {
  const read = run.input_tokens + run.cache_read_tokens + run.cache_creation_tokens;
  const { turn_count: turns, num_tool_calls: calls, max_turns_used: most } = run;
  return [
    workflowOf(run),
    { term: 'Started by', value: <bdi className="wrap-anywhere">{run.started_by.name}</bdi> },
    ...(run.prompt_prefix === null ? [] : [{ term: 'Note for this run', value: <Text text={run.prompt_prefix} /> }]),
    { term: 'May do', value: SCOPE_WORDS[run.tool_scope] },
    { term: 'Model', value: run.model ?? 'None yet' },
    { term: 'Cost', value: costInWords(run.total_cost_usd), ...(run.status === 'in_progress' ? SO_FAR : {}) },
    { term: 'Tokens', value: `${inDigits(read)} read, ${inDigits(run.output_tokens)} written` },
    { term: 'Turns', value: most === null ? turns : `${turns} of ${most}` },
    { term: 'Tool calls', value: calls },
    { term: 'Took', value: durationInWords(run.duration_ms) },
  ];
}

const SO_FAR = { note: 'So far' };

function workflowOf({ workflow_id: id, workflow_name: name }: Run): Definition {
  const value =
    id === null ? (
      `${name} (deleted)`
    ) : (
      <PageLink to="/workflows/{slug}" params={{ slug: id }} className={LINK_ALONE}>
        <bdi>{name}</bdi>
      </PageLink>
    );
  return { term: 'Workflow', value };
}

function Text({ text }: { text: string }) {
  return <span className="wrap-anywhere whitespace-pre-wrap">{text}</span>;
}
