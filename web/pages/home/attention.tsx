import { CircleAlert, Info, TriangleAlert, type LucideIcon } from 'lucide-react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { listWorkflows } from '../../../src/features/workflows/workflows.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { buttonClass } from '../../components/button.tsx';
import { PageLinkIfThere } from '../../lib/page-link-if-there.tsx';
import { UndoBrokenImport } from './undo-broken-import.tsx';
import type { Overview } from './view.ts';

type Entry = Overview['attention'][number];

interface Subjects {
  accounts: OutputOf<typeof listAccounts>;
  workflows: OutputOf<typeof listWorkflows>;
}

const SEVERITIES: Readonly<Record<Entry['severity'], { icon: LucideIcon; look: string; word: string }>> = {
  critical: { icon: CircleAlert, look: 'bg-danger-soft text-danger', word: 'Urgent' },
  warning: { icon: TriangleAlert, look: 'bg-warning-soft text-warning', word: 'Warning' },
  info: { icon: Info, look: 'bg-info-soft text-info', word: 'To do' },
};

/** What needs a person. An entry disappears only when its cause does. */
export function AttentionList({ attention }: { attention: Overview['attention'] }) {
  const accounts = useApiQuery(listAccounts, { query: {} }, { enabled: attention.length > 0 });
  const isOfWorkflows = attention.some(({ subject_type: type }) => type === 'workflow');
  const workflows = useApiQuery(listWorkflows, {}, { enabled: isOfWorkflows });
  if (attention.length === 0) return null;
  return (
    <section className="mb-6" aria-label="Needs attention">
      <h2 className="mb-2 text-lg font-semibold">Needs attention</h2>
      <ul className="overflow-hidden rounded-card border border-line bg-surface">
        {attention.map((entry) => (
          <AttentionEntry
            key={`${entry.code} ${entry.subject_id ?? ''}`}
            entry={entry}
            subject={nameOf(entry, { accounts: accounts.data ?? [], workflows: workflows.data ?? [] })}
            isNamed={entry.subject_id !== null && (accounts.isLoading || workflows.isLoading)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Names are those of the household's accounts; messages have none, because banks write names too. */
function nameOf({ subject_type: type, subject_id: id }: Entry, { accounts, workflows }: Subjects): string | null {
  if (type === 'workflow') return workflows.find((one) => one.id === id)?.name ?? null;
  if (type === 'account') {
    const account = accounts.find((one) => one.id === id);
    return account?.display_name ?? account?.name ?? null;
  }
  return accounts.find((one) => type === 'connection' && one.connection_id === id)?.institution_name ?? null;
}

interface AttentionEntryProps {
  entry: Entry;
  subject: string | null;
  /** Its name is on the way, and has its line already. */
  isNamed: boolean;
}

function AttentionEntry({ entry, subject, isNamed }: AttentionEntryProps) {
  const { icon: Icon, look, word } = SEVERITIES[entry.severity];
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0 sm:px-6">
      <div className="flex gap-3 sm:items-center">
        <span className={`inline-flex size-9 shrink-0 items-center justify-center rounded-full ${look}`}>
          <Icon aria-hidden size={20} />
          <span className="sr-only">{word}</span>
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-60">
            {(subject !== null || isNamed) && <p className="min-h-lh font-semibold break-words">{subject}</p>}
            <p>{entry.message}</p>
          </div>
          <Action entry={entry} />
        </div>
      </div>
    </li>
  );
}

interface Place {
  page: string;
  text: string;
  /** The record that the entry is about has the page. */
  isOfSubject?: true;
  search?: Readonly<Record<string, string>>;
}

/** Where a kind of entry is cleared. */
const PLACES: Readonly<Partial<Record<Entry['code'], Place>>> = {
  reauth_required: { page: '/connections/{id}', text: 'Sign in at the bank again', isOfSubject: true },
  connection_error: { page: '/connections/{id}', text: 'See what is wrong', isOfSubject: true },
  consent_expiring: { page: '/connections/{id}', text: 'Renew the permission', isOfSubject: true },
  sync_stale: { page: '/connections/{id}', text: 'Sync it now', isOfSubject: true },
  account_missing: { page: '/connections/{id}', text: 'Look at its accounts', isOfSubject: true },
  new_accounts_available: { page: '/connections/{id}', text: 'Add the new accounts', isOfSubject: true },
  revocation_pending: { page: '/connections/{id}', text: 'Open the connection', isOfSubject: true },
  suggestions_open: { page: '/suggestions', text: 'Answer the suggestions' },
  provider_not_configured: { page: '/settings/providers', text: 'Set up the provider' },
  balance_mismatch: { page: '/accounts/{id}', text: 'Open the account', isOfSubject: true },
  unread_reports: { page: '/reports', text: 'Read the reports' },
  workflow_failed: { page: '/runs', text: 'Look at the failed runs', search: { tab: 'failed' } },
  backup_failed: { page: '/settings/backup', text: 'Look at the backups' },
  open_proposals: { page: '/proposals', text: 'Decide on them' },
  flagged_transactions: { page: '/transactions', text: 'Look at all of them', search: { flagged: 'true' } },
};

/** What clears it. */
function Action({ entry }: { entry: Entry }) {
  const { code, subject_id: id } = entry;
  const place = PLACES[code];
  if (!place || (place.isOfSubject && id === null)) return null;
  return (
    <div className="flex flex-wrap gap-3 empty:hidden">
      {code === 'balance_mismatch' && id !== null && <UndoBrokenImport accountId={id} />}
      <PageLinkIfThere
        to={place.page}
        {...(place.isOfSubject && id !== null ? { params: { id } } : {})}
        {...(place.search ? { search: place.search } : {})}
      >
        {(link) => link(place.text, buttonClass())}
      </PageLinkIfThere>
    </div>
  );
}
