import type { OutputOf } from '../../../src/contract/operation.ts';
import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { amountOf, centsOf } from '../../lib/amounts.ts';
import { addMonths, dayIn, inWords, lastDayOf, monthOf } from '../../lib/days.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { counts, nameOf, type Account } from '../accounts/account-words.tsx';
import { CAME_IN, inCurrency, isCounted, rowsBehind, SPENT } from '../../lib/rows-behind.ts';
import { FigureLink } from '../../components/figure-link.tsx';
import { LeftOut } from './left-out.tsx';
import { ThingsToLookAt } from './things-to-look-at.tsx';
import { currenciesOf, keepFiguresOf, ofMember, type Overview } from './view.ts';

type SummaryRow = OutputOf<typeof summarizeTransactions>['summary'][number];

const MONTHS = 12;

/** The last twelve months by kind of category; its totals name the currencies that moved. */
export function useFlows({ timezone, as_of: asOf }: Overview, userId: string | undefined) {
  const today = dayIn(timezone, asOf);
  const months = Array.from({ length: MONTHS }, (_, index) => monthOf(addMonths(today, index + 1 - MONTHS)));
  const summary = useApiQuery(
    summarizeTransactions,
    { query: { ...ofMember(userId), group_by: 'kind,month', date_from: `${months[0]}-01`, date_to: today } },
    { placeholderData: keepFiguresOf(userId) },
  );
  return { today, months, summary };
}

interface MonthProps {
  overview: Overview;
  userId: string | undefined;
}

/** How the month goes, a sentence per currency, with what is left out of it; then what waits for a person. */
export function Month({ overview, userId }: MonthProps) {
  const { today, summary } = useFlows(overview, userId);
  const accounts = useApiQuery(listAccounts, { query: ofMember(userId) });
  const member = overview.members.find(({ user_id: id }) => id === userId)?.name;
  return (
    <section aria-label="This month" className="mb-6">
      <Loaded query={summary} lines={2}>
        {({ summary: rows, totals, filters }) => {
          const ofMonth = rows.filter(({ period }) => period === monthOf(today));
          const dates = { date_from: `${monthOf(today)}-01`, date_to: today };
          const behind = rowsBehind(filters, dates);
          return (
            <>
              <Sentences
                rows={ofMonth.filter(isCounted)}
                behind={behind}
                today={today}
                order={currenciesOf(overview, totals)}
              />
              <LeftOut
                key={userId}
                userId={userId}
                dates={dates}
                transfers={{
                  count: ofMonth
                    .filter((row) => !isCounted(row))
                    .reduce((sum, { transaction_count: count }) => sum + count, 0),
                  search: { ...behind, category_kind: 'transfer' },
                }}
              />
            </>
          );
        }}
      </Loaded>
      <NothingCounts accounts={accounts.data ?? []} member={member} />
      <ThingsToLookAt backlog={overview.backlog} userId={userId} />
    </section>
  );
}

interface SentencesProps {
  rows: readonly SummaryRow[];
  behind: ReturnType<typeof rowsBehind>;
  today: string;
  order: readonly (string | null)[];
}

function Sentences({ rows, behind, today, order }: SentencesProps) {
  const name = inWords(monthOf(today), 'monthName');
  const month = today === lastDayOf(monthOf(today)) ? name : `${name} so far`;
  const byCurrency = [...Map.groupBy(rows, ({ iso_currency_code: currency }) => currency)].sort(
    ([one], [other]) => order.indexOf(one) - order.indexOf(other),
  );
  const currencies = byCurrency.map(([currency]) => currency);
  if (byCurrency.length === 0) return <p className={SENTENCE}>{month}: nothing that counts was spent or came in</p>;
  return byCurrency.map(([currency, ofCurrency]) => {
    const only = inCurrency(currency, currencies);
    const figure = (field: 'money_out' | 'money_in', way: typeof SPENT | typeof CAME_IN) => (
      <FigureLink
        amount={amountOf(ofCurrency.reduce((sum, row) => sum + centsOf(row[field]), 0n))}
        currency={currency}
        search={only && { ...behind, ...way, ...only }}
      />
    );
    return (
      <p key={currency} className={SENTENCE}>
        {month}: {figure('money_out', SPENT)} spent, {figure('money_in', CAME_IN)} came in
      </p>
    );
  });
}

const SENTENCE = 'font-serif text-2xl font-semibold tracking-tight wrap-anywhere **:whitespace-normal';

/** Somebody whose accounts are all left out sees no figures, and where that is changed. */
function NothingCounts({ accounts, member }: { accounts: readonly Account[]; member: string | undefined }) {
  if (accounts.length === 0 || accounts.some(counts)) return null;
  return (
    <div className="mt-3">
      <Banner tone="info" title={`No account ${member === undefined ? 'here' : `of ${member}`} counts in totals`}>
        <p>
          What was spent and came in there is not in these figures.{' '}
          {accounts.map((account, index) => (
            <span key={account.id}>
              {index > 0 && ', '}
              <PageLink to="/accounts/{id}" params={{ id: account.short_id }} className={LINK}>
                <bdi>{nameOf(account)}</bdi>
              </PageLink>
              {account.is_excluded === true ? ' is excluded' : ' is a copy of another account'}
            </span>
          ))}
          : open it to change that.
        </p>
      </Banner>
    </div>
  );
}
