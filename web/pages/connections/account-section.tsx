import type { OutputOf } from '../../../src/contract/operation.ts';
import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { getSyncLog } from '../../../src/features/sync/sync.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { BalanceCheck, type Check } from './balance-check.tsx';
import type { ConnectionState } from './connection-words.ts';
import { FIGURE_ALONE, LINK_ALONE, PageLink } from '../../lib/page-link.tsx';

type Account = OutputOf<typeof listAccounts>[number];

/** The accounts of a connection, each with its newest balance and whether the rows add up to it. */
export function AccountSection({ connection }: { connection: ConnectionState }) {
  const { id, last_sync_log: log } = connection;
  const query = { connection_id: id, include_disconnected: 'true' };
  const accounts = useApiQuery(listAccounts, { query });
  const run = useApiQuery(getSyncLog, { params: { id: log?.id ?? '' } }, { enabled: log?.status === 'success' });
  const checks = new Map(run.data?.accounts.map((one) => [one.account_id, one.balance_check]));
  return (
    <Section title="Accounts">
      <Loaded query={accounts} lines={4}>
        {(list) => (
          <DataTable
            caption="Accounts of this connection"
            columns={columnsOf(checks)}
            rows={list}
            keyOf={(account) => account.id}
            empty={<p className="text-muted">There are no accounts yet. The first sync creates them.</p>}
          />
        )}
      </Loaded>
    </Section>
  );
}

function columnsOf(checks: ReadonlyMap<string, Check>): Column<Account>[] {
  const columns: Column<Account>[] = [
    { title: 'Account', isRowHeader: true, cell: (account) => <Name account={account} /> },
    { title: 'Balance', align: 'end', cell: (account) => <Balance account={account} /> },
    { title: 'As of', cell: (account) => <Instant at={account.balance_updated_at ?? null} never="–" /> },
  ];
  if (checks.size > 0) {
    columns.push({
      title: 'Adds up?',
      cell: (account) => (
        <BalanceCheck check={checks.get(account.id ?? '')} currency={account.iso_currency_code ?? null} />
      ),
    });
  }
  return columns;
}

function Name({ account }: { account: Account }) {
  const { mask } = account;
  const name = account.display_name ?? account.name ?? '';
  return (
    <>
      <PageLink to="/accounts/{id}" params={{ id: account.short_id ?? '' }} className={LINK_ALONE}>
        <bdi>{name}</bdi>
      </PageLink>
      {mask != null && !name.endsWith(mask) && <span className="font-normal text-muted"> ···· {mask}</span>}
      {account.is_excluded === true && <span className="block text-sm font-normal text-muted">Not in totals</span>}
    </>
  );
}

function Balance({ account }: { account: Account }) {
  if (account.balance_current == null) return <span className="text-muted">–</span>;
  return (
    <PageLink to="/accounts/{id}" params={{ id: account.short_id ?? '' }} className={FIGURE_ALONE}>
      <Money amount={account.balance_current} currency={account.iso_currency_code ?? null} kind="balance" />
    </PageLink>
  );
}
