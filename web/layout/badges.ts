import type { PagePath } from '../../src/contract/pages.ts';
import { getOverview } from '../../src/features/overview/overview.contract.ts';
import { useApiQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { inDigits } from '../lib/numbers.ts';

interface PageBadge {
  count: number;
  /** For screen readers, after the name: "2 need attention". */
  label: string;
}

const EVERY_MS = 60_000;
const MOST = 999;
const OF_BANKS_AND_FILES: ReadonlySet<string> = new Set(['connection', 'account', 'import']);
/** It names a connection, and waits in Review. */
const IN_REVIEW = 'suggestions_open';

/** What the counts beside a page are about: one of it, and several. */
const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  '/reports': ['unread', 'unread'],
  '/connections': ['needs attention', 'need attention'],
  '/workflows': ['failed', 'failed'],
};
const WAITING = ['waits', 'wait'] as const;

/** The counts beside pages, and beside the entries that they are tabs of: what waits there for a person. */
export function useBadges(): (pages: readonly { path: PagePath }[]) => PageBadge | undefined {
  const isSignedIn = useSession().data?.authenticated === true;
  const { data } = useApiQuery(getOverview, {}, { refetchInterval: EVERY_MS, enabled: isSignedIn });
  if (!data) return () => undefined;
  const { backlog, attention } = data;
  const counts: Readonly<Record<string, number>> = {
    '/reports': backlog.unread_reports_count,
    '/review': backlog.needs_review_count + backlog.flagged_count,
    '/proposals': backlog.open_proposals_count,
    '/suggestions': backlog.open_suggestions_count,
    '/connections': attention.filter(
      ({ code, subject_type: subject }) => code !== IN_REVIEW && OF_BANKS_AND_FILES.has(subject),
    ).length,
    '/workflows': backlog.failed_runs_24h,
  };
  return (pages) => {
    const count = pages.reduce((sum, { path }) => sum + (counts[path] ?? 0), 0);
    const [one, many] = WORDS[pages[0]?.path ?? ''] ?? WAITING;
    return count === 0 ? undefined : { count, label: `${inDigits(count)} ${count === 1 ? one : many}` };
  };
}

/** A badge stays small: `999+` from 1,000 on. */
export function shortCount(count: number): string {
  return count > MOST ? `${MOST}+` : inDigits(count);
}
