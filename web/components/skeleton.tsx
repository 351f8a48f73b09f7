import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

import { useLocation } from '@tanstack/react-router';

import { listOf } from '../../src/contract/pages.ts';
import { ApiError, ConnectionLost, messageOf } from '../api/client.ts';
import { LINK, PageLink } from '../lib/page-link.tsx';
import { Banner, ErrorBanner } from './banner.tsx';

const DELAY_MS = 150;
/** What is below something slow is shown after that all the same. */
const LONGEST_WAIT_MS = 2_000;

/** Room for what is being loaded, in its final shape. It appears only if loading takes a moment. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const isLate = useIsLate();
  return (
    <div role="status" aria-label="Loading" className={isLate ? '' : 'invisible'}>
      {Array.from({ length: lines }, (_, index) => (
        <div
          key={index}
          className={`mb-3 h-5 animate-pulse rounded-control bg-sunken ${index === lines - 1 ? 'w-2/3' : 'w-full'}`}
        />
      ))}
      <Awaited />
    </div>
  );
}

/**
 * The mark of something whose height is not known yet: what comes after it would be moved by it, and is shown when it is
 * there (index.css).
 */
export function Awaited() {
  const isTooLate = useIsLate(LONGEST_WAIT_MS);
  return isTooLate ? null : <Mark />;
}

/** What it is in waits as well; outside of a dialog nothing waits for what is in it. */
function Mark() {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const around: HTMLElement[] = [];
    const end = element.current?.closest('main, dialog');
    for (let one = element.current?.parentElement; one && one !== end; one = one.parentElement) around.push(one);
    for (const one of around) count(one, 1);
    return () => {
      for (const one of around) count(one, -1);
    };
  }, []);
  return <span ref={element} hidden data-awaited />;
}

function count({ dataset }: HTMLElement, step: 1 | -1): void {
  const marks = Number(dataset['awaiting'] ?? 0) + step;
  if (marks === 0) delete dataset['awaiting'];
  else dataset['awaiting'] = String(marks);
}

export function useIsLate(delayMs = DELAY_MS): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isLate;
}

interface Loadable<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  query: Loadable<T>;
  /** Lines that the skeleton has while the data load for the first time. */
  lines?: number;
  children: (data: T) => ReactNode;
}

/**
 * The three states of data: skeleton, error with "Try again", or the data, which stay while they are loaded again. That
 * the server is gone is said once for the whole page (`connection-banner.tsx`). A record that is gone stays gone: its page
 * offers the list instead.
 */
export function Loaded<T>({ query, lines = 3, children }: LoadedProps<T>) {
  const error = query.error instanceof ConnectionLost ? null : query.error;
  return (
    <>
      {error !== null &&
        (isGone(error) ? <Gone error={error} /> : <ErrorBanner error={error} onRetry={query.refetch} />)}
      {query.data !== undefined ? children(query.data) : error === null && <Skeleton lines={lines} />}
    </>
  );
}

function isGone(error: Error): boolean {
  return error instanceof ApiError && error.status === 404;
}

function Gone({ error }: { error: Error }) {
  const list = listOf(useLocation().pathname);
  return (
    <Banner
      tone="warning"
      actions={
        list && (
          <PageLink to={list.path} className={`${LINK} target inline-flex items-center`}>
            Open {list.title}
          </PageLink>
        )
      }
    >
      <p>{messageOf(error)}</p>
    </Banner>
  );
}
