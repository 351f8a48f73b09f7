/** Who may open a page. The server's 403 on its operations is the real guard. */
export type PageAudience =
  /** Account pages: they show their own things signed out, and are served with the dashboard off too. */
  'visitor' | 'everybody' | 'full_access' | 'admin';

interface PageShape {
  /** With `{name}` for parameters, like the path of an operation. */
  readonly path: string;
  /** Also the name in the navigation. */
  readonly title: string;
  readonly audience: PageAudience;
  /** The group of the navigation that lists it. */
  readonly group?: 'money' | 'organise' | 'sources' | 'automation' | 'administration';
  /** The letter that opens it after `g`. */
  readonly letter?: string;
}

/** Every page of the dashboard: the server answers these paths, and the router has a page for each. */
export const PAGES = [
  { path: '/login', title: 'Sign in', audience: 'visitor' },
  { path: '/setup', title: 'Set up Homeledger', audience: 'visitor' },
  { path: '/invite/{token}', title: 'Set your password', audience: 'visitor' },
  { path: '/auth/device', title: 'Approve a device', audience: 'visitor' },
  { path: '/', title: 'Home', audience: 'everybody', group: 'money', letter: 'h' },
  { path: '/reports', title: 'Reports', audience: 'everybody', group: 'money', letter: 'r' },
  { path: '/reports/{id}', title: 'Report', audience: 'everybody' },
  { path: '/proposals', title: 'Proposals', audience: 'everybody', group: 'organise', letter: 'p' },
  { path: '/proposals/{id}', title: 'Proposal', audience: 'everybody' },
  { path: '/connections', title: 'Connections', audience: 'everybody', group: 'sources', letter: 'n' },
  { path: '/connections/new', title: 'Add a bank', audience: 'everybody' },
  { path: '/connections/{id}', title: 'Connection', audience: 'everybody' },
  { path: '/suggestions', title: 'Suggestions', audience: 'everybody', group: 'sources' },
  { path: '/account-links', title: 'Account links', audience: 'everybody', group: 'sources' },
  { path: '/account-links/{id}', title: 'Account link', audience: 'everybody' },
  { path: '/sync-logs', title: 'Syncs', audience: 'everybody', group: 'sources' },
  { path: '/sync-logs/{id}', title: 'Sync', audience: 'everybody' },
  { path: '/workflows', title: 'Workflows', audience: 'everybody', group: 'automation', letter: 'w' },
  { path: '/workflows/new', title: 'New workflow', audience: 'everybody' },
  { path: '/workflows/{slug}', title: 'Workflow', audience: 'everybody' },
  { path: '/runs', title: 'Runs', audience: 'everybody', group: 'automation' },
  { path: '/runs/{id}', title: 'Run', audience: 'everybody' },
  { path: '/household', title: 'Household', audience: 'admin', group: 'administration' },
  { path: '/settings/api-keys', title: 'API keys', audience: 'admin', group: 'administration' },
  { path: '/settings/general', title: 'General', audience: 'admin', group: 'administration' },
  { path: '/settings/providers', title: 'Bank providers', audience: 'admin', group: 'administration' },
  { path: '/settings/sync', title: 'Sync times', audience: 'admin', group: 'administration' },
  { path: '/settings/models', title: 'Models', audience: 'admin', group: 'administration' },
  { path: '/settings/agents', title: 'Agents', audience: 'admin', group: 'administration' },
  { path: '/settings/notifications', title: 'Notifications', audience: 'admin', group: 'administration' },
  { path: '/settings/profile', title: 'Profile', audience: 'everybody', group: 'administration' },
  { path: '/settings/system', title: 'System', audience: 'everybody', group: 'administration' },
  { path: '/webhook-events', title: 'Webhook events', audience: 'full_access', group: 'administration' },
  { path: '/agent-calls', title: 'Agent calls', audience: 'full_access', group: 'administration' },
  { path: '/help', title: 'Help', audience: 'everybody' },
  { path: '/internal/components', title: 'Components', audience: 'everybody' },
] as const satisfies readonly PageShape[];

export type Page = (typeof PAGES)[number];
export type PagePath = Page['path'];

/** What is known of whoever asks for a page. */
export interface Visitor {
  readonly isFirstRun: boolean;
  readonly isSignedIn: boolean;
}

/** Where a visitor is sent instead of the page, if anywhere: always a path, never a host. */
export function redirectOf(page: PageShape, address: string, visitor: Visitor): string | undefined {
  if (visitor.isFirstRun) return page.path === '/setup' || page.path === '/invite/{token}' ? undefined : '/setup';
  if (page.path === '/setup') return '/';
  if (page.path === '/login') {
    return visitor.isSignedIn ? safeNext(new URLSearchParams(address.split('?')[1] ?? '').get('next')) : undefined;
  }
  if (visitor.isSignedIn || page.path === '/invite/{token}') return undefined;
  return loginAddress(address);
}

/** The sign-in page that leads back to an address. */
export function loginAddress(address: string): string {
  const next = safeNext(address);
  return next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
}

/**
 * Where to go after signing in: a path of this origin, or `/` for anything else. Browsers read `//host` and `/\host`
 * as another host, and drop control characters before they look.
 */
export function safeNext(next: string | null | undefined): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const isSafe = next !== null && next !== undefined && /^\/(?![/\\])[^\u0000-\u001f\u007f]*$/.test(next);
  return isSafe ? next : '/';
}
