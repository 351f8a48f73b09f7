import type { ReactNode } from 'react';

import { listImports } from '../../../src/features/imports/imports.contract.ts';
import { listReports } from '../../../src/features/reports/reports.contract.ts';
import { listSyncLogs } from '../../../src/features/sync/sync.contract.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { listRuns } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import type { PagePath } from '../../../src/contract/pages.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Undone } from '../../components/changes/undone.tsx';
import { isRunning, STATUS_WORDS as IMPORT_WORDS } from '../../components/import/import-words.ts';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { ROW_FIELDS, TransactionRow } from '../../components/transaction/transaction-row.tsx';
import { counted } from '../../lib/numbers.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { STATUS_WORDS as RUN_WORDS } from '../runs/run-words.ts';
import { outcomeOf as outcomeOfSync } from '../sync-logs/sync-log-words.ts';
import { keepFiguresOf, ofMember } from './view.ts';

const TRANSACTIONS = '10';
const OF_EACH = '3';
const POLL_MS = 2_000;

export function NewestTransactions({ userId }: { userId: string | undefined }) {
  const newest = useApiQuery(
    listTransactions,
    { query: { ...ofMember(userId), limit: TRANSACTIONS, fields: ROW_FIELDS } },
    { placeholderData: keepFiguresOf(userId) },
  );
  return (
    <Section
      title="Newest transactions"
      actions={
        <PageLink to="/transactions" search={ofMember(userId)} className={LINK}>
          All transactions
        </PageLink>
      }
    >
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

/** What came in and what worked lately, in small. */
export function NewestWork({ userId }: { userId: string | undefined }) {
  return (
    <div className="mb-6 grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-4">
      <NewestImports userId={userId} />
      <NewestSyncs />
      <NewestRuns />
      <NewestReports />
    </div>
  );
}

function NewestImports({ userId }: { userId: string | undefined }) {
  const { data } = useApiQuery(
    listImports,
    { query: { ...ofMember(userId), limit: OF_EACH } },
    { refetchInterval: ({ state }) => (state.data?.imports.some(isRunning) === true ? POLL_MS : false) },
  );
  return (
    <Strip
      title="Imports"
      to="/imports"
      items={data?.imports.map(({ short_id: id, file_name: file, status, counts, created_at: at }) => ({
        id,
        at,
        page: '/imports/{id}',
        name: file ?? 'A file',
        note: status === 'completed' ? counted(counts.added, 'new transaction') : IMPORT_WORDS[status].word,
      }))}
    />
  );
}

function NewestSyncs() {
  const { data } = useApiQuery(listSyncLogs, { query: { limit: OF_EACH } });
  return (
    <Strip
      title="Syncs"
      to="/sync-logs"
      items={data?.sync_logs.map((log) => ({
        id: log.short_id,
        at: log.started_at,
        page: '/sync-logs/{id}',
        name: log.institution_name ?? 'A bank',
        note: outcomeOfSync(log),
      }))}
    />
  );
}

function NewestRuns() {
  const query = { limit: OF_EACH, status: 'in_progress,success,error,timeout,cancelled' };
  const { data } = useApiQuery(
    listRuns,
    { query },
    {
      refetchInterval: ({ state }) =>
        state.data?.runs.some(({ status }) => status === 'in_progress') === true ? POLL_MS : false,
    },
  );
  return (
    <Strip
      title="Runs"
      to="/runs"
      items={data?.runs.map((run) => ({
        id: run.short_id,
        at: run.started_at,
        page: '/runs/{id}',
        name: run.workflow_name,
        note: RUN_WORDS[run.status].word,
        mark: <Undone status={run.change_set_status} />,
      }))}
    />
  );
}

function NewestReports() {
  const { data } = useApiQuery(listReports, { query: { limit: OF_EACH } });
  return (
    <Strip
      title="Reports"
      to="/reports"
      items={data?.map(({ short_id: id, title, created_at: at, read_at: read }) => ({
        id,
        at,
        page: '/reports/{id}',
        name: title,
        note: read === null ? 'Unread' : 'Read',
      }))}
    />
  );
}

interface Item {
  id: string;
  at: string;
  page: PagePath;
  name: string;
  note: string;
  mark?: ReactNode;
}

/** Nothing where there is none. */
function Strip({ title, to, items = [] }: { title: string; to: PagePath; items: readonly Item[] | undefined }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={`Newest ${title.toLowerCase()}`} className="min-w-0 text-sm">
      <h2 className="mb-1 font-semibold">
        <PageLink to={to} className="hover:underline">
          {title}
        </PageLink>
      </h2>
      <ul className="divide-y divide-line border-t border-line">
        {items.map(({ id, at, page, name, note, mark }) => (
          <li key={id} className="py-1.5">
            <PageLink to={page} params={{ id }} className="block truncate font-medium hover:underline">
              <bdi>{name}</bdi>
            </PageLink>
            <span className="block text-muted wrap-anywhere">
              {note} · <Instant at={at} /> {mark}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
