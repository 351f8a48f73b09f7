import { z } from 'zod';

import { Cursor } from '../../../contract/common.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { countFound, findTransactions, parseFields, readFilters } from '../../transactions/index.ts';
import type { FieldName } from '../../transactions/transaction-fields.contract.ts';
import { refuseUnless } from '../parts/argument-pairs.ts';
import { pick } from '../call-operation.ts';
import { COMPACT_NAMES, compactTransaction, ListedTransaction } from '../parts/compact-transaction.ts';
import { madeTags, NOTHING } from '../parts/guided-tags.queries.ts';
import { ownProposals } from '../parts/own-proposals.queries.ts';
import { Sums, withRefunded } from '../parts/sums.ts';
import { CURSOR_ARGUMENT, defineReadTool } from '../tool.ts';
import { flag, textOrList, transactionFilters } from '../parts/transaction-filters.ts';

const LIMIT = 50;

const LeftOut = z.object({ pending: z.int(), excluded_account: z.int(), dependent_account: z.int() });

export const queryTransactions = defineReadTool({
  name: 'query_transactions',
  title: 'Find transactions',
  description:
    'Transactions that match all filters, newest first, with totals per currency over all matches on the first page; left_out ' +
    'counts what the totals leave out, and why. Positive amounts are money out, and amount_min and amount_max are signed. Dates ' +
    'are YYYY-MM-DD, both ends inclusive (end_date is exclusive). Lists match any of their values; search takes terms separated by ' +
    'commas. Copies of a shared card are left out unless dependent_accounts is "include". spending_only: what was spent, and refunds. ' +
    'proposed false leaves out rows that you already proposed to change, waiting or refused. repeats_within_days (0 to 7) finds ' +
    'possible double charges: rows that share a repeat_group. count_only returns the count alone. fields: compact, full, or a list ' +
    'of field names.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    ...transactionFilters,
    dependent_accounts: z.enum(['include', 'exclude', 'only']).default('exclude'),
    deleted: z.boolean().default(false),
    sort: z.enum(['date', 'amount', 'name']).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    limit: z.int().min(1).max(LIMITS.pageMax).default(LIMIT),
    cursor: CURSOR_ARGUMENT.optional(),
    fields: textOrList,
    count_only: z.boolean().default(false),
    proposed: flag,
    repeats_within_days: z.int().min(0).max(LIMITS.repeatDaysMax).optional(),
    spending_only: z.boolean().default(false),
  },
  output: {
    transactions: z.array(ListedTransaction).optional(),
    count: z.int().optional(),
    totals: z.array(Sums).optional(),
    left_out: LeftOut.optional(),
    next_cursor: Cursor.optional(),
    has_more: z.boolean().optional(),
  },
  operations: ['listTransactions', 'countTransactions'],
  examples: [
    { arguments: { tag: 'needs-review', proposed: false }, says: 'What is left to review?' },
    { arguments: { search: 'corner market', date_from: '2026-01-01' }, says: 'What did we buy there this year?' },
    { arguments: { repeats_within_days: 3 }, says: 'Was anything charged twice?' },
    { arguments: { uncategorized: true, count_only: true }, says: 'How many rows have no category?' },
  ],
  run: async (context, input) => {
    const { proposed, repeats_within_days: repeatsWithinDays, count_only: onlyCount, limit, cursor } = input;
    const { spending_only: isNet } = input;
    const tag = await madeTags(context.tx, input.tag);
    const proposals = proposed === undefined ? undefined : ownProposals(context, proposed);
    const search = {
      filters: readFilters({ ...input, tag: tag ?? undefined }),
      repeatsWithinDays,
      among: tag === null ? NOTHING : proposals,
      spending: isNet ? ('net' as const) : null,
    };
    refuseUnless(!onlyCount, input, ['cursor', 'sort', 'order', 'fields'], 'a list; count_only only counts');
    if (onlyCount) {
      const { totals, ...counted } = await countFound(context.tx, search);
      return { ...counted, totals: totals.map((total) => withRefunded(total, isNet)) };
    }
    const { sort = 'date', order = sort === 'name' ? 'asc' : 'desc' } = input;
    const { fields, shape } = readFields(input.fields ?? 'compact');
    const page = await findTransactions(context.tx, search, { sort, order, limit, cursor, fields });
    return {
      ...page,
      ...(page.totals ? { totals: page.totals.map((total) => withRefunded(total, isNet)) } : {}),
      transactions: page.transactions.map((record) => ({ ...shape(record), ...pick(record, ['repeat_group']) })),
    };
  },
});

type Fields = Readonly<Record<string, unknown>>;
/** Names in compact transactions that REST does not have, and what they are made of. */
const COMPACT_ONLY: Readonly<Record<string, FieldName>> = { category_slug: 'category', flagged: 'flagged_at' };

/** @throws INVALID_PARAMETER */
function readFields(value: string | string[]): { fields: readonly FieldName[]; shape: (record: Fields) => Fields } {
  const given = [value].flat().flatMap((one) => one.split(',').map((name) => name.trim()));
  if (given.length === 1 && given[0] === 'full') return { fields: parseFields(undefined), shape: (record) => record };
  const names = given.flatMap((name) => (name === 'compact' ? COMPACT_NAMES : [name]));
  const shown: readonly string[] = parseFields(names.filter((name) => !(name in COMPACT_ONLY)));
  const made = names.filter((name) => name in COMPACT_ONLY);
  return {
    fields: parseFields([...shown, ...made.map((name) => COMPACT_ONLY[name] as string)]),
    shape: (record) => ({ ...pick(record, shown), ...pick(compactTransaction(record), made) }),
  };
}
