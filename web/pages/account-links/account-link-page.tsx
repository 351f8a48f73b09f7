import { useNavigate } from '@tanstack/react-router';
import { RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';

import {
  deleteAccountLink,
  getAccountLink,
  reconcileAccountLink,
} from '../../../src/features/account-links/account-links.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { BackLink } from '../../components/back-link.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { showToast } from '../../components/toast-store.ts';
import { counted } from '../../lib/numbers.ts';
import { usePageParams } from '../../lib/page-link.tsx';
import { LinkSettings } from './link-settings.tsx';
import { LinkTabs } from './link-tabs.tsx';
import { Warnings, type AccountLink } from './link-words.tsx';

/** One link: what it matched, what is left over, and the decisions about both. */
export default function AccountLinkPage() {
  const { id = '' } = usePageParams();
  const link = useApiQuery(getAccountLink, { params: { id } });
  return (
    <>
      <BackLink to="/account-links">Account links</BackLink>
      {link.data === undefined && <PageHeader title="Account link" />}
      <Loaded query={link} lines={8}>
        {(found) => <OpenLink link={found} />}
      </Loaded>
    </>
  );
}

function OpenLink({ link }: { link: AccountLink }) {
  return (
    <>
      <PageHeader
        title={`${link.dependent_account_name} is a copy of ${link.primary_account_name}`}
        lead={`${counted(link.match_count, 'transaction')} matched. Totals leave the copy out${link.enabled ? '' : ' only while the link is enabled'}.`}
        actions={<Actions link={link} />}
      />
      <Warnings warnings={link.warnings} totals={link.unmatched_dependent_totals} />
      <LinkSettings link={link} />
      <LinkTabs link={link} />
    </>
  );
}

function Actions({ link }: { link: AccountLink }) {
  const right = useReasonAgainst('full_access');
  const [isDeleting, setDeleting] = useState(false);
  const reconcile = useApiWrite(reconcileAccountLink, {
    onSuccess: ({ matched_count: count }) => showToast(`${counted(count, 'transaction')} matched.`),
  });
  return (
    <>
      {reconcile.error !== null && <ErrorBanner error={reconcile.error} />}
      <Button
        icon={RefreshCw}
        busy={reconcile.isPending}
        disabledReason={right ?? (link.enabled ? undefined : 'Enable the link first.')}
        onClick={() => reconcile.mutate({ params: { id: link.id }, body: {} })}
      >
        Match again
      </Button>
      <Button icon={Trash2} disabledReason={right} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {isDeleting && <DeleteDialog link={link} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteDialog({ link, onClose }: { link: AccountLink; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useApiWrite(deleteAccountLink, { undo: 'Link deleted', refreshes: [] });
  const count = link.match_count + link.unmatched_dependent_count;
  return (
    <ConfirmDialog
      open
      title={`Delete the link of ${link.dependent_account_name} to ${link.primary_account_name}?`}
      action="Delete"
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: link.id } });
        await navigate({ to: '/account-links' });
      }}
      onClose={onClose}
    >
      <p>
        All {counted(count, 'posted transaction')} of {link.dependent_account_name} count in totals again, beside those
        of {link.primary_account_name}. Matches, rejected pairs and the attribution that the link set are removed. What
        people attributed stays.
      </p>
    </ConfirmDialog>
  );
}
