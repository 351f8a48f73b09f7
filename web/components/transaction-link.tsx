import { useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

import type { OutputOf } from '../../src/contract/operation.ts';
import { listComments } from '../../src/features/comments/comments.contract.ts';
import { getTransaction } from '../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../api/queries.ts';
import { LINK } from '../lib/page-link.tsx';
import { DefinitionList, type Definition } from './definition-list.tsx';
import { Drawer } from './dialog.tsx';
import { Money } from './money.tsx';
import { Loaded } from './skeleton.tsx';

type Transaction = OutputOf<typeof getTransaction>;

/** Opens a transaction beside the page. */
export function TransactionLink({ id, children }: { id: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={`${LINK} text-left`} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen &&
        // Not inside the paragraph that the link is in.
        createPortal(
          <Drawer open title="Transaction" onClose={() => setOpen(false)}>
            <TransactionFacts id={id} />
          </Drawer>,
          document.body,
        )}
    </>
  );
}

function TransactionFacts({ id }: { id: string }) {
  const transaction = useApiQuery(getTransaction, { params: { id }, query: { include_deleted: 'true' } });
  const comments = useApiQuery(
    listComments,
    { params: { id }, query: { include_deleted: 'true' } },
    { enabled: transaction.isSuccess },
  );
  return (
    <Loaded query={transaction} lines={6}>
      {(found) => (
        <>
          <DefinitionList items={factsOf(found)} />
          {comments.data?.map((comment) => (
            <blockquote key={comment.id} className="mt-4 border-l-4 border-line-strong pl-3 wrap-anywhere">
              <p className="whitespace-pre-wrap">{comment.body}</p>
              <p className="text-sm text-muted">{comment.author_name}</p>
            </blockquote>
          ))}
        </>
      )}
    </Loaded>
  );
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });

function factsOf(found: Transaction): Definition[] {
  const { category, tags = [] } = found;
  const otherSide = found.counterparty_name ?? found.merchant_name ?? '';
  return [
    { term: 'Name', value: found.name ?? '' },
    { term: 'Amount', value: <Money amount={found.amount ?? '0.00'} currency={found.iso_currency_code ?? null} /> },
    { term: 'Date', value: found.date === undefined ? '' : day.format(new Date(found.date)) },
    { term: 'Account', value: found.account_name ?? '' },
    { term: 'Category', value: category?.name ?? 'None' },
    ...(otherSide !== '' && otherSide !== found.name ? [{ term: 'Other side', value: otherSide }] : []),
    ...(tags.length > 0 ? [{ term: 'Tags', value: tags.join(', ') }] : []),
    ...(found.pending === true ? [{ term: 'State', value: 'Pending' }] : []),
    ...(found.flagged_at ? [{ term: 'Flag', value: 'Flagged' }] : []),
    ...(found.deleted_at ? [{ term: 'Deleted', value: 'This transaction is deleted.' }] : []),
  ];
}
