import { getConnectionStatus } from '../../../src/features/connections/connections.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { buttonClass } from '../../components/button.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { TransactionRow } from '../../components/transaction/transaction-row.tsx';
import { PageLink } from '../../lib/page-link.tsx';
import { isByHand, type Detail } from './account-words.tsx';

/** The newest transactions, and the way to all of them. */
export function NewestOfAccount({ account }: { account: Detail }) {
  const { recent_transactions: newest } = account;
  return (
    <Section
      title="Newest transactions"
      actions={
        newest.length > 0 && (
          <PageLink to="/transactions" search={{ account_id: account.id }} className={buttonClass()}>
            All transactions
          </PageLink>
        )
      }
    >
      {newest.length === 0 ? (
        <Nothing account={account} />
      ) : (
        <ul className="divide-y divide-line">
          {newest.map((transaction) => (
            <li key={transaction.id}>
              <TransactionRow transaction={transaction} withDate withoutAccount />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Nothing({ account }: { account: Detail }) {
  const { connection_id: id } = account;
  const isFed = !isByHand(account) && id !== null;
  const connection = useApiQuery(getConnectionStatus, { params: { id: id ?? '' } }, { enabled: isFed });
  const next = connection.data?.next_sync_at ?? null;
  return (
    <p className="text-muted">
      No transactions yet.
      {next !== null && (
        <>
          {' '}
          The next sync is <Instant isPlanned at={next} />.
        </>
      )}
      {isByHand(account) && ' Add one by hand, or import a file from the bank.'}
    </p>
  );
}
