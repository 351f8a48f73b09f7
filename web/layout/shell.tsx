import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';

import { entryOf, loginAddress } from '../../src/contract/pages.ts';
import { reasonAgainst, useSession, watchOtherTabs, type Session } from '../api/session.ts';
import { ConnectionLost } from '../api/client.ts';
import { ErrorBanner } from '../components/banner.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { pageAt } from '../lib/page-at.ts';
import { ActivityBar } from './activity-bar.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { CommandPalette } from './command-palette.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { EntryTabs } from './entry-tabs.tsx';
import { MoreRightsNeeded } from './failed-page.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { pagesOf } from './navigation.ts';
import { Sidebar } from './sidebar.tsx';
import { Shortcuts } from './shortcuts.tsx';

/** After the first paint: nobody drops a file on a page that is not there yet. */
const ImportHost = lazy(() => import('../components/import/import-host.tsx'));

/** Around every page of the household: navigation, banners, and the page itself once it is known who looks. */
export function Shell() {
  const { data: session, error, refetch } = useSession();
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_1fr] print:block">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
      >
        Skip to content
      </a>
      <Sidebar session={session} />
      <div className="min-w-0 pb-24 sm:pb-8 print:pb-0">
        <ActivityBar />
        <ConnectionBanner />
        <main id="content" tabIndex={-1} className="mx-auto max-w-[90rem] px-4 py-6 sm:px-8 sm:py-10 print:p-0">
          {session ? <PageFor session={session} /> : <Waiting error={error} retry={refetch} />}
        </main>
      </div>
      <BottomBar session={session} />
      <Shortcuts />
      <CommandPalette session={session} />
      <RecentChanges />
      <Suspense fallback={null}>
        <ImportHost />
      </Suspense>
    </div>
  );
}

function Waiting({ error, retry }: { error: Error | null; retry: () => unknown }) {
  const title = useRouterState({ select: ({ location }) => pageAt(location.pathname)?.title });
  if (error === null) return <Skeleton lines={6} />;
  // That the server is gone is said above, once.
  const isLost = error instanceof ConnectionLost;
  return (
    <>
      <PageHeader
        title={title ?? 'Homeledger'}
        {...(isLost ? { lead: 'This page opens by itself once the server answers.' } : {})}
      />
      {!isLost && <ErrorBanner error={error} onRetry={retry} />}
    </>
  );
}

function PageFor({ session }: { session: Session }) {
  const { pathname, href } = useRouterState({ select: ({ location }) => location });
  const isSignedOut = !session.authenticated;
  useEffect(() => {
    if (isSignedOut) location.replace(loginAddress(href));
  }, [isSignedOut, href]);
  useEffect(() => (isSignedOut ? undefined : watchOtherTabs(session)), [isSignedOut, session]);
  if (isSignedOut) return <Skeleton lines={6} />;
  const page = pageAt(pathname);
  const entry = entryOf(pathname);
  const reason = reasonAgainst(session, page?.audience ?? 'everybody');
  const content = reason === undefined ? <Outlet /> : <MoreRightsNeeded reason={reason} />;
  const tabs = entry ? pagesOf(entry, session) : [];
  if (!page || !entry || tabs.length < 2 || !tabs.includes(page)) return content;
  return (
    <div className={entry === 'Settings' ? 'max-w-6xl lg:grid lg:grid-cols-[10rem_minmax(0,1fr)] lg:gap-8' : ''}>
      <EntryTabs entry={entry} pages={tabs} shown={page} />
      <div>{content}</div>
    </div>
  );
}
