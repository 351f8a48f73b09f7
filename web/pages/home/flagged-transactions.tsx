import { Flag } from 'lucide-react';

import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { unflagTransaction } from '../../../src/features/transactions/transaction-writes.contract.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Money } from '../../components/money.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inWords } from '../../lib/days.ts';
import { inDigits } from '../../lib/numbers.ts';

const SHOWN = 10;

/** The newest flagged transactions, each with the button that takes its flag off. */
export function FlaggedTransactions({ count }: { count: number }) {
  const flagged = useApiQuery(listTransactions, {
    query: { flagged: 'true', limit: String(SHOWN), fields: 'date,name,account_name,amount,iso_currency_code' },
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
            {transactions.map(
              ({ id, date = '', name, account_name: account, amount = '0.00', iso_currency_code: currency = null }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
                  <span className="min-w-0 flex-1 basis-48">
                    <span className="block font-medium break-words">{name}</span>
                    <span className="block text-sm text-muted">
                      {inWords(date)}, {account}
                    </span>
                  </span>
                  <Money amount={amount} currency={currency} />
                  <Button
                    icon={Flag}
                    disabledReason={reason}
                    busy={unflag.isPending && unflag.variables.params?.id === id}
                    onClick={() => unflag.mutate({ params: { id } })}
                  >
                    Remove the flag<span className="sr-only"> from {name}</span>
                  </Button>
                </li>
              ),
            )}
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
