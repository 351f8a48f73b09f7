import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';

import { linkLeftBy } from '../lib/visited.ts';

interface PageHeaderProps {
  title: string;
  /** One sentence about what this page is for. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The heading of a page: its title in the browser, too, and where the focus goes after a navigation, unless it was left by a link. */
export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstPage = useRouterState({ select: (state) => state.resolvedLocation === undefined });
  const wasFirstPage = useRef(isFirstPage);
  useEffect(() => {
    document.title = `${title} · Homeledger`;
  }, [title]);
  useEffect(() => {
    // A field of the page that asked for the focus keeps it.
    const isTaken = document.activeElement?.matches('input, select, textarea') === true;
    if (!wasFirstPage.current && !isTaken) (linkLeftBy() ?? heading.current)?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 xl:flex-nowrap">
      <div className="max-w-2xl min-w-0 xl:min-w-64 xl:flex-1">
        <h1 ref={heading} tabIndex={-1} className="font-serif text-3xl font-semibold tracking-tight wrap-anywhere">
          {title}
        </h1>
        {lead !== undefined && <p className="mt-1 text-muted wrap-anywhere">{lead}</p>}
      </div>
      {actions !== undefined && (
        <div className="flex min-w-0 flex-wrap gap-2 xl:justify-end print:hidden">{actions}</div>
      )}
    </header>
  );
}

interface SectionProps {
  title: string;
  /** What it is for: where there is room, it stands beside the fields, as settings do (80.1, Width). */
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with its own heading. */
export function Section({ title, about, actions, children }: SectionProps) {
  const heading = <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{title}</h2>;
  if (about === undefined) {
    return (
      <section className={BOX}>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          {heading}
          {actions}
        </div>
        {children}
      </section>
    );
  }
  return (
    <section className={`${BOX} xl:grid xl:grid-cols-[13rem_minmax(0,1fr)] xl:gap-x-10`}>
      <div className="mb-4 xl:mb-0">
        {heading}
        <p className="mt-1 max-w-prose text-sm text-muted">{about}</p>
        {actions !== undefined && <div className="mt-3 flex flex-wrap items-center gap-3">{actions}</div>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

const BOX = 'mb-6 rounded-card border border-line bg-surface p-4 sm:p-6';
