import { FileUp, KeyRound, Landmark, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import { buttonClass } from '../../components/button.tsx';
import { ImportByCommand } from '../../components/import-by-command.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { PageLinkIfThere } from '../../lib/page-link-if-there.tsx';

/** The ways into an empty household. A card whose page does not exist says what works instead. */
export function EmptyHome() {
  return (
    <>
      <p className="mb-6 max-w-2xl text-muted">
        There are no accounts yet. Once there are, your balances, your spending and anything that needs attention will
        appear here.
      </p>
      <ul className="grid gap-6 lg:grid-cols-2 [&>*]:min-w-0">
        <PageLinkIfThere to="/connections/new">
          {(link) => (
            <Card icon={Landmark} title="Connect a bank">
              <p>New transactions then arrive automatically.</p>
              <p className="mt-4">{link('Connect a bank', buttonClass('primary'))}</p>
            </Card>
          )}
        </PageLinkIfThere>
        <Card icon={FileUp} title="Import a file from your bank">
          <p>
            CSV, OFX, QFX, QIF, CAMT.053 or MT940. Homeledger works out how to read it, and asks when it is not sure.
          </p>
          <PageLinkIfThere to="/imports/new" otherwise={<ImportByCommand />}>
            {(link) => <p className="mt-4">{link('Import a file', buttonClass('primary'))}</p>}
          </PageLinkIfThere>
        </Card>
        <Card icon={KeyRound} title="Create an API key">
          <p>Scripts and agents use it to read your data and, if you allow it, to make changes.</p>
          <PageLinkIfThere to="/settings/api-keys" otherwise={<KeyByCommand />}>
            {(link) => <p className="mt-4">{link('Create an API key', buttonClass())}</p>}
          </PageLinkIfThere>
        </Card>
      </ul>
    </>
  );
}

function Card({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <li className="rounded-card border border-line bg-surface p-6">
      <span className="mb-3 inline-flex rounded-full bg-accent-soft p-3 text-accent">
        <Icon aria-hidden size={24} />
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="mt-1 text-muted">{children}</div>
    </li>
  );
}

function KeyByCommand() {
  const command = 'npm run -s homeledger -- keys create --name "My key" --scope full_access';
  return (
    <div className="mt-4 text-ink">
      <Snippet label="the command that creates a key" text={command} />
    </div>
  );
}
