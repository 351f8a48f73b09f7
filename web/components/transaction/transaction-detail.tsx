import { listComments } from '../../../src/features/comments/comments.contract.ts';
import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { inWords } from '../../lib/days.ts';
import { DefinitionList, type Definition } from '../definition-list.tsx';
import { Money } from '../money.tsx';
import { Loaded } from '../skeleton.tsx';
import { CategoryChip } from './category-chip.tsx';
import type { TransactionRecord } from './transaction-row.tsx';

/** Everything about one transaction, in the drawer and on its own page. */
export function TransactionDetail({ id }: { id: string }) {
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

function factsOf(found: TransactionRecord): Definition[] {
  const { category, tags = [] } = found;
  const otherSide = found.counterparty_name ?? found.merchant_name ?? '';
  return [
    { term: 'Name', value: found.name ?? '' },
    { term: 'Amount', value: <Money amount={found.amount ?? '0.00'} currency={found.iso_currency_code ?? null} /> },
    { term: 'Date', value: found.date === undefined ? '' : inWords(found.date) },
    { term: 'Account', value: found.account_name ?? '' },
    { term: 'Category', value: <CategoryChip category={category ?? null} /> },
    ...(otherSide !== '' && otherSide !== found.name ? [{ term: 'Other side', value: otherSide }] : []),
    ...(tags.length > 0 ? [{ term: 'Tags', value: tags.join(', ') }] : []),
    ...(found.pending === true ? [{ term: 'State', value: 'Pending' }] : []),
    ...(found.flagged_at ? [{ term: 'Flag', value: 'Flagged' }] : []),
    ...(found.deleted_at ? [{ term: 'Deleted', value: 'This transaction is deleted.' }] : []),
  ];
}
