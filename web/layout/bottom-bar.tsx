import { Menu as MenuIcon } from 'lucide-react';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';

import type { Session } from '../api/session.ts';
import { entryOf, type EntryName } from '../../src/contract/pages.ts';
import { Drawer } from '../components/dialog.tsx';
import { PageLink } from '../lib/page-link.tsx';
import { navigationFor } from './navigation.ts';
import { NavigationGroups } from './sidebar.tsx';

const WITHIN_REACH: ReadonlySet<EntryName> = new Set(['Home', 'Transactions', 'Review']);
const ENTRY =
  'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium aria-[current]:text-accent';

/** The navigation of small screens, within reach of a thumb. */
export function BottomBar({ session }: { session: Session | undefined }) {
  const [isOpen, open] = useState(false);
  const current = useRouterState({ select: ({ location }) => entryOf(location.pathname) });
  const entries = navigationFor(session).flatMap((group) => group.entries.filter(({ name }) => WITHIN_REACH.has(name)));
  return (
    <>
      <nav
        aria-label="Main, small screens"
        className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
      >
        {entries.map(({ name, icon: Icon, pages }) => (
          <PageLink key={name} to={pages[0].path} isAbove={name === current} className={ENTRY}>
            <Icon aria-hidden size={22} />
            {name}
          </PageLink>
        ))}
        <button type="button" className={ENTRY} aria-haspopup="dialog" onClick={() => open(true)}>
          <MenuIcon aria-hidden size={22} />
          Menu
        </button>
      </nav>
      <Drawer open={isOpen} title="Menu" onClose={() => open(false)}>
        <NavigationGroups session={session} onOpen={() => open(false)} />
      </Drawer>
    </>
  );
}
