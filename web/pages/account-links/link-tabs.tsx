import { useNavigate } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';

import { listLinkMatches } from '../../../src/features/account-links/account-links.contract.ts';
import { confirmMatch } from '../../../src/features/transaction-matches/transaction-matches.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { useApiQuery, useApiWrite, refresh } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { showToast } from '../../components/toast-store.ts';
import { focusRow, usePageKeys } from '../../layout/page-keys.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { usePageSearch } from '../../lib/page-link.tsx';
import { type AccountLink } from './link-words.tsx';
import { DECISION, PAIR, PairRow, type Match } from './pair.tsx';
import { Unmatched } from './unmatched.tsx';

const AT_ONCE = 50;
const MOST = 500;
const Search = z.object({ tab: z.enum(['auto', 'confirmed', 'rejected', 'primary', 'dependent']) });

type Matches = UseQueryResult<OutputOf<typeof listLinkMatches>>;

/** What was found, what people decided, and what is left over. */
export function LinkTabs({ link }: { link: AccountLink }) {
  const { tab = 'auto' } = usePageSearch(Search);
  const navigate = useNavigate();
  const [auto, confirmed, rejected] = [
    useMatches(link, 'auto'),
    useMatches(link, 'confirmed'),
    useMatches(link, 'rejected'),
  ];
  usePageKeys({
    j: () => focusRow(PAIR, 1),
    k: () => focusRow(PAIR, -1),
    y: () => decide('confirm'),
    n: () => decide('reject'),
  });
  const none = 'Nothing to review: every match is decided, or none was found.';
  return (
    <Tabs
      label="Matches"
      value={tab}
      onChange={(next) => void navigate({ to: '.', search: { tab: next }, replace: true })}
      tabs={[
        { value: 'auto', label: `To review${countOf(auto)}`, content: <Pairs query={auto} empty={none} isOpen /> },
        {
          value: 'confirmed',
          label: `Confirmed${countOf(confirmed)}`,
          content: <Pairs query={confirmed} empty="No pair has been confirmed." />,
        },
        {
          value: 'rejected',
          label: `Rejected${countOf(rejected)}`,
          content: (
            <Pairs query={rejected} empty="No pair has been rejected. A rejected one is never proposed again." />
          ),
        },
        ...(['primary', 'dependent'] as const).map((side) => ({
          value: side,
          label: `Unmatched ${side} (${inDigits(link[`unmatched_${side}_count`])})`,
          content: <Unmatched link={link} side={side} />,
        })),
      ]}
    />
  );
}

function useMatches(link: AccountLink, confidence: Match['confidence']): Matches {
  return useApiQuery(
    listLinkMatches,
    { params: { id: link.id }, query: { confidence, limit: String(MOST) } },
    { placeholderData: (earlier) => earlier },
  );
}

function countOf({ data }: Matches): string {
  return data ? ` (${inDigits(data.matches.length)}${data.has_more ? '+' : ''})` : '';
}

/** Presses the button of the pair that has the focus. */
function decide(decision: 'confirm' | 'reject'): void {
  const pair = document.activeElement?.closest(`[${PAIR}]`);
  const button = pair?.querySelector<HTMLElement>(`[${DECISION}=${decision}]`);
  if (!button) return;
  focusRow(PAIR, 1);
  button.click();
}

interface PairsProps {
  query: Matches;
  empty: string;
  /** Whether the pairs wait for a decision. */
  isOpen?: boolean;
}

function Pairs({ query, empty, isOpen = false }: PairsProps) {
  const [limit, setLimit] = useState(AT_ONCE);
  return (
    <Loaded query={query} lines={6}>
      {({ matches }) => {
        const shown = matches.slice(0, limit);
        if (shown.length === 0) return <p className="py-6 text-muted">{empty}</p>;
        return (
          <>
            {isOpen && <ConfirmShown matches={shown} />}
            <ul className="divide-y divide-line rounded-card border border-line bg-surface px-4 py-1 sm:px-6">
              {shown.map((match) => (
                <PairRow key={match.id} match={match} />
              ))}
            </ul>
            {matches.length > limit && (
              <div className="mt-4 text-center">
                <Button onClick={() => setLimit(limit + AT_ONCE)}>Show more</Button>
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** Confirms every pair in sight, one after the other: each can be undone by itself. */
function ConfirmShown({ matches }: { matches: readonly Match[] }) {
  const right = useReasonAgainst('full_access');
  const confirm = useApiWrite(confirmMatch, { refreshes: [] });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirmAll = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      for (const { id } of matches) await confirm.mutateAsync({ params: { id }, body: {} });
      showToast(`${counted(matches.length, 'pair')} confirmed.`);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
      await refresh();
    }
  };
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
      {error !== undefined && <ErrorBanner error={error} />}
      <p className="text-sm text-muted">
        Matches count without a confirmation; a confirmed pair stays whatever else is found.
      </p>
      <Button icon={CheckCheck} busy={isBusy} disabledReason={right} onClick={() => void confirmAll()}>
        Confirm all shown ({matches.length})
      </Button>
    </div>
  );
}
