import { useNavigate } from '@tanstack/react-router';
import { Mail, MailOpen, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';

import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import {
  countUnreadReports,
  deleteReport,
  getReport,
  listReports,
  markReportRead,
  markReportUnread,
} from '../../../src/features/reports/reports.contract.ts';
import { getRun } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { ApiError, messageOf } from '../../api/client.ts';
import { refresh, useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { undoneInWords } from '../../components/changes/change-set-words.ts';
import { Undone } from '../../components/changes/undone.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Instant } from '../../components/instant.tsx';
import { Markdown } from '../../components/markdown/markdown.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { showToast } from '../../components/toast-store.ts';
import { LINK_ALONE, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { Tags } from './report-list.tsx';
import { authorOf, isByPerson, kindInWords, PRIORITIES, type Report } from './report-words.ts';

const READ_AFTER_MS = 2_000;
const REFRESHES = [getReport, listReports, countUnreadReports, getOverview];

/** One report. Two seconds open, and it is read. */
export default function ReportPage() {
  const { id = '' } = usePageParams();
  const report = useApiQuery(getReport, { params: { id } });
  const isGone = report.data !== undefined && isNotFound(report.error);
  return (
    <>
      <BackLink to="/reports">Reports</BackLink>
      {isGone && (
        <Banner title="This report has been deleted">
          Somebody deleted it while it was open here. What it said is still shown below.
        </Banner>
      )}
      {report.data === undefined && <PageHeader title="Report" />}
      <Loaded query={isGone ? { ...report, error: null } : report} lines={8}>
        {(found) => <OpenReport key={found.id} report={found} isGone={isGone} />}
      </Loaded>
    </>
  );
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function OpenReport({ report, isGone }: { report: Report; isGone: boolean }) {
  const { tone, word } = PRIORITIES[report.priority];
  return (
    <article>
      <PageHeader
        title={report.title}
        lead={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Status tone={tone}>{word}</Status>
            <span>{kindInWords(report.kind)}</span>
            <bdi className="wrap-anywhere">{authorOf(report)}</bdi>
            <Instant at={report.created_at} />
            {report.workflow_run_id !== null && (
              <>
                <PageLink to="/runs/{id}" params={{ id: report.workflow_run_id }} className={LINK_ALONE}>
                  Its run
                </PageLink>
                <UndoneOfRun id={report.workflow_run_id} />
              </>
            )}
            <Tags tags={report.tags} />
          </span>
        }
        actions={isGone ? undefined : <Actions report={report} />}
      />
      <div className="max-w-4xl rounded-card border border-line bg-surface p-4 sm:p-6">
        <Markdown source={report.body} byPerson={isByPerson(report)} />
      </div>
    </article>
  );
}

/** What the report tells of may have been undone since. */
function UndoneOfRun({ id }: { id: string }) {
  const { data } = useApiQuery(getRun, { params: { id } });
  const words = undoneInWords(data?.change_set_status);
  if (words === undefined) return null;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Undone status={data?.change_set_status} />
      <span>what this run changed</span>
    </span>
  );
}

function Actions({ report }: { report: Report }) {
  const right = useReasonAgainst('full_access');
  return (
    <>
      <ReadState report={report} right={right} />
      <DeleteButton report={report} right={right} />
    </>
  );
}

interface ActionProps {
  report: Report;
  right: string | undefined;
}

/** Marks it read while it is open, until somebody says that it shall stay unread. */
function ReadState({ report, right }: ActionProps) {
  const [staysUnread, setStaysUnread] = useState(false);
  const read = useApiWrite(markReportRead, { refreshes: REFRESHES });
  const unread = useApiWrite(markReportUnread, { refreshes: REFRESHES });
  useNotice(read.error ?? unread.error);
  const isRead = report.read_at !== null;
  const isDue = !isRead && !staysUnread && right === undefined;
  const { mutate } = read;
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(() => mutate({ params: { id: report.id }, body: {} }), READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDue, mutate, report.id]);
  if (!isRead && staysUnread) {
    return (
      <Button
        icon={MailOpen}
        busy={read.isPending}
        onClick={() => {
          setStaysUnread(false);
          mutate({ params: { id: report.id }, body: {} });
        }}
      >
        Mark as read
      </Button>
    );
  }
  return (
    <Button
      icon={Mail}
      busy={unread.isPending}
      disabledReason={right}
      onClick={() => {
        setStaysUnread(true);
        if (isRead) unread.mutate({ params: { id: report.id }, body: {} });
      }}
    >
      {isRead ? 'Mark as unread' : 'Keep unread'}
    </Button>
  );
}

/** What keeps a report from being marked is said; one that is gone is looked for again, so that the page shows it. */
function useNotice(error: Error | null): void {
  useEffect(() => {
    if (error === null) return;
    if (isNotFound(error)) void refresh([getReport]);
    else showToast(messageOf(error));
  }, [error]);
}

function DeleteButton({ report, right }: ActionProps) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const remove = useApiWrite(deleteReport, { refreshes: [listReports, getOverview], undo: 'Report deleted' });
  return (
    <>
      <Button icon={Trash2} disabledReason={right} onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={isOpen}
        title="Delete this report?"
        action="Delete"
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          try {
            await remove.mutateAsync({ params: { id: report.id } });
          } catch (error) {
            if (isNotFound(error)) await refresh([getReport]);
            throw error;
          }
          await navigate({ to: '/reports' });
        }}
      >
        <bdi className="wrap-anywhere">{report.title}</bdi> is deleted for the whole household.
      </ConfirmDialog>
    </>
  );
}
