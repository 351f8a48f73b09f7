import {
  Bot,
  BrainCircuit,
  History,
  Workflow,
  Bell,
  Building2,
  CalendarClock,
  CircleUser,
  FileDiff,
  GitCompareArrows,
  House,
  KeyRound,
  Landmark,
  ListTree,
  Link2,
  Newspaper,
  RefreshCw,
  Server,
  SlidersHorizontal,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

import { PAGES, type Page, type PagePath } from '../../src/contract/pages.ts';
import { reasonAgainst, type Session } from '../api/session.ts';

export interface NavigationGroup {
  title: string;
  pages: readonly Page[];
}

const GROUPS = [
  ['money', 'Money'],
  ['organise', 'Organise'],
  ['sources', 'Sources'],
  ['automation', 'Automation'],
  ['administration', 'Administration'],
] as const;

export const PAGE_ICONS: Readonly<Partial<Record<PagePath, LucideIcon>>> = {
  '/': House,
  '/reports': Newspaper,
  '/connections': Building2,
  '/proposals': FileDiff,
  '/suggestions': GitCompareArrows,
  '/account-links': Link2,
  '/sync-logs': RefreshCw,
  '/household': Users,
  '/settings/api-keys': KeyRound,
  '/settings/general': SlidersHorizontal,
  '/settings/providers': Landmark,
  '/settings/sync': CalendarClock,
  '/workflows': Workflow,
  '/runs': History,
  '/settings/models': BrainCircuit,
  '/settings/agents': Bot,
  '/settings/notifications': Bell,
  '/settings/profile': CircleUser,
  '/settings/system': Server,
  '/webhook-events': Webhook,
  '/agent-calls': ListTree,
};

/** The groups of the navigation with the pages that this person may open. */
export function navigationFor(session: Session | undefined): NavigationGroup[] {
  return GROUPS.map(([group, title]) => ({
    title,
    pages: PAGES.filter((page) => 'group' in page && page.group === group && mayOpen(page, session)),
  })).filter(({ pages }) => pages.length > 0);
}

export function mayOpen({ audience }: Pick<Page, 'audience'>, session: Session | undefined): boolean {
  return reasonAgainst(session, audience) === undefined;
}
