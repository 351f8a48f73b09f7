import { getChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { getSyncLog } from '../../../src/features/sync/sync.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Banner } from '../../components/banner.tsx';
import { ChangesOfSet } from '../../components/changes/changes-of-set.tsx';
import { Undone } from '../../components/changes/undone.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Facts, type Definition } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { RuleName } from '../../components/rule/rule-name.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { counted, durationInWords, inDigits } from '../../lib/numbers.ts';
import { FIGURE_ALONE, LINK_ALONE, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { BalanceCheck } from '../connections/balance-check.tsx';
import { STATUS_WORDS, TRIGGER_WORDS, type SyncLogDetail } from './sync-log-words.ts';

type AccountRun = SyncLogDetail['accounts'][number];

/** One run of a sync: account by account, with warnings, rules, and what the provider said if it failed. */
export default function SyncLogPage() {
  const { id = '' } = usePageParams();
  const log = useApiQuery(
    getSyncLog,
    { params: { id } },
    { refetchInterval: ({ state: { data } }) => (data?.status === 'in_progress' ? 2_000 : false) },
  );
  return (
    <>
      <BackLink to="/sync-logs">Syncs</BackLink>
      {log.data === undefined && <PageHeader title="Sync" />}
      <Loaded query={log} lines={8}>
        {(found) => (
          <>
            <PageHeader title={`Sync of ${found.institution_name ?? 'a bank'}`} lead={TRIGGER_WORDS[found.trigger]} />
            <Summary log={found} />
            <Accounts log={found} />
            <Warnings log={found} />
            <Rules log={found} />
            <Changes log={found} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Summary({ log }: { log: SyncLogDetail }) {
  const { tone, word } = STATUS_WORDS[log.status];
  const items: Definition[] = [
    { term: 'Result', value: <Status tone={tone}>{word}</Status> },
    { term: 'Started', value: <Instant at={log.started_at} /> },
    { term: 'Took', value: durationInWords(log.duration_ms) },
    { term: 'Read', value: log.is_full ? 'Everything the bank has' : 'What was new' },
    { term: 'New', value: <ChangeCount log={log} count={log.added_count} /> },
    { term: 'Changed', value: <ChangeCount log={log} count={log.modified_count} /> },
    { term: 'Removed by the bank', value: <ChangeCount log={log} count={log.removed_count} /> },
    { term: 'Already known', value: inDigits(log.unchanged_count) },
    { term: 'Could not be read', value: inDigits(log.skipped_count) },
    {
      term: 'Bank',
      value: (
        <PageLink to="/connections/{id}" params={{ id: log.connection_id }} className={LINK_ALONE}>
          {log.institution_name ?? 'Open the connection'}
        </PageLink>
      ),
    },
  ];
  return (
    <Section title="Summary">
      {log.error_message !== null && (
        <Banner tone="danger" title={log.error_message}>
          <ProviderSaid log={log} />
        </Banner>
      )}
      <Facts items={items} />
    </Section>
  );
}

/** A count of changed rows leads to them. */
function ChangeCount({ log: { change_set_id: set }, count }: { log: SyncLogDetail; count: number }) {
  if (set === null || count === 0) return inDigits(count);
  return (
    <PageLink to="/history/{id}" params={{ id: set }} className={FIGURE_ALONE}>
      {inDigits(count)}
    </PageLink>
  );
}

/** For whoever asks the provider's support: what it said, and under which request. */
function ProviderSaid({ log }: { log: SyncLogDetail }) {
  const { provider_error: said, error_code: code } = log;
  return (
    <p className="text-sm text-muted">
      {code}
      {said !== null &&
        [said.http_status, said.type, said.message, said.request_id].filter(Boolean).map((one) => ` · ${one}`)}
    </p>
  );
}

const COLUMNS: readonly Column<AccountRun>[] = [
  { title: 'Account', isRowHeader: true, cell: (one) => <AccountName account={one} /> },
  { title: 'New', align: 'end', cell: (one) => inDigits(one.added_count) },
  { title: 'Changed', align: 'end', cell: (one) => inDigits(one.modified_count) },
  { title: 'Removed', align: 'end', cell: (one) => inDigits(one.removed_count) },
  { title: 'Known', align: 'end', cell: (one) => inDigits(one.unchanged_count) },
  {
    title: 'Adds up?',
    cell: (one) => <BalanceCheck check={one.balance_check} currency={one.iso_currency_code} />,
  },
];

function AccountName({ account: { account_id: id, account_name: name } }: { account: AccountRun }) {
  return (
    <PageLink to="/accounts/{id}" params={{ id }} className={LINK_ALONE}>
      <bdi>{name}</bdi>
    </PageLink>
  );
}

function Accounts({ log }: { log: SyncLogDetail }) {
  if (log.status !== 'success') return null;
  return (
    <Section title="Accounts">
      <DataTable
        caption="What the sync did in each account"
        columns={COLUMNS}
        rows={log.accounts}
        keyOf={(one) => one.account_id}
        empty={<p className="text-muted">The bank reported no accounts.</p>}
      />
    </Section>
  );
}

function Warnings({ log }: { log: SyncLogDetail }) {
  if (log.warnings.length === 0) return null;
  return (
    <Section title="Warnings">
      <ul className="list-disc space-y-2 pl-5">
        {log.warnings.map((one, index) => (
          <li key={`${one.code} ${index}`}>
            {one.message}
            {one.count > 1 && ` (${inDigits(one.count)} times)`}
          </li>
        ))}
      </ul>
      {log.warning_count > log.warnings.length && (
        <p className="mt-3 text-muted">{inDigits(log.warning_count - log.warnings.length)} more are not listed.</p>
      )}
    </Section>
  );
}

const SHOWN = 100;

/** The rows that it wrote, as they are in the history. */
function Changes({ log: { change_set_id: set } }: { log: SyncLogDetail }) {
  if (set === null) return null;
  return (
    <Section
      title="What it changed"
      actions={
        <PageLink to="/history/{id}" params={{ id: set }} className={LINK_ALONE}>
          Open in the history
        </PageLink>
      }
    >
      <SetChanges id={set} />
    </Section>
  );
}

function SetChanges({ id }: { id: string }) {
  const set = useApiQuery(getChangeSet, { params: { id }, query: { limit: String(SHOWN) } });
  return (
    <Loaded query={set} lines={6}>
      {({ changes, has_more: hasMore, status }) => (
        <>
          <p className="mb-3 empty:hidden">
            <Undone status={status} />
          </p>
          <ChangesOfSet changes={changes} />
          {hasMore && (
            <p className="mt-3 text-muted">These are the first {inDigits(SHOWN)}; the history has them all.</p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Rules({ log }: { log: SyncLogDetail }) {
  if (log.rule_hits.length === 0) return null;
  return (
    <Section title="Rules">
      <ul className="divide-y divide-line">
        {log.rule_hits.map(({ rule_id: id, rule_name: name, count }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0">
            <span className="min-w-0 wrap-anywhere">
              <RuleName id={id} name={name} />
            </span>
            <span className="tabular-nums">{counted(count, 'transaction')}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
