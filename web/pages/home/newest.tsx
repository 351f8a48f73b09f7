import { Fragment, type ReactNode } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listImports } from '../../../src/features/imports/imports.contract.ts';
import { listRuns } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Awaited, Loaded } from '../../components/skeleton.tsx';
import { Status, type StatusTone } from '../../components/status.tsx';
import { ROW_FIELDS, TransactionRow } from '../../components/transaction/transaction-row.tsx';
import { counted } from '../../lib/numbers.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { outcomeOf, STATUS_WORDS, type Run } from '../runs/run-words.ts';
import { ofMember } from './view.ts';

const TRANSACTIONS = 10;
const IMPORTS = 5;
const RUNS = 5;

export function NewestTransactions({ userId }: { userId: string | undefined }) {
  const newest = useApiQuery(listTransactions, {
    query: {
      ...ofMember(userId),
      limit: String(TRANSACTIONS),
      fields: ROW_FIELDS,
    },
  });
  return (
    <Section title="Newest transactions">
      <Loaded query={newest} lines={10}>
        {({ transactions }) =>
          transactions.length === 0 ? (
            <p className="text-muted">There are no transactions yet.</p>
          ) : (
            <ul className="divide-y divide-line">
              {transactions.map((row) => (
                <li key={row.id}>
                  <TransactionRow transaction={row} withDate />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

type Import = OutputOf<typeof listImports>['imports'][number];

const STATES: Readonly<Record<Import['status'], { tone: StatusTone; text: string }>> = {
  queued: { tone: 'info', text: 'Waiting' },
  running: { tone: 'info', text: 'Running' },
  completed: { tone: 'success', text: 'Imported' },
  failed: { tone: 'danger', text: 'Failed' },
  reverted: { tone: 'neutral', text: 'Reverted' },
  partly_reverted: { tone: 'neutral', text: 'Partly reverted' },
};
const POLL_MS = 2_000;

export function NewestImports({ userId }: { userId: string | undefined }) {
  const newest = useApiQuery(
    listImports,
    { query: { ...ofMember(userId), limit: String(IMPORTS) } },
    { refetchInterval: ({ state }) => (state.data?.imports.some(isUnderWay) === true ? POLL_MS : false) },
  );
  return (
    <Section title="Newest imports">
      <Loaded query={newest} lines={3}>
        {({ imports }) =>
          imports.length === 0 ? (
            <p className="text-muted">No file has been imported yet.</p>
          ) : (
            <ul className="divide-y divide-line">
              {imports.map((one) => (
                <ImportLine key={one.id} record={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function isUnderWay({ status }: Import): boolean {
  return status === 'queued' || status === 'running';
}

function ImportLine({ record }: { record: Import }) {
  const { file_name: file, created_at: at, counts, actor_name: actor, status } = record;
  const added = counted(counts.added, 'new transaction');
  return (
    <Line title={<bdi>{file ?? 'Unnamed file'}</bdi>} details={[<Instant key="when" at={at} />, added, `by ${actor}`]}>
      <Status tone={STATES[status].tone}>{STATES[status].text}</Status>
    </Line>
  );
}

/** What workflows did; nothing where none has run. */
export function NewestRuns() {
  const query = { limit: String(RUNS), status: 'in_progress,success,error,timeout,cancelled' };
  const newest = useApiQuery(
    listRuns,
    { query },
    { refetchInterval: ({ state }) => (state.data?.runs.some(isInProgress) === true ? POLL_MS : false) },
  );
  if (newest.isPending) return <Awaited />;
  if (newest.data === undefined || newest.data.runs.length === 0) return null;
  return (
    <Section title="Newest runs">
      <ul className="divide-y divide-line">
        {newest.data.runs.map((run) => (
          <RunLine key={run.id} run={run} />
        ))}
      </ul>
    </Section>
  );
}

function isInProgress({ status }: Run): boolean {
  return status === 'in_progress';
}

function RunLine({ run }: { run: Run }) {
  const { tone, word } = STATUS_WORDS[run.status];
  const title = (
    <PageLink to="/runs/{id}" params={{ id: run.short_id }} className={LINK}>
      <bdi>{run.workflow_name}</bdi>
    </PageLink>
  );
  return (
    <Line title={title} details={[<Instant key="when" at={run.started_at} />, outcomeOf(run) ?? undefined]}>
      <Status tone={tone}>{word}</Status>
    </Line>
  );
}

interface LineProps {
  title: ReactNode;
  /** What else is known, in small; undefined leaves one out. */
  details: readonly ReactNode[];
  children: ReactNode;
}

function Line({ title, details, children }: LineProps) {
  return (
    <li className="flex items-start justify-between gap-x-4 py-3 first:pt-0 last:pb-0">
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">{title}</span>
        <span className="block text-sm break-words text-muted">
          {details
            .filter((detail) => detail !== undefined)
            .map((detail, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a fixed list without an order of its own
              <Fragment key={index}>
                {index > 0 && ' · '}
                <bdi>{detail}</bdi>
              </Fragment>
            ))}
        </span>
      </span>
      <span className="shrink-0 text-right">{children}</span>
    </li>
  );
}
