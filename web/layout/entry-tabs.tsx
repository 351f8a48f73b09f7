import { useEffect, useRef } from 'react';

import type { EntryName, Page } from '../../src/contract/pages.ts';
import { Badge } from '../components/status.tsx';
import { PageLink } from '../lib/page-link.tsx';
import { shortCount, useBadges } from './badges.ts';
import { tabName } from './navigation.ts';

const TAB =
  'target flex items-center gap-2 rounded-control px-3 whitespace-nowrap text-muted -outline-offset-2 hover:bg-sunken hover:text-ink';
const CHOSEN = 'font-semibold text-ink! shadow-[inset_0_-2px_0_var(--accent)] rounded-b-none';
const CHOSEN_IN_MENU = `${CHOSEN} lg:rounded-control lg:bg-accent-soft lg:text-accent-strong! lg:shadow-none`;

interface EntryTabsProps {
  entry: EntryName;
  pages: readonly Page[];
  shown: Page;
}

/** The pages of an entry side by side, above each of them. They are links: each page keeps its own address. */
export function EntryTabs({ entry, pages, shown }: EntryTabsProps) {
  const badgeOf = useBadges();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Where not all of them fit, the one that is shown does.
    const chosen = list.current?.querySelector(`a[href="${shown.path}"]`);
    if (list.current && chosen instanceof HTMLElement) list.current.scrollLeft = chosen.offsetLeft - 16;
  }, [shown]);
  const isMenu = entry === 'Settings';
  return (
    <nav aria-label={entry} className={`print:hidden ${isMenu ? 'lg:sticky lg:top-10 lg:self-start' : ''}`}>
      <ul
        ref={list}
        className={`relative mb-6 flex gap-1 overflow-x-auto [scrollbar-width:none] border-b border-line pt-1 ${isMenu ? 'lg:mb-0 lg:flex-col lg:border-none lg:p-0' : ''}`}
      >
        {pages.map((one) => {
          const badge = badgeOf([one]);
          return (
            <li key={one.path}>
              <PageLink to={one.path} className={TAB} activeClassName={isMenu ? CHOSEN_IN_MENU : CHOSEN}>
                {tabName(one)}
                {badge && <Badge label={badge.label}>{shortCount(badge.count)}</Badge>}
              </PageLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
