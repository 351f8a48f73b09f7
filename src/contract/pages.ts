/** Who may open a page. The server's 403 on its operations is the real guard. */
export type PageAudience =
  /** Account pages: they show their own things signed out, and are served with the dashboard off too. */
  'visitor' | 'everybody' | 'full_access' | 'admin';

/**
 * The entries of the navigation, by group: at most twelve (80.1). An entry is there once it has a page; its pages are
 * its tabs. The pages of Settings are in a second menu of its own.
 */
export const ENTRIES = [
  { name: 'Home', group: 'Money' },
  { name: 'Transactions', group: 'Money' },
  { name: 'Accounts', group: 'Money' },
  { name: 'Recurring', group: 'Money' },
  { name: 'Reports', group: 'Money' },
  { name: 'Review', group: 'Organise' },
  { name: 'Categories', group: 'Organise' },
  { name: 'Rules', group: 'Organise' },
  { name: 'Banks and files', group: 'Sources' },
  { name: 'Workflows', group: 'Automation' },
  { name: 'History', group: null },
  { name: 'Settings', group: null },
] as const satisfies readonly { name: string; group: string | null }[];

export type EntryName = (typeof ENTRIES)[number]['name'];

interface PageShape {
  /** With `{name}` for parameters, like the path of an operation. */
  readonly path: string;
  readonly title: string;
  readonly audience: PageAudience;
  /** Its entry of the navigation: the pages of an entry are its tabs, in the order of this list. */
  readonly entry?: EntryName;
  /** The name of its tab, if that is not its title. */
  readonly tab?: string;
  /** The letter that opens it after `g`. */
  readonly letter?: string;
}

