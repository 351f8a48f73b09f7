import { listTransactions } from '../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../api/queries.ts';
import { LINK, PageLink } from '../lib/page-link.tsx';
import { Loaded } from './skeleton.tsx';
import { TransactionRow } from './transaction/transaction-row.tsx';

const SHOWN = '10';

/** The newest transactions of a counterparty or series; in the drawer of each it can be taken out of it. */
export function NewestMembers({ of }: { of: { counterparty_id: string } | { series_id: string } }) {
  const every = { ...of, excluded_accounts: 'include', dependent_accounts: 'include' } as const;
  const ids = Object.fromEntries(Object.entries(of).map(([name, id]) => [name, [id]]));
  const newest = useApiQuery(listTransactions, { query: { ...every, ...ids, limit: SHOWN } });
  return (
    <section className="mt-6">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold">Newest transactions</h3>
        <PageLink to="/transactions" search={every} className={LINK}>
          All of them
        </PageLink>
      </div>
      <Loaded query={newest} lines={4}>
        {({ transactions }) =>
          transactions.length === 0 ? (
            <p className="text-muted">None yet. Choose it in the drawer of a transaction.</p>
          ) : (
            <ul className="divide-y divide-line">
              {transactions.map((transaction) => (
                <li key={transaction.id}>
                  <TransactionRow transaction={transaction} withDate />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
