import { Badge, Status } from '../../components/status.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageLink } from '../../lib/page-link.tsx';
import { authorOf, kindInWords, PRIORITIES, type Report } from './report-words.ts';

interface ReportListProps {
  label: string;
  list: readonly Report[];
  /** Said instead when there are none. */
  empty: string;
}

export function ReportList({ label, list, empty }: ReportListProps) {
  if (list.length === 0) return <p className="text-muted">{empty}</p>;
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {list.map((report) => (
        <ReportEntry key={report.id} report={report} />
      ))}
    </ul>
  );
}

function ReportEntry({ report }: { report: Report }) {
  const { tone, word } = PRIORITIES[report.priority];
  const isUnread = report.read_at === null;
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <PageLink
        to="/reports/{id}"
        params={{ id: report.short_id }}
        className={`inline-flex items-center text-accent underline underline-offset-2 wrap-anywhere pointer-coarse:min-h-11 hover:text-accent-strong ${isUnread ? 'font-semibold' : ''}`}
      >
        <bdi>{report.title}</bdi>
      </PageLink>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        {report.priority !== 'info' && <Status tone={tone}>{word}</Status>}
        <span>{kindInWords(report.kind)}</span>
        <span className="wrap-anywhere">
          <bdi>{authorOf(report)}</bdi>
        </span>
        <Instant at={report.created_at} />
        <Tags tags={report.tags} />
      </div>
    </li>
  );
}

export function Tags({ tags }: { tags: readonly string[] }) {
  return tags.map((tag) => (
    <Badge key={tag}>
      <bdi className="wrap-anywhere">{tag}</bdi>
    </Badge>
  ));
}
