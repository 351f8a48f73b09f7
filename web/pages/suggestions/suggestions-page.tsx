import { GitCompareArrows } from 'lucide-react';
import { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listSuggestions } from '../../../src/features/suggestions/suggestions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect, useFilters } from '../../components/filters.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ShowMore, useShown } from '../../components/show-more.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inDigits } from '../../lib/numbers.ts';
import { SameAccount } from './same-account.tsx';
import { SameTransaction } from './same-transaction.tsx';

export type Suggestion = OutputOf<typeof listSuggestions>['suggestions'][number];

const Search = z.object({
  status: z.enum(['dismissed', 'accepted']),
  kind: z.enum(['pending_posted', 'possible_duplicate', 'same_account']),
});
const KINDS = [
  { value: 'same_account', label: 'The same account?' },
  { value: 'possible_duplicate', label: 'The same transaction?' },
  { value: 'pending_posted', label: 'Pending and posted' },
];

/** Each asks for a transaction of its own: hundreds at once would be refused as too many requests. */
const AT_ONCE = 20;

/** What the service would not decide alone. Nothing changes until somebody accepts. */
export default function SuggestionsPage() {
  const { values, change, clear, isFiltered } = useFilters('/suggestions', Search);
  const suggestions = useApiQuery(listSuggestions, { query: values }, { placeholderData: (earlier) => earlier });
  return (
    <>
      <PageHeader
        title="Suggestions"
        lead="Transactions or accounts that may be duplicates. Until you decide, both stay as they are."
      />
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <FilterSelect
          label="Show"
          all="Open"
          value={values.status}
          options={[
            { value: 'dismissed', label: 'Dismissed' },
            { value: 'accepted', label: 'Accepted' },
          ]}
          onChange={(value) => change({ status: value })}
        />
        <FilterSelect
          label="Kind"
          all="All"
          value={values.kind}
          options={KINDS}
          onChange={(value) => change({ kind: value as Suggestion['kind'] | undefined })}
        />
      </FilterBar>
      <Loaded query={suggestions} lines={8}>
        {({ suggestions: list, total }) => <List list={list} total={total} isFiltered={isFiltered} />}
      </Loaded>
    </>
  );
}

function List({ list, total, isFiltered }: { list: readonly Suggestion[]; total: number; isFiltered: boolean }) {
  const shown = useShown('suggestions', AT_ONCE);
  if (list.length === 0) {
    return (
      <EmptyState
        icon={GitCompareArrows}
        title={isFiltered ? 'No suggestion matches the filters' : 'Nothing to decide'}
      >
        {isFiltered
          ? 'Clear the filters to see what is open.'
          : 'When a bank sends something that looks like what you already have, you are asked here.'}
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="space-y-6">
        {list.slice(0, shown.limit).map((one) => (
          <li key={one.id}>
            {one.kind === 'same_account' ? (
              <SameAccount suggestion={one} />
            ) : (
              <SameTransaction suggestion={one} alikeCount={alikeOf(one, list)} />
            )}
          </li>
        ))}
      </ul>
      {list.length > shown.limit && <ShowMore shown={shown} count={list.length} busy={false} beyond="" />}
      {total > list.length && list.length <= shown.limit && (
        <p className="mt-4 text-muted">
          The newest {inDigits(list.length)} of {inDigits(total)} are shown.
        </p>
      )}
    </>
  );
}

/** How many others are decided together with it: of the same kind and account, with one candidate. */
function alikeOf(suggestion: Suggestion, list: readonly Suggestion[]): number {
  return list.filter(
    (one) =>
      one.id !== suggestion.id &&
      one.status === 'open' &&
      one.kind === suggestion.kind &&
      one.account_id === suggestion.account_id &&
      one.candidates.length === 1,
  ).length;
}
