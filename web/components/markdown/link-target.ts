import { pageAt } from '../../lib/page-at.ts';

/** Where a link of a report may lead (contract 50.3.3). */
export type LinkTarget =
  | { kind: 'transaction'; id: string }
  /** A page of this dashboard. */
  | { kind: 'page'; path: string }
  /** `host` is what a reader should know before following it. */
  | { kind: 'external'; href: string; host: string };

/** Only for reading paths; nothing is asked of it. */
const HERE = 'https://dashboard.invalid';
const TRANSACTION = /^\/transactions\/([0-9A-Za-z]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/;

/**
 * The target of a link as the browser itself would read it: it drops tabs and line breaks, and takes backslashes for
 * slashes. null for everything else, which is shown as plain text.
 */
export function linkTarget(written: string): LinkTarget | null {
  const url = URL.parse(written);
  if (url === null) return written.startsWith('/') ? targetHere(URL.parse(written, HERE)) : null;
  if (url.protocol === 'mailto:') return { kind: 'external', href: url.href, host: url.pathname };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  // A name and password before the host only serve to make it look like another.
  return url.username !== '' || url.password !== '' ? null : { kind: 'external', href: url.href, host: url.host };
}

/** Account pages are left out: nobody should be sent from a report to one that asks for a password or a code. */
function targetHere(url: URL | null): LinkTarget | null {
  if (url?.origin !== HERE) return null;
  const { pathname, search, hash } = url;
  const id = TRANSACTION.exec(pathname)?.[1];
  if (id !== undefined) return { kind: 'transaction', id };
  const page = pageAt(pathname);
  if (!page || page.audience === 'visitor' || page.path.startsWith('/internal/')) return null;
  return { kind: 'page', path: pathname + search + hash };
}
