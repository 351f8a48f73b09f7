import { FileDiff, House, Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';

import type { Session } from '../api/session.ts';
import { Drawer } from '../components/dialog.tsx';
import { PageLink } from '../lib/page-link.tsx';
import { navigationFor } from './navigation.ts';
import { NavigationGroups } from './sidebar.tsx';

const ENTRY = 'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium';

/** The navigation of small screens, within reach of a thumb. */
export function BottomBar({ session }: { session: Session | undefined }) {
  const [isOpen, open] = useState(false);
  return (
    <>
      <nav
        aria-label="Main, small screens"
        className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
      >
        <PageLink to="/" className={ENTRY} activeClassName="text-accent">
          <House aria-hidden size={22} />
          Home
        </PageLink>
        <PageLink to="/proposals" className={ENTRY} activeClassName="text-accent">
          <FileDiff aria-hidden size={22} />
          Proposals
        </PageLink>
        <button type="button" className={ENTRY} aria-haspopup="dialog" onClick={() => open(true)}>
          <MenuIcon aria-hidden size={22} />
          Menu
        </button>
      </nav>
      <Drawer open={isOpen} title="Menu" onClose={() => open(false)}>
        <NavigationGroups groups={navigationFor(session)} onOpen={() => open(false)} />
        <PageLink
          to="/help"
          className="target flex items-center rounded-control px-3 hover:bg-sunken"
          onClick={() => open(false)}
        >
          Help
        </PageLink>
      </Drawer>
    </>
  );
}
