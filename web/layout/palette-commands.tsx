import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { PAGES, type PagePath } from '../../src/contract/pages.ts';
import { listCounterparties } from '../../src/features/counterparties/counterparties.contract.ts';
import { listRules } from '../../src/features/rules/rules.contract.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { api } from '../api/client.ts';
import { useAccounts, useCategories, READ_ONCE } from '../api/lists.ts';
import { useApiQuery } from '../api/queries.ts';
import { signOut, type Session } from '../api/session.ts';
import type { Rule } from '../components/rule/rule-words.ts';
import { CategorySign } from '../components/transaction/category-chip.tsx';
import { density } from '../lib/density.ts';
import { hasPage } from '../lib/page-at.ts';
import { isPrivate, togglePrivacy } from '../lib/privacy.ts';
import { theme } from '../lib/theme.ts';
import { mayOpen } from './navigation.ts';
import type { Command } from './palette.tsx';
import { openRecentChanges } from './recent-changes.tsx';
import { openShortcuts } from './shortcuts.tsx';

type Go = (to: PagePath, where?: { params?: object; search?: object }) => void;

/** Everything but transactions: pages, actions, and the short lists of the household, which are read once. */
export function usePaletteCommands(session: Session | undefined): Command[] {
  const navigate = useNavigate();
  const go: Go = (to, where) => void navigate({ to: to.replace(/\{(\w+)\}/g, '$$$1'), ...where } as never);
  return [...pageCommands(session, go), ...actionCommands(session, go), ...useRecordCommands(go)];
}

function pageCommands(session: Session | undefined, go: Go): Command[] {
  return PAGES.filter((page) => !/^\/internal\/|\{/.test(page.path) && isFor(page, session)).map(({ path, title }) => ({
    id: `page-${path}`,
    label: title,
    kind: 'Page',
    isAlways: true,
    run: () => go(path),
  }));
}

function isFor(page: (typeof PAGES)[number], session: Session | undefined): boolean {
  return page.audience !== 'visitor' && mayOpen(page, session);
}

/** What people call what a page does; there once the page is. */
const ACTIONS_OF_PAGES: readonly (readonly [label: string, path: string])[] = [
  ['Import a file', '/imports/new'],
  ['Add a bank', '/connections/new'],
  ['Make a rule', '/rules/new'],
  ['Invite somebody', '/household'],
  ['Make an API key', '/settings/api-keys'],
  ['Change the password', '/settings/profile'],
];

function actionCommands(session: Session | undefined, go: Go): Command[] {
  const ofPages = ACTIONS_OF_PAGES.flatMap(([label, path]) => {
    const page = PAGES.find((one) => one.path === path);
    return page && isFor(page, session) ? [[label, () => go(page.path)] as const] : [];
  });
  const ofTheFrame = [
    ['Recent changes', openRecentChanges],
    [isPrivate.get() ? 'Show amounts' : 'Hide amounts', togglePrivacy],
    density.get() === 'compact'
      ? (['Comfortable rows', () => density.set('comfortable')] as const)
      : (['Compact rows', () => density.set('compact')] as const),
    ['Use the light theme', () => theme.set('light')],
    ['Use the dark theme', () => theme.set('dark')],
    ['Use the system theme', () => theme.set('system')],
    ['Keyboard shortcuts', openShortcuts],
    ['Sign out', () => void signOut()],
  ] as const;
  return [...ofPages, ...ofTheFrame].map(([label, run]) => ({
    id: `action-${label}`,
    label,
    kind: 'Action',
    isAlways: true,
    run,
  }));
}

/** Each opens its own page, or else its transactions. */
function useRecordCommands(go: Go): Command[] {
  const accounts = useAccounts() ?? [];
  const categories = [...(useCategories()?.values() ?? [])];
  const { data } = useApiQuery(listCounterparties, {}, READ_ONCE);
  const { data: rules = [] } = useQuery({ queryKey: [listRules.name, 'all'], queryFn: readRules, ...READ_ONCE });
  const open = (own: string, id: string, filter: object) => (): void =>
    hasPage(own) ? go(own, { params: { id } }) : go('/transactions', { search: filter });
  const isListed = hasPage('/transactions');
  return [
    ...accounts
      .filter(() => isListed || hasPage('/accounts/{id}'))
      .map(({ short_id: id, name, institution_name: bank }) => ({
        id: `account-${id}`,
        label: name ?? '',
        ...(bank ? { hint: bank } : {}),
        kind: 'Account',
        run: open('/accounts/{id}', id, { account_id: id }),
      })),
    ...categories
      .filter(() => isListed)
      .map(({ id, slug, name: label }) => ({
        id: `category-${id}`,
        label,
        leading: <CategorySign id={id} />,
        kind: 'Category',
        run: open('', id, { category_slug: slug }),
      })),
    ...(data?.counterparties ?? [])
      .filter(() => isListed || hasPage('/counterparties/{id}'))
      .map(({ short_id: id, name: label }) => ({
        id: `counterparty-${id}`,
        label,
        kind: 'Counterparty',
        run: open('/counterparties/{id}', id, { counterparty_id: id }),
      })),
    ...rules.map(({ short_id: id, name: label }) => ({
      id: `rule-${id}`,
      label,
      kind: 'Rule',
      run: () => go('/rules/{id}', { params: { id } }),
    })),
  ];
}

const PAGE_OF_RULES = String(LIMITS.pageMax);

/** All of them, page by page. */
async function readRules({ signal }: { signal: AbortSignal }): Promise<readonly Rule[]> {
  const all: Rule[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: PAGE_OF_RULES, ...(cursor === undefined ? {} : { cursor }) };
    const { rules, has_more: hasMore, next_cursor: next } = await api.call(listRules, { query }, { signal });
    all.push(...rules);
    if (!hasMore) return all;
    cursor = next;
  }
}