/** Every page of the dashboard: the server answers these paths, and the router has a page for each. */
export const PAGES = [
  { path: '/login', title: 'Sign in', audience: 'visitor' },
  { path: '/setup', title: 'Set up Homeledger', audience: 'visitor' },
  { path: '/invite/{token}', title: 'Set your password', audience: 'visitor' },
  { path: '/auth/device', title: 'Approve a device', audience: 'visitor' },
  { path: '/', title: 'Home', audience: 'everybody', entry: 'Home', letter: 'h' },
  { path: '/transactions', title: 'Transactions', audience: 'everybody', entry: 'Transactions', letter: 't' },
  { path: '/transactions/{id}', title: 'Transaction', audience: 'everybody' },
  { path: '/accounts', title: 'Accounts', audience: 'everybody', entry: 'Accounts', letter: 'a' },
  { path: '/accounts/{id}', title: 'Account', audience: 'everybody' },
  { path: '/series', title: 'Recurring', audience: 'everybody', entry: 'Recurring' },
  { path: '/reports', title: 'Reports', audience: 'everybody', entry: 'Reports', letter: 'r' },
  { path: '/reports/{id}', title: 'Report', audience: 'everybody' },
  { path: '/review', title: 'Review', audience: 'everybody', entry: 'Review', tab: 'To look at', letter: 'v' },
  { path: '/proposals', title: 'Proposals', audience: 'everybody', entry: 'Review', letter: 'p' },
  { path: '/proposals/{id}', title: 'Proposal', audience: 'everybody' },
  { path: '/suggestions', title: 'Suggestions', audience: 'everybody', entry: 'Review' },
  { path: '/categories', title: 'Categories', audience: 'everybody', entry: 'Categories', letter: 'c' },
  { path: '/tags', title: 'Tags', audience: 'everybody', entry: 'Categories' },
  { path: '/counterparties', title: 'Counterparties', audience: 'everybody', entry: 'Categories' },
  { path: '/rules', title: 'Rules', audience: 'everybody', entry: 'Rules' },
  { path: '/rules/new', title: 'New rule', audience: 'everybody' },
  { path: '/rules/{id}', title: 'Rule', audience: 'everybody' },
  { path: '/connections', title: 'Connections', audience: 'everybody', entry: 'Banks and files', letter: 'n' },
  { path: '/connections/new', title: 'Add a bank', audience: 'everybody' },
  { path: '/connections/{id}', title: 'Connection', audience: 'everybody' },
  { path: '/imports', title: 'Imports', audience: 'everybody', entry: 'Banks and files', letter: 'i' },
  { path: '/imports/new', title: 'Import a file', audience: 'everybody' },
  { path: '/imports/{id}', title: 'Import', audience: 'everybody' },
  { path: '/sync-logs', title: 'Syncs', audience: 'everybody', entry: 'Banks and files' },
  { path: '/sync-logs/{id}', title: 'Sync', audience: 'everybody' },
  { path: '/account-links', title: 'Account links', audience: 'everybody', entry: 'Banks and files' },
  { path: '/account-links/{id}', title: 'Account link', audience: 'everybody' },
  { path: '/webhook-events', title: 'Webhook events', audience: 'full_access', entry: 'Banks and files' },
  { path: '/workflows', title: 'Workflows', audience: 'everybody', entry: 'Workflows', letter: 'w' },
  { path: '/workflows/new', title: 'New workflow', audience: 'everybody' },
  { path: '/workflows/{slug}', title: 'Workflow', audience: 'everybody' },
  { path: '/runs', title: 'Runs', audience: 'everybody', entry: 'Workflows' },
  { path: '/runs/{id}', title: 'Run', audience: 'everybody' },
  { path: '/agent-calls', title: 'Agent calls', audience: 'full_access', entry: 'Workflows' },
  { path: '/history', title: 'History', audience: 'everybody', entry: 'History' },
  { path: '/history/{id}', title: 'Change', audience: 'everybody' },
  { path: '/settings/profile', title: 'Profile', audience: 'everybody', entry: 'Settings' },
  { path: '/household', title: 'Household', audience: 'admin', entry: 'Settings' },
  { path: '/settings/api-keys', title: 'API keys', audience: 'admin', entry: 'Settings' },
  { path: '/settings/general', title: 'General', audience: 'admin', entry: 'Settings' },
  { path: '/settings/providers', title: 'Bank providers', audience: 'admin', entry: 'Settings' },
  { path: '/settings/sync', title: 'Sync times', audience: 'admin', entry: 'Settings' },
  { path: '/settings/notifications', title: 'Notifications', audience: 'admin', entry: 'Settings' },
  { path: '/settings/models', title: 'Models', audience: 'admin', entry: 'Settings' },
  { path: '/settings/agents', title: 'Agents', audience: 'admin', entry: 'Settings' },
  { path: '/settings/backup', title: 'Backup', audience: 'admin', entry: 'Settings' },
  { path: '/settings/system', title: 'System', audience: 'everybody', entry: 'Settings' },
  { path: '/help', title: 'Help', audience: 'everybody' },
  { path: '/help/{guide}', title: 'Guide', audience: 'everybody' },
  { path: '/internal/components', title: 'Components', audience: 'everybody' },
] as const satisfies readonly PageShape[];

export type Page = (typeof PAGES)[number];
export type PagePath = Page['path'];

/** The entry that an address belongs to: that of its page, or of the page above it. */
export function entryOf(pathname: string): EntryName | undefined {
  const above = PAGES.filter(
    (page) => 'entry' in page && (`${pathname}/`.startsWith(`${page.path}/`) || pathname === page.path),
  );
  const nearest = above.toSorted((a, b) => b.path.length - a.path.length)[0];
  return nearest && 'entry' in nearest ? nearest.entry : undefined;
}

/** The list that a page is one of: `/runs` of `/runs/{id}`. */
export function listOf(pathname: string): Page | undefined {
  const above = pathname.slice(0, pathname.lastIndexOf('/'));
  return above === '' ? undefined : PAGES.find(({ path }) => path === above);
}

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
