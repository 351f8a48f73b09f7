import { Link2, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';

import { getAccountLink, listAccountLinks } from '../../../src/features/account-links/account-links.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/definition-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { FIGURE_ALONE, LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { attributionInWords, Missing, toleranceInWords, Warnings, type AccountLink } from './link-words.tsx';
import { NewLinkDialog } from './new-link-dialog.tsx';

/** Accounts that arrive twice, each with its copy. */
export default function AccountLinksPage() {
  const [isNew, setNew] = useState(false);
  const right = useReasonAgainst('full_access');
  const links = useApiQuery(listAccountLinks, {});
  const add = (
    <Button look="primary" icon={Plus} disabledReason={right} onClick={() => setNew(true)}>
      Link two accounts
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Account links"
        lead="A card that two accounts show: one of its owner, one of another person who uses it. Totals leave the copy out."
        actions={links.data?.length === 0 ? undefined : add}
      />
      <Loaded query={links} lines={8}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={Link2} title="No accounts are linked" action={add}>
              If two members connect a bank that shows the same card, link the two accounts here, so that each purchase
              counts once and has the name of whoever made it.
            </EmptyState>
          ) : (
            <ul className="space-y-6">
              {list.map(({ id }) => (
                <li key={id}>
                  <LinkCard id={id} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isNew && <NewLinkDialog onClose={() => setNew(false)} />}
    </>
  );
}

function LinkCard({ id }: { id: string }) {
  const link = useApiQuery(getAccountLink, { params: { id } });
  return (
    <section className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <Loaded query={link} lines={6}>
        {(found) => <LinkFacts link={found} />}
      </Loaded>
    </section>
  );
}

function LinkFacts({ link }: { link: AccountLink }) {
  const { unmatched_dependent_totals: totals } = link;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">
          <PageLink to="/account-links/{id}" params={{ id: link.short_id }} className={LINK_ALONE}>
            {link.dependent_account_name} is a copy of {link.primary_account_name}
          </PageLink>
        </h2>
        <Status tone={link.enabled ? 'success' : 'neutral'}>{link.enabled ? 'Enabled' : 'Disabled'}</Status>
      </div>
      <Warnings warnings={link.warnings} totals={[]} isInCard />
      <Facts
        items={[
          { term: 'Owner of the card', value: link.primary_user_name ?? 'Nobody' },
          { term: 'Purchases attributed to', value: attributionInWords(link) },
          { term: 'Dates', value: toleranceInWords(link.match_tolerance_days) },
          { term: 'Matched', value: <Pairs link={link}>{counted(link.match_count, 'transaction')}</Pairs> },
          {
            term: 'Only in the copy',
            value: (
              <Pairs link={link} tab="dependent">
                {inDigits(link.unmatched_dependent_count)}
              </Pairs>
            ),
            ...(totals.length === 0 ? {} : { note: <Missing totals={totals} /> }),
          },
          {
            term: 'Only in the primary account',
            value: (
              <Pairs link={link} tab="primary">
                {inDigits(link.unmatched_primary_count)}
              </Pairs>
            ),
          },
        ]}
      />
    </>
  );
}

/** A count that leads to its rows. */
function Pairs({ link, tab, children }: { link: AccountLink; tab?: string; children: ReactNode }) {
  if (children === '0') return children;
  return (
    <PageLink
      to="/account-links/{id}"
      params={{ id: link.short_id }}
      className={FIGURE_ALONE}
      {...(tab === undefined ? {} : { search: { tab } })}
    >
      {children}
    </PageLink>
  );
}
