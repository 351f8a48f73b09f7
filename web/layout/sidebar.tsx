import { CircleHelp, Search } from 'lucide-react';

import type { Session } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Badge } from '../components/status.tsx';
import { inDigits } from '../lib/numbers.ts';
import { PageLink } from '../lib/page-link.tsx';
import { AccountMenu } from './account-menu.tsx';
import { useBadges } from './badges.ts';
import { openPalette } from './command-palette.tsx';
import { navigationFor, PAGE_ICONS, type NavigationGroup } from './navigation.ts';
import { Wordmark } from './wordmark.tsx';

/** The navigation at the side of wide screens; on narrow ones its head is all that stays at the top. */
export function Sidebar({ session }: { session: Session | undefined }) {
  return (
    <header className="flex items-center gap-2 border-line px-4 py-3 max-lg:border-b lg:sticky lg:top-0 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-4 lg:overflow-y-auto lg:border-r lg:px-3 lg:py-6">
      <PageLink to="/" className="rounded-control px-2 py-1">
        <Wordmark />
      </PageLink>
      <Button
        icon={Search}
        className="ml-auto justify-start text-muted max-lg:border-transparent max-lg:bg-transparent lg:ml-0"
        onClick={openPalette}
      >
        <span className="max-sm:sr-only">Go to…</span>
        <kbd aria-hidden className="ml-auto hidden font-sans text-xs lg:inline">
          Ctrl K
        </kbd>
      </Button>
      <nav aria-label="Main" className="hidden flex-1 lg:block">
        <NavigationGroups groups={navigationFor(session)} />
      </nav>
      <PageLink
        to="/help"
        className="target hidden items-center gap-3 rounded-control px-3 text-muted hover:bg-sunken hover:text-ink lg:flex"
      >
        <CircleHelp aria-hidden size={18} />
        Help
      </PageLink>
      <AccountMenu session={session} />
    </header>
  );
}

export function NavigationGroups({ groups, onOpen }: { groups: readonly NavigationGroup[]; onOpen?: () => void }) {
  const badges = useBadges();
  return groups.map(({ title, pages }) => (
    <div key={title} className="mb-5">
      <h2 className="px-3 pb-1 text-xs font-semibold tracking-wide text-muted uppercase">{title}</h2>
      <ul>
        {pages.map((page) => {
          const Icon = PAGE_ICONS[page.path];
          const badge = badges[page.path];
          return (
            <li key={page.path}>
              <PageLink
                to={page.path}
                className="target flex items-center gap-3 rounded-control px-3 hover:bg-sunken"
                activeClassName="bg-accent-soft font-semibold text-accent-strong hover:bg-accent-soft"
                {...(onOpen ? { onClick: onOpen } : {})}
              >
                {Icon && <Icon aria-hidden size={18} className="shrink-0" />}
                {page.title}
                {badge && (
                  <span className="ml-auto">
                    <Badge label={badge.label}>{inDigits(badge.count)}</Badge>
                  </span>
                )}
              </PageLink>
            </li>
          );
        })}
      </ul>
    </div>
  ));
}
