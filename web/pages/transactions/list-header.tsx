import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Money } from '../../components/money.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { isFiltered, type View } from './filters.ts';
import { useCount, useMoneyFilters } from './list-queries.ts';

/** How many rows there are, and what those that count add up to: the sum of the headings below. */
export function ListHeader({ view: { filters } }: { view: View }) {
  const { data } = useCount(filters);
  const { isOutsideTotals } = useMoneyFilters(filters);
  const overview = useApiQuery(getOverview, {}).data;
  const open = overview?.backlog.uncategorized_count;
  const left = data
    ? data.count - (data.totals ?? []).reduce((sum, { transaction_count: count }) => sum + count, 0)
    : 0;
  return (
    <div className="mb-3 flex min-h-6 flex-wrap items-baseline gap-x-6 gap-y-1 text-sm">
      <p className="font-medium tabular-nums">
        {data &&
          (isFiltered(filters) ? `${counted(data.count, 'transaction')} found` : counted(data.count, 'transaction'))}
      </p>
      <ul className="flex flex-wrap gap-x-6 gap-y-1" aria-label="Totals">
        {data?.totals?.map(({ iso_currency_code: currency, money_out: out, money_in: into }) => (
          <li key={currency ?? ''} className="flex gap-2 text-muted">
            <span>
              <Money amount={out} currency={currency} /> out
            </span>
            <span>
              <Money amount={`-${into}`} currency={currency} /> in
            </span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className="text-muted">{inDigits(left)} not in totals</p>}
      {isOutsideTotals && <p className="text-muted">The household’s totals leave this account out.</p>}
      {filters.uncategorized === undefined && open !== 0 && (
        <p className={`ml-auto print:hidden ${open === undefined ? 'invisible' : ''}`}>
          <PageLink to="/transactions" search={{ uncategorized: 'true' }} className={LINK}>
            {inDigits(open ?? 0)} without category
          </PageLink>
        </p>
      )}
    </div>
  );
}
