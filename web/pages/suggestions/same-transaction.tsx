import { useState } from 'react';

import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { OPTION } from '../../components/option-look.ts';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { TransactionRow, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { inDigits } from '../../lib/numbers.ts';
import type { Suggestion } from './suggestions-page.tsx';
import { useDecisions } from './use-decisions.ts';

const TITLES = {
  pending_posted: 'Is this the posted version of a pending transaction?',
  possible_duplicate: 'Are these the same transaction?',
} as const;

const REASONS: Readonly<Record<string, string>> = {
  same_amount: 'same amount',
  tip_amount: 'the amount fits with a tip',
  hold: 'the first amount may have been a hold',
  compatible_name: 'the names match',
  close_date: 'the dates are close',
  provider_link: 'the provider says so',
};

/** What speaks for it: "Same amount, the names match". */
function reasonsInWords({ reasons, is_deleted: isDeleted }: Suggestion['candidates'][number]): string {
  const words = reasons.map((reason) => REASONS[reason] ?? reason);
  const text = [...words, ...(isDeleted ? ['deleted, and would come back'] : [])].join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface SameTransactionProps {
  suggestion: Suggestion;
  alikeCount: number;
}

/** The new row and what it may be, side by side, with what speaks for it. */
export function SameTransaction({ suggestion, alikeCount }: SameTransactionProps) {
  const { candidates, transaction_id: newerId, kind } = suggestion;
  const [chosen, choose] = useState(candidates[0]?.transaction_id);
  const newer = useApiQuery(
    getTransaction,
    { params: { id: newerId ?? '' }, query: { include_deleted: 'true' } },
    { enabled: newerId !== null },
  );
  return (
    <Section title={TITLES[kind === 'pending_posted' ? kind : 'possible_duplicate']}>
      <div className="grid gap-4 md:grid-cols-2">
        <div>
          <h3 className="mb-2 text-sm font-semibold text-muted">New from the bank</h3>
          <Loaded query={newer} lines={3}>
            {(row) => <TransactionRow transaction={row} density="comfortable" withDate />}
          </Loaded>
        </div>
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-semibold text-muted">Already here</legend>
          {candidates.map((one) => (
            <div key={one.transaction_id} className={candidates.length > 1 ? `${OPTION} py-0` : ''}>
              <TransactionRow
                transaction={recordOf(one)}
                density="comfortable"
                withDate
                leading={
                  candidates.length > 1 ? (
                    <input
                      type="radio"
                      name={suggestion.id}
                      aria-label={`It is ${one.name}`}
                      checked={one.transaction_id === chosen}
                      onChange={() => choose(one.transaction_id)}
                      className="block size-5 accent-accent"
                    />
                  ) : undefined
                }
              />
              <p className={`text-sm text-muted ${candidates.length > 1 ? 'pb-2 pl-8' : ''}`}>{reasonsInWords(one)}</p>
            </div>
          ))}
        </fieldset>
      </div>
      <Decision suggestion={suggestion} chosen={chosen} alikeCount={alikeCount} />
    </Section>
  );
}

function Decision({ suggestion, chosen, alikeCount }: SameTransactionProps & { chosen: string | undefined }) {
  const right = useReasonAgainst('full_access');
  const { accept, dismiss, isBusy, error } = useDecisions(suggestion, 'Joined into one transaction');
  const choice = chosen === undefined ? {} : { transaction_id: chosen };
  const { status, candidates } = suggestion;
  if (status === 'accepted') return <p className="mt-4">{<Status tone="success">Joined into one</Status>}</p>;
  const isOpen = status === 'open';
  const withAlike = isOpen && alikeCount > 0 && candidates.length === 1;
  return (
    <div className="mt-4">
      {error !== null && <ErrorBanner error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={isBusy} disabledReason={right} onClick={() => accept(choice)}>
          The same: make it one
        </Button>
        {isOpen && (
          <Button busy={isBusy} disabledReason={right} onClick={() => dismiss()}>
            Not the same
          </Button>
        )}
        {withAlike && (
          <Button look="quiet" busy={isBusy} disabledReason={right} onClick={() => accept(choice, true)}>
            The same, and {alikeCount === 1 ? 'one more' : `${inDigits(alikeCount)} more`} like it
          </Button>
        )}
        {withAlike && (
          <Button look="quiet" busy={isBusy} disabledReason={right} onClick={() => dismiss(true)}>
            None of these {inDigits(alikeCount + 1)}
          </Button>
        )}
      </div>
      <p className="mt-2 text-sm text-muted">
        The existing transaction keeps its category, tags and comments, and takes the bank’s newest amount. You can undo
        this.
      </p>
    </div>
  );
}

/** A candidate says less of itself than a transaction. */
function recordOf(candidate: Suggestion['candidates'][number]): TransactionRecord {
  const { transaction_id: id, date, name, amount, iso_currency_code } = candidate;
  return { id, short_id: id, date, name, amount, iso_currency_code };
}
