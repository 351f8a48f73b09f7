import { CircleCheckBig, Undo2 } from 'lucide-react';
import { z } from 'zod';

import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { optionsOf, useFilters } from '../../components/filters.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { EverythingBefore } from './everything-before.tsx';
import { ReviewGroup } from './review-group.tsx';
import { REASON_WORDS, reasonsInWords, rowsOf, type Reason } from './review-words.ts';
import { useReview, type Done, type ReviewState } from './use-review.ts';
import { useReviewKeys } from './use-review-keys.ts';

const Search = z.object({ reason: z.enum(['needs_review', 'uncategorized', 'flagged']) });
/** So many that nobody wants to go through them group by group. */
const MANY_ROWS = 200;

const REASONS = [{ value: 'all' as const, label: 'All' }, ...optionsOf(REASON_WORDS, (label) => label)];

/** What waits for a look, in groups of the same kind: one decision for all rows of one. */
export default function ReviewPage() {
  const { values, change, isFiltered } = useFilters('/review', Search);
  const review = useReview(values);
  return (
    <>
      <PageHeader
        title="Review"
        lead="What is new, has no category or is flagged, in groups of the same kind."
        actions={<UndoButton review={review} />}
      />
      <div className="mb-3">
        <Segmented<Reason | 'all'>
          label="Why it waits"
          value={values.reason ?? 'all'}
          options={REASONS}
          onChange={(reason) => change({ reason: reason === 'all' ? undefined : reason })}
        />
      </div>
      <Loaded query={review.query} lines={8}>
        {() => <Queue review={review} isFiltered={isFiltered} />}
      </Loaded>
    </>
  );
}

function UndoButton({ review: { done, isUndoing, undo } }: { review: ReviewState }) {
  if (done.length === 0) return null;
  return (
    <Button icon={Undo2} busy={isUndoing} onClick={undo} aria-keyshortcuts="z">
      Undo <kbd className="font-mono text-xs text-muted">z</kbd>
    </Button>
  );
}

interface QueueProps {
  review: ReviewState;
  isFiltered: boolean;
}

function Queue({ review, isFiltered }: QueueProps) {
  const { query, groups, current, left, done, notice } = review;
  const actions = useReviewKeys(review);
  const newRows = query.data?.total_rows.needs_review ?? 0;
  const beyond = (query.data?.total_groups ?? 0) - (query.data?.groups.length ?? 0);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        {left > 0 && (
          <p>
            <strong className="font-serif text-2xl font-semibold tabular-nums">{inDigits(left)}</strong>{' '}
            <span className="text-muted">
              {left === 1 ? 'row' : 'rows'} to look at
              {query.data && done.length === 0 && `: ${reasonsInWords(query.data.total_rows)}`}
            </span>
          </p>
        )}
        <p
          role={notice.isWarning ? 'alert' : 'status'}
          className={`min-w-0 wrap-anywhere sm:min-h-6 ${notice.isWarning ? 'text-warning' : 'text-muted'}`}
        >
          {notice.text}
        </p>
      </div>
      {newRows > MANY_ROWS && <EverythingBefore review={review} />}
      {groups.length === 0 && left <= 0 && <AllDone done={done} isFiltered={isFiltered} />}
      <ol aria-label="Groups" className="space-y-1">
        {groups.map((group) => (
          <ReviewGroup
            key={group.key}
            group={group}
            isCurrent={group.key === current?.key}
            actions={actions}
            onShow={() => review.show(group.key)}
          />
        ))}
      </ol>
      {beyond > 0 && groups.length > 0 && (
        <p className="mt-4 text-muted max-sm:hidden">{counted(beyond, 'more group follows', 'more groups follow')}.</p>
      )}
    </>
  );
}

function AllDone({ done, isFiltered }: { done: readonly Done[]; isFiltered: boolean }) {
  if (done.length === 0) {
    return (
      <EmptyState icon={CircleCheckBig} title="Nothing to look at">
        {isFiltered
          ? 'Nothing waits for this reason.'
          : 'What a bank or file brings, and what rules leave without category, waits here for a look.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={CircleCheckBig}
      title="All looked at"
      action={
        <PageLink to="/" className={LINK}>
          Home
        </PageLink>
      }
    >
      {summaryOf(done)}
    </EmptyState>
  );
}

/** "12 groups with 230 rows. Categories given: Groceries (40), Coffee Shops (3)." */
function summaryOf(done: readonly Done[]): string {
  const rows = done.reduce((sum, { count }) => sum + count, 0);
  const given = new Map<string, number>();
  for (const { category, count } of done) {
    if (category !== undefined) given.set(category, (given.get(category) ?? 0) + count);
  }
  const rules = done.filter(({ hasRule }) => hasRule === true).length;
  const categories = [...given].toSorted((one, other) => other[1] - one[1]);
  const named = categories.map(([name, count]) => `${name} (${inDigits(count)})`).join(', ');
  return [
    `${counted(done.length, 'decision')} about ${rowsOf(rows)}.`,
    ...(named === '' ? [] : [`Categories given: ${named}.`]),
    ...(rules === 0 ? [] : [`${counted(rules, 'rule')} made.`]),
  ].join(' ');
}
