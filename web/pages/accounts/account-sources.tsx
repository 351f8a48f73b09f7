import { Link2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listAccountLinks } from '../../../src/features/account-links/account-links.contract.ts';
import { listImports } from '../../../src/features/imports/imports.contract.ts';
import { useAccounts } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status, type StatusTone } from '../../components/status.tsx';
import { inDigits } from '../../lib/numbers.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { isByHand, nameOf, type Detail } from './account-words.tsx';

const NewLinkDialog = lazy(async () => ({
  default: (await import('../account-links/new-link-dialog.tsx')).NewLinkDialog,
}));

type AccountLink = OutputOf<typeof listAccountLinks>[number];

/** The links that say which account is a copy of which. */
export function LinksOfAccount({ account }: { account: Detail }) {
  const links = useApiQuery(listAccountLinks, {});
  const [isNew, setNew] = useState(false);
  const right = useReasonAgainst('full_access');
  return (
    <Section
      title="Links"
      actions={
        <Button icon={Link2} disabledReason={right} onClick={() => setNew(true)}>
          Link with another account
        </Button>
      }
    >
      <Loaded query={links} lines={2}>
        {(all) => <LinkList account={account} links={all.filter((link) => isOf(link, account))} />}
      </Loaded>
      <Suspense>{isNew && <NewLinkDialog primaryId={account.id} onClose={() => setNew(false)} />}</Suspense>
    </Section>
  );
}

function isOf(link: AccountLink, { id }: Detail): boolean {
  return link.primary_account_id === id || link.mirror_account_id === id;
}

function LinkList({ account, links }: { account: Detail; links: readonly AccountLink[] }) {
  const accounts = useAccounts();
  const nameOfId = (id: string): string => {
    const other = accounts?.find((one) => one.id === id);
    return other ? nameOf(other) : 'another account';
  };
  if (links.length === 0) {
    return (
      <p className="text-muted">This account is not linked. Link it if a second account shows the same purchases.</p>
    );
  }
  return (
    <ul className="space-y-2">
      {links.map((link) => (
        <li key={link.id}>
          <PageLink to="/account-links/{id}" params={{ id: link.short_id }} className={LINK}>
            {link.mirror_account_id === account.id
              ? `A copy of ${nameOfId(link.primary_account_id)}`
              : `${nameOfId(link.mirror_account_id)} is a copy of it`}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}

type Import = OutputOf<typeof listImports>['imports'][number];

const SHOWN = 10;
const PROOFS: Readonly<Record<Import['balance_proof']['status'], { tone: StatusTone; text: string } | null>> = {
  proved: { tone: 'success', text: 'Adds up' },
  broken: { tone: 'warning', text: 'Does not add up' },
  not_available: null,
};
const STATES: Readonly<Record<Import['status'], string>> = {
  queued: 'Waiting',
  running: 'Running',
  completed: 'Imported',
  failed: 'Failed',
  reverted: 'Undone',
  partly_reverted: 'Partly undone',
};

/** The files that went into the account, each with whether it added up. */
export function ImportsOfAccount({ account }: { account: Detail }) {
  const query = { account_id: account.id, limit: String(SHOWN) };
  const imports = useApiQuery(listImports, { query });
  if (imports.data?.imports.length === 0 && !isByHand(account)) return null;
  return (
    <div id="imports">
      <Section title="Imports">
        <Loaded query={imports} lines={3}>
          {({ imports: newest, has_more: hasMore }) => (
            <>
              <DataTable
                caption="Imports into this account"
                columns={[
                  {
                    title: 'File',
                    isRowHeader: true,
                    cell: ({ file_name: file, short_id: id }) => (
                      <PageLink to="/imports/{id}" params={{ id }} className={LINK}>
                        <bdi>{file ?? 'Unnamed file'}</bdi>
                      </PageLink>
                    ),
                  },
                  { title: 'When', cell: ({ created_at: at }) => <Instant at={at} /> },
                  { title: 'By', cell: ({ actor_name: actor }) => <bdi>{actor}</bdi> },
                  { title: 'New', align: 'end', cell: ({ counts }) => inDigits(counts.added) },
                  { title: 'Balance', cell: (one) => <Proof one={one} /> },
                  { title: 'State', cell: ({ status }) => STATES[status] },
                ]}
                rows={newest}
                keyOf={({ id }) => id}
                empty={<p className="text-muted">No file has been imported into this account.</p>}
              />
              {hasMore && (
                <p className="mt-3 text-sm text-muted">
                  These are the newest {SHOWN}.{' '}
                  <PageLink to="/imports" search={{ account_id: account.id }} className={LINK}>
                    Show all
                  </PageLink>
                </p>
              )}
            </>
          )}
        </Loaded>
      </Section>
    </div>
  );
}

function Proof({ one: { balance_proof: proof, status } }: { one: Import }) {
  const words = PROOFS[proof.status];
  // What an undone import said of its balance is no longer about the rows that are there.
  if (!words || status === 'reverted') return <span className="text-muted">–</span>;
  return <Status tone={words.tone}>{words.text}</Status>;
}
