/** Questions of a household, and the calls that answer them (contract 70.6). The guide, the docs and a test are made of these. */
interface Question {
  asks: string;
  calls: readonly QuestionCall[];
}

export interface QuestionCall {
  tool: string;
  /** `{T}` and the like stand for days, and `<…>` for what the agent knows. */
  arguments: Readonly<Record<string, unknown>>;
}

const SPENT = { group_by: 'category_primary', spending_only: true };

export const QUESTIONS: readonly Question[] = [
  asked('groceries per month and person', 'transaction_summary', {
    group_by: 'category,month,user',
    category_slug: ['food_and_drink_groceries'],
    date_from: '{Y}',
  }),
  asked('what did we spend last month, on what', 'transaction_summary', { ...SPENT, date_from: '{L}', date_to: '{E}' }),
  asked('this month against last month', 'transaction_summary', {
    ...SPENT,
    date_from: '{M}',
    date_to: '{T}',
    compare_to: 'previous_period',
  }),
  asked('this year against last year', 'transaction_summary', {
    ...SPENT,
    date_from: '{Y}',
    date_to: '{T}',
    compare_to: 'previous_year',
  }),
  asked('spending per month, on average', 'transaction_summary', {
    group_by: 'month',
    spending_only: true,
    date_from: '{Y}',
  }),
  asked('biggest merchants', 'merchant_summary', { spending_only: true, date_from: '{Y}', limit: 10 }),
  asked('largest purchases', 'query_transactions', {
    spending_only: true,
    date_from: '{Y}',
    sort: 'amount',
    order: 'desc',
    limit: 10,
  }),
  {
    asks: 'subscriptions, and what they cost; bills to come',
    calls: [
      { tool: 'list_series', arguments: { type: 'subscription' } },
      { tool: 'list_series', arguments: { direction: 'out' } },
    ],
  },
  asked('price rises; what is late, ended, charged twice', 'audit_bills', {}),
  asked('new subscriptions', 'merchant_summary', { new_since: '{L}', min_count: 2, spending_only: true }),
  asked('charged twice?', 'query_transactions', { repeats_within_days: '3', date_from: '{L}' }),
  asked('net worth, and its course', 'get_overview', { history: 'month' }),
  {
    asks: 'what needs a look',
    calls: [
      { tool: 'get_overview', arguments: {} },
      { tool: 'query_transactions', arguments: { tag: ['needs-review'], proposed: 'false' } },
    ],
  },
  asked('what changed this month', 'list_change_sets', { from: '{M}' }),
  asked('cash flow', 'transaction_summary', { group_by: 'month,kind', date_from: '{Y}' }),
  asked('what is pending', 'query_transactions', { pending: 'true' }),
  {
    asks: 'refunds still open',
    calls: [
      { tool: 'query_transactions', arguments: { tag: ['refund-expected'] } },
      { tool: 'merchant_summary', arguments: { date_from: '{L}', search: '<its merchant>' } },
    ],
  },
];

/** What the days in the calls stand for. */
const DAYS =
  '`{T}` is today; `{M}`, `{Y}` the first day of this month, of this year; `{L}`, `{E}` the first and the last day of last month. ' +
  'Put in the dates, and what you know for `<…>`.';

/** The questions as Markdown. */
export function questionsTable(): string {
  const rows = QUESTIONS.map(({ asks, calls }) => {
    const shown = calls.map(({ tool, arguments: sent }) => `\`${tool} ${JSON.stringify(sent)}\``);
    return `| ${asks} | ${shown.join('; ')} |`;
  });
  return [DAYS, ['| Question | Calls |', '|---|---|', ...rows].join('\n')].join('\n\n');
}

function asked(asks: string, tool: string, sent: QuestionCall['arguments']): Question {
  return { asks, calls: [{ tool, arguments: sent }] };
}
