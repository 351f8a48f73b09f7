import type { UseQueryResult } from '@tanstack/react-query';

import { ApiError } from '../../api/client.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { Banner } from '../banner.tsx';
import { Loaded } from '../skeleton.tsx';
import { TransactionDetail } from './transaction-detail.tsx';
import type { TransactionRecord } from './transaction-row.tsx';

/** The transaction once it is there. One that there is not, or no more, leads to the list. */
export function LoadedTransaction({ id, query }: { id: string; query: UseQueryResult<TransactionRecord> }) {
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <Banner tone="warning" title="There is no such transaction">
        <p>
          The address is wrong, or the account that it was in is gone.{' '}
          <PageLink to="/transactions" className={LINK}>
            All transactions
          </PageLink>
        </p>
      </Banner>
    );
  }
  return (
    <Loaded query={query} lines={8}>
      {(read) => <TransactionDetail key={read.id} id={id} read={read} />}
    </Loaded>
  );
}
