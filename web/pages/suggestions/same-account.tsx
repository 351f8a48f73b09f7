import { useState } from 'react';

import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { OPTION } from '../../components/option-look.ts';
import { Section } from '../../components/page-header.tsx';
import { Status } from '../../components/status.tsx';
import { PROVIDER_NAMES } from '../connections/connection-words.ts';
import type { Suggestion } from './suggestions-page.tsx';
import { useDecisions } from './use-decisions.ts';

type Candidate = Suggestion['accounts'][number];

/** Two accounts that may be one, with how many of their rows agree. */
export function SameAccount({ suggestion }: { suggestion: Suggestion }) {
  const { accounts, account_id: newerId } = suggestion;
  const [chosen, choose] = useState(accounts[0]?.account_id);
  const all = useApiQuery(listAccounts, { query: { include_disconnected: 'true' } });
  const newer = all.data?.find(({ id }) => id === newerId);
  const candidate = accounts.find(({ account_id: id }) => id === chosen);
  return (
    <Section title={`Is ${newer?.display_name ?? newer?.name ?? 'the new account'} an account that you already have?`}>
      <fieldset className="min-w-0">
        <legend className="mb-2 text-sm font-semibold text-muted">It may be</legend>
        {accounts.map((one) => (
          <label key={one.account_id} className={`${OPTION} grid grid-cols-[auto_minmax(0,1fr)] gap-x-3`}>
            <input
              type="radio"
              name={suggestion.id}
              checked={one.account_id === chosen}
              onChange={() => choose(one.account_id)}
              className="mt-0.5 size-5 accent-accent"
            />
            <bdi className="font-medium wrap-anywhere">{one.account_name}</bdi>
            <span className="col-start-2 text-sm text-muted">
              {PROVIDER_NAMES[one.provider]} · {agreement(one)}
            </span>
          </label>
        ))}
      </fieldset>
      <Decision suggestion={suggestion} candidate={candidate} />
    </Section>
  );
}

function agreement({ pair_count: pairs, overlap_count: overlap }: Candidate): string {
  if (overlap === 0) return 'no days in common, so the transactions cannot be compared';
  return `${pairs} of ${overlap} transactions on common days match`;
}

function Decision({ suggestion, candidate }: { suggestion: Suggestion; candidate: Candidate | undefined }) {
  const right = useReasonAgainst('full_access');
  const isJoin = candidate?.provider === 'csv';
  const { accept, dismiss, isBusy, error } = useDecisions(suggestion, isJoin ? 'Joined into one account' : 'Accepted');
  if (suggestion.status === 'accepted') return <Status tone="success">Accepted</Status>;
  const choice = candidate === undefined ? {} : { account_id: candidate.account_id };
  return (
    <>
      {error !== null && <ErrorBanner error={error} />}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" busy={isBusy} disabledReason={right} onClick={() => accept(choice)}>
          It is the same account
        </Button>
        {suggestion.status === 'open' && (
          <Button busy={isBusy} disabledReason={right} onClick={() => dismiss()}>
            Another account
          </Button>
        )}
      </div>
      <p className="mt-2 text-sm text-muted">
        {isJoin
          ? 'The two become one: every transaction once, with your categories, tags and comments. It can be undone.'
          : 'If both are connected to banks, both stay, and the newer one no longer counts in totals. Otherwise the two become one. It can be undone.'}
      </p>
    </>
  );
}
