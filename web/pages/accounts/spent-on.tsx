import type { OutputOf } from '../../../src/contract/operation.ts';
import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { CategoryGlyph } from '../../components/transaction/category-chip.tsx';
import { heightOf } from '../../lib/amounts.ts';
import { FIGURE_LINK, PageLink } from '../../lib/page-link.tsx';
import type { Detail } from './account-words.tsx';
import { useRecentMonths, WHOLE_ACCOUNT } from './recent-months.ts';

type Row = OutputOf<typeof summarizeTransactions>['summary'][number];

const SHOWN = 8;

/** Where the money that left the account went in the last twelve months. */
export function SpentOn({ account }: { account: Detail }) {
  const recent = useRecentMonths();
  const filters = { account_id: account.id, ...WHOLE_ACCOUNT, ...recent?.dates, amount_min: '0.01' };
  const query = { ...filters, account_id: [account.id], group_by: 'category_primary' };
  const summary = useApiQuery(summarizeTransactions, { query }, { enabled: recent !== undefined });
  return (
    <Section title="Where it went">
      <Loaded query={summary} lines={8}>
        {({ summary: rows, totals }) =>
          totals.length === 0 ? (
            <p className="text-muted">Nothing left this account in the last twelve months.</p>
          ) : (
            totals.map(({ iso_currency_code: currency, money_out: total }) => (
              <Categories
                key={currency}
                rows={rows.filter((row) => row.iso_currency_code === currency)}
                total={total}
                currency={currency}
                filters={{
                  ...filters,
                  pending: 'false',
                  ...(currency === null ? {} : { iso_currency_code: currency }),
                }}
              />
            ))
          )
        }
      </Loaded>
    </Section>
  );
}

interface CategoriesProps {
  rows: readonly Row[];
  total: string;
  currency: string | null;
  filters: Readonly<Record<string, string>>;
}

function Categories({ rows, total, currency, filters }: CategoriesProps) {
  const widest = Math.max(...rows.map(({ money_out: amount }) => heightOf(amount)));
  const rest = rows.length - SHOWN;
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        <Money amount={total} currency={currency} kind="balance" /> went out in twelve months, transfers included.
      </p>
      <ul>
        {rows.slice(0, SHOWN).map((row) => (
          <li key={row.category_id} className="flex items-center gap-3 py-1.5">
            <CategoryGlyph id={row.category_id ?? undefined} size="sm" />
            <div className="min-w-0 flex-1">
              <div className="flex items-baseline justify-between gap-3">
                <bdi className="truncate">{row.category_name ?? 'No category'}</bdi>
                <PageLink to="/transactions" search={{ ...filters, ...ofCategory(row) }} className={FIGURE_LINK}>
                  <Money amount={row.money_out} currency={currency} kind="balance" />
                </PageLink>
              </div>
              <svg aria-hidden width="100%" height="4" className="block">
                <rect
                  width={`${(100 * heightOf(row.money_out)) / widest}%`}
                  height="4"
                  rx="2"
                  className="fill-accent"
                />
              </svg>
            </div>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="mt-2 text-sm text-muted">
          and {rest} more {rest === 1 ? 'category' : 'categories'}
        </p>
      )}
    </>
  );
}

function ofCategory({ category_slug: slug }: Row): Record<string, string> {
  return typeof slug === 'string' ? { category_slug: slug } : { category_kind: 'none' };
}
