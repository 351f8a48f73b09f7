import { Bot, ChevronRight, FileUp, Landmark, Users, type LucideIcon } from 'lucide-react';

import { PAGES } from '../../../../src/contract/pages.ts';
import { getBootstrap } from '../../../../src/features/bootstrap/bootstrap.contract.ts';
import { useApiQuery } from '../../../api/queries.ts';
import { buttonClass } from '../../../components/button.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Loaded } from '../../../components/skeleton.tsx';
import { WithoutDashboard } from '../signed-in.tsx';

interface FirstStep {
  icon: LucideIcon;
  title: string;
  text: string;
  /** The first of these that there is; else the start page tells how. */
  pages: readonly string[];
}

const STEPS: readonly FirstStep[] = [
  {
    icon: Landmark,
    title: 'Connect a bank',
    text: 'New transactions then arrive automatically.',
    pages: ['/connections/new', '/settings/providers'],
  },
  {
    icon: FileUp,
    title: 'Import a file',
    text: 'A file downloaded from your bank: CSV, OFX, QIF, CAMT.053 or MT940.',
    pages: ['/imports/new'],
  },
  { icon: Users, title: 'Invite the others', text: 'Everyone gets their own password.', pages: ['/household'] },
  {
    icon: Bot,
    title: 'Set up an agent',
    text: 'It gets its own key, which allows reading only or also making changes.',
    pages: ['/settings/agents', '/settings/api-keys'],
  },
];

/** The end of the first run. */
export function WhatNext({ name }: { name: string }) {
  const bootstrap = useApiQuery(getBootstrap, {});
  return (
    <>
      <PageHeader key="next" title={`Welcome, ${name}`} lead="Homeledger is set up, and you are signed in." />
      <Loaded query={bootstrap}>
        {({ dashboard_enabled: hasDashboard }) => (hasDashboard ? <FirstSteps /> : <WithoutDashboard />)}
      </Loaded>
    </>
  );
}

/** Plain links: the pages are loaded again, now that somebody is signed in. */
function FirstSteps() {
  return (
    <>
      <h2 className="mb-2 font-semibold">What next?</h2>
      <ul className="mb-6 divide-y divide-line border-y border-line">
        {STEPS.map(({ icon: Icon, title, text, pages }) => (
          <li key={title}>
            <a
              href={pages.find((page) => PAGES.some(({ path }) => path === page)) ?? '/'}
              className="group flex items-center gap-4 py-3"
            >
              <Icon aria-hidden size={22} className="shrink-0 text-accent" />
              <span className="flex-1">
                <span className="block font-medium group-hover:underline">{title}</span>
                <span className="block text-sm text-muted">{text}</span>
              </span>
              <ChevronRight aria-hidden size={20} className="shrink-0 text-muted" />
            </a>
          </li>
        ))}
      </ul>
      <a href="/" className={buttonClass('primary')}>
        Go to Home
      </a>
    </>
  );
}
