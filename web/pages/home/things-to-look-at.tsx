import { Fragment } from 'react';

import { counted } from '../../lib/numbers.ts';
import { FIGURE_LINK, PageLink } from '../../lib/page-link.tsx';
import { ofMember, type Overview } from './view.ts';

/** What waits in Review: the number beside its entry, and what it is made of. */
export function ThingsToLookAt({ backlog, userId }: { backlog: Overview['backlog']; userId: string | undefined }) {
  const parts = [
    {
      page: '/transactions',
      search: { ...ofMember(userId), tag: 'needs-review' },
      count: backlog.needs_review_count,
      words: ['to review', 'to review'],
    },
    {
      page: '/transactions',
      search: { ...ofMember(userId), flagged: 'true' },
      count: backlog.flagged_count,
      words: ['flagged', 'flagged'],
    },
    { page: '/proposals', search: {}, count: backlog.open_proposals_count, words: ['proposal', 'proposals'] },
    { page: '/suggestions', search: {}, count: backlog.open_suggestions_count, words: ['suggestion', 'suggestions'] },
  ] as const;
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return <p className="mt-3 text-muted">Nothing waits for a look.</p>;
  const words = counted(total, 'thing to look at', 'things to look at');
  return (
    <p className="mt-3">
      <span className="font-semibold">
        {userId === undefined ? (
          <PageLink to="/review" className={FIGURE_LINK}>
            {words}
          </PageLink>
        ) : (
          words
        )}
      </span>
      <span className="text-muted">
        {': '}
        {parts
          .filter(({ count }) => count > 0)
          .map(({ page, search, count, words: [one, many] }, index) => (
            <Fragment key={many}>
              {index > 0 && ', '}
              <PageLink to={page} search={search} className={FIGURE_LINK}>
                {counted(count, one, many)}
              </PageLink>
            </Fragment>
          ))}
      </span>
    </p>
  );
}
