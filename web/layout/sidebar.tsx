import { Eye, EyeOff, History, Search } from 'lucide-react';
import { useRouterState } from '@tanstack/react-router';

import { entryOf } from '../../src/contract/pages.ts';
import type { Session } from '../api/session.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Badge } from '../components/status.tsx';
import { togglePrivacy, usePrivacy } from '../lib/privacy.ts';
import { PageLink } from '../lib/page-link.tsx';
import { AccountMenu } from './account-menu.tsx';
import { shortCount, useBadges } from './badges.ts';
import { openPalette } from './command-palette.tsx';
import { navigationFor, type NavigationEntry } from './navigation.ts';
import { openRecentChanges } from './recent-changes.tsx';
import { Wordmark } from './wordmark.tsx';

/** The navigation at the side of wide screens; on narrow ones its head is all that stays at the top. */
export function Sidebar({ session }: { session: Session | undefined }) {
  return (
    <header className="print:hidden flex items-center gap-2 border-line px-4 py-2 max-lg:border-b lg:sticky lg:top-0 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-3 lg:overflow-y-auto lg:border-r lg:px-3 lg:py-4">
      <PageLink to="/" className="rounded-control px-2 py-1">
        <Wordmark givesWay />
      </PageLink>
      <HeaderActions />
      <nav aria-label="Main" className="hidden flex-1 flex-col lg:flex">
        <NavigationGroups session={session} />
      </nav>
      <AccountMenu session={session} />
    </header>
  );
}

/** Search, what was done last, and hiding amounts. */
function HeaderActions() {
  const isHidden = usePrivacy();
  return (
    <div className="ml-auto flex min-w-0 items-center lg:ml-0 lg:gap-1">
      <Button
        icon={Search}
        className="min-w-10 flex-1 justify-start text-muted pointer-coarse:min-w-11 max-lg:border-transparent max-lg:bg-transparent max-sm:px-2 lg:px-3"
        title="Ctrl K"
        onClick={openPalette}
      >
        <span className="max-sm:sr-only">Search</span>
      </Button>
      <IconButton icon={History} label="Recent changes" onClick={openRecentChanges} />
      <IconButton icon={isHidden ? EyeOff : Eye} label="Hide amounts" aria-pressed={isHidden} onClick={togglePrivacy} />
    </div>
  );
}

/** The entries by group; those without a group stand at the foot. */
export function NavigationGroups({ session, onOpen }: { session: Session | undefined; onOpen?: () => void }) {
  const current = useRouterState({ select: ({ location }) => entryOf(location.pathname) });
  return navigationFor(session).map(({ title, entries }) => (
    <div key={title} className={title === null ? 'mt-auto border-t border-line pt-2' : 'mb-3'}>
      {title !== null && (
        <h2 className="px-3 pb-0.5 text-xs font-semibold tracking-wide text-muted uppercase">{title}</h2>
      )}
      <ul>
        {entries.map((entry) => (
          <li key={entry.name}>
            <Entry entry={entry} isCurrent={entry.name === current} {...(onOpen ? { onOpen } : {})} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

interface EntryProps {
  entry: NavigationEntry;
  /** One of its pages is shown, or one below them. */
  isCurrent: boolean;
  onOpen?: () => void;
}

function Entry({ entry: { name, icon: Icon, pages }, isCurrent, onOpen }: EntryProps) {
  const badge = useBadges()(pages);
  const look = isCurrent ? 'bg-accent-soft font-semibold text-accent-strong chosen' : 'hover:bg-sunken';
  return (
    <PageLink
      to={pages[0].path}
      isAbove={isCurrent}
      className={`target flex items-center gap-2.5 rounded-control px-2.5 whitespace-nowrap ${look}`}
      {...(onOpen ? { onClick: onOpen } : {})}
    >
      <Icon aria-hidden size={18} className="shrink-0" />
      {name}
      {badge && (
        <span className="ml-auto">
          <Badge label={badge.label}>{shortCount(badge.count)}</Badge>
        </span>
      )}
    </PageLink>
  );
}
