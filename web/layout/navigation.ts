import {
  Building2,
  CreditCard,
  History,
  House,
  Inbox,
  ListChecks,
  Newspaper,
  ReceiptText,
  Repeat,
  Settings,
  Tags,
  Workflow,
  type LucideIcon,
} from 'lucide-react';

import { ENTRIES, PAGES, type EntryName, type Page } from '../../src/contract/pages.ts';
import { reasonAgainst, type Session } from '../api/session.ts';

export interface NavigationEntry {
  name: EntryName;
  icon: LucideIcon;
  /** Its tabs; the first one opens with it. */
  pages: readonly [Page, ...Page[]];
}

export interface NavigationGroup {
  /** Null for what stands below the groups. */
  title: string | null;
  entries: readonly NavigationEntry[];
}

export const ENTRY_ICONS: Readonly<Record<EntryName, LucideIcon>> = {
  Home: House,
  Transactions: ReceiptText,
  Accounts: CreditCard,
  Recurring: Repeat,
  Reports: Newspaper,
  Review: Inbox,
  Categories: Tags,
  Rules: ListChecks,
  'Banks and files': Building2,
  Workflows: Workflow,
  History,
  Settings,
};

/** The entries that have a page which this person may open. */
export function navigationFor(session: Session | undefined): NavigationGroup[] {
  const entries = ENTRIES.flatMap(({ name, group }) => {
    const [first, ...others] = pagesOf(name, session);
    return first ? [{ name, group, icon: ENTRY_ICONS[name], pages: [first, ...others] as const }] : [];
  });
  return [...Map.groupBy(entries, ({ group }) => group)].map(([title, ofGroup]) => ({ title, entries: ofGroup }));
}

/** The tabs of an entry. */
export function pagesOf(entry: EntryName, session: Session | undefined): Page[] {
  return PAGES.filter((page) => 'entry' in page && page.entry === entry && mayOpen(page, session));
}

export function tabName(page: Page): string {
  return 'tab' in page ? page.tab : page.title;
}

export function mayOpen({ audience }: Pick<Page, 'audience'>, session: Session | undefined): boolean {
  return reasonAgainst(session, audience) === undefined;
}
