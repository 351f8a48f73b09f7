import { listAccountLinks, listLinkMatches } from '../../../src/features/account-links/account-links.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { READ_ONCE } from '../../api/lists.ts';
import { Money } from '../money.tsx';
import { TransactionLink } from './transaction-link.tsx';
import type { TransactionRecord } from './transaction-row.tsx';

/** The copy of the transaction in a linked account, or the one that it is a copy of. */
export function LinkMatches({ record }: { record: TransactionRecord }) {
  const links = useApiQuery(listAccountLinks, {}, READ_ONCE).data ?? [];
  const own = links.filter(
    ({ primary_account_id: primary, mirror_account_id: mirror }) =>
      primary === record.account_id || mirror === record.account_id,
  );
  return own.map((link) => <MatchOf key={link.id} link={link.id} record={record} />);
}

function MatchOf({ link, record }: { link: string; record: TransactionRecord }) {
  const { data } = useApiQuery(listLinkMatches, { params: { id: link }, query: { transaction_id: record.id } });
  const [match] = data?.matches ?? [];
  if (!match) return null;
  const isPrimary = match.primary_transaction_id === record.id;
  const [other, id] = isPrimary
    ? [match.dependent, match.dependent_transaction_id]
    : [match.primary, match.primary_transaction_id];
  return (
    <section className="mt-4 border-t border-line pt-4">
      <h2 className="mb-1 font-semibold">{isPrimary ? 'Its copy in another account' : 'It is a copy'}</h2>
      <p className="wrap-anywhere">
        <TransactionLink id={id}>
          <bdi>{other.merchant_name ?? other.name}</bdi>
        </TransactionLink>
        , <Money amount={other.amount} currency={other.iso_currency_code} />
        {match.confidence === 'auto' && <span className="text-muted"> – found by itself, not confirmed yet</span>}
      </p>
      <p className="text-sm text-muted">
        {isPrimary ? 'Totals count this one.' : 'Totals count the other one.'}{' '}
        <PageLink to="/account-links/{id}" params={{ id: link }} className={LINK}>
          The link of the two accounts
        </PageLink>
      </p>
    </section>
  );
}
