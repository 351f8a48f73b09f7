import { Flag } from 'lucide-react';

import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { unflagTransaction } from '../../../src/features/transactions/transaction-writes.contract.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { nameOf, ROW_FIELDS, TransactionRow } from '../../components/transaction/transaction-row.tsx';
import { inDigits } from '../../lib/numbers.ts';

const SHOWN = 10;

/** The newest flagged transactions, each with the button that takes its flag off. */
export function FlaggedTransactions({ count }: { count: number }) {
  const flagged = useApiQuery(listTransactions, {
    query: { flagged: 'true', limit: String(SHOWN), fields: ROW_FIELDS },
  });
  const unflag = useApiWrite(unflagTransaction, {
    refreshes: [listTransactions, getOverview],
    undo: 'Flag removed.',
  });
  const reason = useReasonAgainst('full_access');
  return (
    <>
      {unflag.error !== null && <ErrorBanner error={unflag.error} />}
      <Loaded query={flagged}>
        {({ transactions }) => (
          <ul className="mt-2 divide-y divide-line">
            {transactions.map((row) => (
              <li key={row.id}>
                <TransactionRow
                  transaction={row}
                  withDate
                  trailing={
                    <Button
                      icon={Flag}
                      disabledReason={reason}
                      busy={unflag.isPending && unflag.variables.params?.id === row.id}
                      onClick={() => unflag.mutate({ params: { id: row.id } })}
                    >
                      Remove the flag<span className="sr-only"> from {nameOf(row)}</span>
                    </Button>
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {count > SHOWN && (
        <p className="mt-2 text-sm text-muted">
          These are the newest {SHOWN} of {inDigits(count)}.
        </p>
      )}
    </>
  );
}
