import type { ReactNode } from 'react';

import { PAGES, type PagePath } from '../../../src/contract/pages.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { GUIDES, type GuideName } from './guide-text.ts';
import type { HelpPicture } from './pictures.ts';

interface ChapterProps {
  /** Of the part of the page, for links to it. */
  id: string;
  title: string;
  picture?: HelpPicture;
  children: ReactNode;
}

/** A part of Help: what to do, and where there is room, a picture of it beside. */
export function Chapter({ id, title, picture, children }: ChapterProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="mb-8 scroll-mt-6 border-t border-line pt-6 break-inside-avoid-page first:border-t-0 first:pt-0"
    >
      <h2 id={`${id}-title`} className="mb-3 text-xl font-semibold">
        {title}
      </h2>
      <div className={picture ? 'gap-x-10 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]' : ''}>
        <div className="max-w-prose min-w-0 space-y-3">{children}</div>
        {picture && <Picture {...picture} />}
      </div>
    </section>
  );
}

function Picture({ url, alt, width, height }: HelpPicture) {
  const shape = height > width ? 'max-w-60' : 'max-w-2xl';
  return (
    <img
      src={url}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      className={`mt-4 h-auto w-full self-start rounded-card border border-line lg:mt-0 ${shape}`}
    />
  );
}

export function Links({ children }: { children: ReactNode }) {
  return <p className="flex flex-wrap gap-x-6 gap-y-1">{children}</p>;
}

/** Where it is done. Who may not open the page sees its name, and for whom it is. */
export function ToPage({ to, children }: { to: PagePath; children: ReactNode }) {
  const audience = PAGES.find(({ path }) => path === to)?.audience;
  const reason = useReasonAgainst(audience === 'full_access' ? 'full_access' : 'admin');
  if (audience !== 'everybody' && reason !== undefined) {
    return (
      <span className="text-muted">
        {children} ({audience === 'admin' ? 'for admins' : 'for editors and admins'})
      </span>
    );
  }
  return (
    <PageLink to={to} className={LINK_ALONE}>
      {children}
    </PageLink>
  );
}

export function ToGuide({ name }: { name: GuideName }) {
  return (
    <PageLink to="/help/{guide}" params={{ guide: name }} className={LINK_ALONE}>
      Guide: {GUIDES[name]}
    </PageLink>
  );
}
