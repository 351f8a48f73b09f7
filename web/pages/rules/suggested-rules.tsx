import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { suggestRules } from '../../../src/features/rules/rule-insights.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Loaded, Skeleton } from '../../components/skeleton.tsx';
import { Badge } from '../../components/status.tsx';
import { inDigits } from '../../lib/numbers.ts';

const SuggestionList = lazy(() => import('./suggestion-list.tsx'));

/** Counting them reads the whole ledger: as often as what people choose by hand changes much. */
const FRESH = { staleTime: 60_000 } as const;
const MOST = 100;

/** Rules that the household's own choices suggest: a line above the list, which opens. */
export function SuggestedRules() {
  const right = useReasonAgainst('full_access');
  const suggested = useApiQuery(suggestRules, { body: { limit: MOST } }, { ...FRESH, enabled: right === undefined });
  const [isOpen, setOpen] = useState(false);
  const count = suggested.data?.suggestions.length;
  return (
    <details
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group mb-6 rounded-card border border-line bg-surface"
    >
      <summary className="target flex cursor-pointer list-none flex-wrap items-center gap-x-3 rounded-card px-4 py-2">
        <ChevronDown aria-hidden size={16} className="shrink-0 group-open:rotate-180" />
        <span className="font-semibold">Suggested rules</span>
        {count !== undefined && <Badge>{count === MOST ? `${inDigits(MOST)}+` : inDigits(count)}</Badge>}
        <span className="text-sm text-muted">From what you have filed by hand the same way every time</span>
      </summary>
      <div className="border-t border-line px-4 py-2">
        {right !== undefined && <p className="py-2 text-muted">{right}</p>}
        {isOpen && right === undefined && (
          <Suspense fallback={<Skeleton />}>
            <Loaded query={suggested} lines={3}>
              {({ suggestions }) => <SuggestionList suggestions={suggestions} />}
            </Loaded>
          </Suspense>
        )}
      </div>
    </details>
  );
}
