import type { PagePath } from '../../src/contract/pages.ts';
import { getOverview } from '../../src/features/overview/overview.contract.ts';
import { useApiQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { inDigits } from '../lib/numbers.ts';

interface PageBadge {
  count: number;
  /** For screen readers, after the name of the page: "2 need attention". */
  label: string;
}

const EVERY_MS = 60_000;
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['connection', 'account']);

/** The counts beside pages of the navigation: what waits there for a person. Nothing where nothing waits. */
export function useBadges(): Readonly<Partial<Record<PagePath, PageBadge>>> {
  const isSignedIn = useSession().data?.authenticated === true;
  const { data } = useApiQuery(getOverview, {}, { refetchInterval: EVERY_MS, enabled: isSignedIn });
  if (!data) return {};
  const banks = data.attention.filter(
    (entry) => OF_CONNECTIONS.has(entry.subject_type ?? '') && isAboutSync(entry.code),
  );
  return {
    ...badge('/reports', data.backlog.unread_reports_count, 'unread'),
    ...badge('/proposals', data.backlog.open_proposals_count, 'open'),
    ...badge('/connections', banks.length, banks.length === 1 ? 'needs attention' : 'need attention'),
    ...badge('/workflows', data.backlog.failed_runs_24h, 'failed'),
    ...badge('/suggestions', data.backlog.open_suggestions_count, 'open'),
  };
}

/** Other entries about accounts, such as a broken balance of a file, are not cleared on the page of connections. */
function isAboutSync(code: string): boolean {
  return /^(reauth_required|connection_error|provider_not_configured|consent_expiring|sync_stale|new_accounts_available|account_missing)$/.test(
    code,
  );
}

function badge(path: PagePath, count: number, words: string): Partial<Record<PagePath, PageBadge>> {
  return count === 0 ? {} : { [path]: { count, label: `${inDigits(count)} ${words}` } };
}
