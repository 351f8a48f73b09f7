import { KeyRound, Landmark, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import { buttonClass } from '../../components/button.tsx';
import { DropArea } from '../../components/import/import-button.tsx';
import { PageLinkIfThere } from '../../lib/page-link-if-there.tsx';

/** The ways into an empty household. */
export function EmptyHome() {
  return (
    <>
      <p className="mb-6 max-w-2xl text-muted">
        There are no accounts yet. Once there are, your balances, your spending and anything that needs attention will
        appear here.
      </p>
      <ul className="grid gap-6 lg:grid-cols-3 [&>*]:min-w-0">
        <Card icon={Landmark} title="Connect a bank" action="Choose the bank" to="/connections/new">
          New transactions then arrive by themselves.
        </Card>
        <li className="flex *:h-full">
          <DropArea />
        </li>
        <Card icon={KeyRound} title="Let an agent help" action="Make an API key" to="/settings/api-keys">
          Agents and scripts read your data with it and, if you allow it, propose or make changes.
        </Card>
      </ul>
    </>
  );
}

interface CardProps {
  icon: LucideIcon;
  title: string;
  action: string;
  to: string;
  children: ReactNode;
}

function Card({ icon: Icon, title, action, to, children }: CardProps) {
  return (
    <li className="flex flex-col rounded-card border border-line bg-surface p-6">
      <span className="mb-3 inline-flex self-start rounded-full bg-accent-soft p-3 text-accent">
        <Icon aria-hidden size={24} />
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 mb-4 text-muted">{children}</p>
      <p className="mt-auto">
        <PageLinkIfThere to={to}>{(link) => link(action, buttonClass('primary'))}</PageLinkIfThere>
      </p>
    </li>
  );
}
