import { Fragment, type ReactNode } from 'react';

import { countTransactions, summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import type { RowSearch } from '../../lib/rows-behind.ts';
import { RowsLink } from '../../components/figure-link.tsx';
import { keepFiguresOf, ofMember } from './view.ts';

interface LeftOutProps {
  userId: string | undefined;
  dates: { date_from: string; date_to: string };
  transfers: { count: number; search: RowSearch };
}

interface Part {
  key: string;
  count: number;
  search: RowSearch;
  words: ReactNode;
}

/** What the sentence above does not count, each part with its rows. */
export function LeftOut({ userId, dates, transfers }: LeftOutProps) {
  const rows = useRowsLeftOut(userId, dates);
  const parts: Part[] = [
    {
      key: 'transfers',
      ...transfers,
      words: transfers.count === 1 ? 'transfer' : 'transfers',
    },
    ...rows,
  ].filter(({ count }) => count > 0);
  return (
    <p className="mt-1 min-h-lh text-sm text-muted wrap-anywhere">
      {parts.length > 0 && 'Not counted: '}
      {parts.map(({ key, count, search, words }, index) => (
        <Fragment key={key}>
          {index > 0 && ', '}
          <RowsLink search={search}>
            {inDigits(count)} {words}
          </RowsLink>
        </Fragment>
      ))}
    </p>
  );
}

/** Pending rows, those of excluded accounts, and copies: no row is in two of them. */
function useRowsLeftOut(userId: string | undefined, dates: LeftOutProps['dates']): Part[] {
  const own = { ...ofMember(userId), ...dates };
  const keep = { placeholderData: keepFiguresOf(userId) };
  const ofPending = { ...own, pending: 'true', excluded_accounts: 'exclude', dependent_accounts: 'exclude' } as const;
  const ofExcluded = { ...own, excluded_accounts: 'only', dependent_accounts: 'include' } as const;
  const ofCopies = { ...own, excluded_accounts: 'exclude', dependent_accounts: 'only' } as const;
  const pending = useApiQuery(countTransactions, { query: ofPending }, keep);
  const copies = useApiQuery(countTransactions, { query: ofCopies }, keep);
  const excluded = useApiQuery(
    summarizeTransactions,
    { query: { ...ofExcluded, group_by: 'account', include_pending: 'true' } },
    keep,
  );
  const accounts = new Map(excluded.data?.summary.map((row) => [row.account_id, row.account_name]));
  const [only] = accounts.values();
  return [
    { key: 'pending', count: pending.data?.count ?? 0, search: ofPending, words: 'pending' },
    {
      key: 'excluded',
      count: (excluded.data?.totals ?? []).reduce((sum, { transaction_count: count }) => sum + count, 0),
      search: ofExcluded,
      words:
        accounts.size === 1 ? (
          <>of the excluded account {only}</>
        ) : (
          <>of {counted(accounts.size, 'excluded account')}</>
        ),
    },
    { key: 'copies', count: copies.data?.count ?? 0, search: ofCopies, words: 'of copies of other accounts' },
  ];
}
