import { useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';

import type { PagePath } from '../../src/contract/pages.ts';
import { LINK, PageLink } from '../lib/page-link.tsx';
import { cameFrom } from '../lib/visited.ts';

/** From one of a list to the list: as it was left, if that is where the person came from. */
export function BackLink({ to, children }: { to: PagePath; children: ReactNode }) {
  const router = useRouter();
  const goBack = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !cameFrom(to)) return;
    event.preventDefault();
    router.history.back();
  };
  return (
    <PageLink
      to={to}
      className={`${LINK} mb-4 inline-flex items-center gap-1 pointer-coarse:min-h-11`}
      onClick={goBack}
    >
      <ArrowLeft aria-hidden size={16} />
      {children}
    </PageLink>
  );
}
