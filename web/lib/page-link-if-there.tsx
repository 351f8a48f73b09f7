import type { ReactNode } from 'react';

import { PAGES, type PagePath } from '../../src/contract/pages.ts';
import { reasonAgainst, useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { PageLink } from './page-link.tsx';

interface PageLinkIfThereProps {
  to: string;
  params?: Readonly<Record<string, string>>;
  search?: Readonly<Record<string, string | undefined>>;
  /** Gets a function that makes the link from its text and look. */
  children: (link: (text: ReactNode, className: string) => ReactNode) => ReactNode;
  otherwise?: ReactNode;
}

/** A link to a page, if this version of the dashboard has that page. */
export function PageLinkIfThere({ to, params, search, children, otherwise = null }: PageLinkIfThereProps) {
  const page = PAGES.find(({ path }) => path === to);
  const reason = reasonAgainst(useSession().data, page?.audience ?? 'everybody');
  if (!page) return otherwise;
  if (reason !== undefined) return children((text) => <Button disabledReason={reason}>{text}</Button>);
  return children((text, className) => (
    <PageLink to={to as PagePath} className={className} {...(params ? { params } : {})} {...(search ? { search } : {})}>
      {text}
    </PageLink>
  ));
}
