import type { ReactNode } from 'react';

import { PAGES, type PagePath } from '../../src/contract/pages.ts';
import { PageLink } from './page-link.tsx';

interface PageLinkIfThereProps {
  to: string;
  search?: Readonly<Record<string, string | undefined>>;
  /** Gets a function that makes the link from its text and look. */
  children: (link: (text: ReactNode, className: string) => ReactNode) => ReactNode;
  otherwise?: ReactNode;
}

/** What leads to a page, where this version of the dashboard has it. */
export function PageLinkIfThere({ to, search, children, otherwise = null }: PageLinkIfThereProps) {
  if (!PAGES.some(({ path }) => path === to)) return otherwise;
  return children((text, className) => (
    <PageLink to={to as PagePath} className={className} {...(search ? { search } : {})}>
      {text}
    </PageLink>
  ));
}
