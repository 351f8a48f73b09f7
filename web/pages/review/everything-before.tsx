import { useState } from 'react';

import { bulkUpdateTransactions } from '../../../src/features/transactions/transaction-bulk.contract.ts';
import { api, messageOf } from '../../api/client.ts';
import { refresh, useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Money } from '../../components/money.tsx';
import { inWords } from '../../lib/days.ts';
import { randomId } from '../../lib/random-id.ts';
import { NEEDS_REVIEW, rowsOf } from './review-words.ts';
import type { ReviewState } from './use-review.ts';

/** A first file brings thousands of rows, of which only the newest are worth a look. */
export function EverythingBefore({ review }: { review: ReviewState }) {
  const { day, choose, matched, totals, run, isBusy, error, disabledReason } = useEverythingBefore(review);
  return (
    <section aria-label="Everything before a day" className="mb-4 rounded-card border border-line bg-sunken p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <label className="flex flex-wrap items-center gap-x-2">
          Everything before
          <input
            type="date"
            className="field target w-auto"
            value={day}
            max="9999-12-31"
            data-may-be-lost
            onChange={(event) => choose(event.currentTarget.value)}
          />
          is all right
        </label>
        <Button busy={isBusy} disabledReason={disabledReason} onClick={() => void run()}>
          {matched === 0 ? 'All right' : `Mark ${rowsOf(matched)}`}
        </Button>
        <p role="status" className="min-w-0 text-sm text-muted">
          {totals.map((total) => (
            <Moved key={total.iso_currency_code ?? ''} total={total} />
          ))}
        </p>
      </div>
      {error !== undefined && (
        <p role="alert" className="mt-2 text-danger">
          {error}
        </p>
      )}
    </section>
  );
}

function useEverythingBefore(review: ReviewState) {
  const newest = review.groups.reduce((last, { last_date: date }) => (date > last ? date : last), '');
  const [chosen, choose] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const right = useReasonAgainst('full_access');
  const day = chosen ?? (newest === '' ? '' : `${newest.slice(0, 7)}-01`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day);
  const body = { filter: { tag: [NEEDS_REVIEW], end_date: day }, changes: { tags_to_remove: [NEEDS_REVIEW] } };
  const rehearsed = useApiQuery(
    bulkUpdateTransactions,
    { body: { ...body, dry_run: true } },
    { enabled: isDay && right === undefined },
  );
  const { matched = 0, totals = [] } = rehearsed.data ?? {};
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const call = { body: { ...body, expected_count: matched } };
      const { changeSetId } = await api.send(bulkUpdateTransactions, call, { idempotencyKey: randomId() });
      const says = `Everything before ${inWords(day)}: ${rowsOf(matched)} right.`;
      review.note({ says, count: matched, changeSetIds: changeSetId === null ? [] : [changeSetId] });
      await refresh();
    } catch (failure) {
      setError(messageOf(failure));
      await rehearsed.refetch();
    } finally {
      setBusy(false);
    }
  };
  const nothing = matched === 0 ? 'Nothing new is older than this day.' : undefined;
  const refused = rehearsed.error ? messageOf(rehearsed.error) : undefined;
  const disabledReason = right ?? refused ?? nothing;
  return { day, choose, matched, totals, run, isBusy, error: error ?? refused, disabledReason };
}

interface MovedProps {
  total: { iso_currency_code: string | null; money_out: string; money_in: string };
}

/** What went out, and what came in. */
function Moved({ total: { iso_currency_code: currency, money_out: out, money_in: came } }: MovedProps) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {isSome(out) && <Money amount={out} currency={currency} />}
      {isSome(came) && <Money amount={`-${came}`} currency={currency} />}
    </span>
  );
}

function isSome(amount: string): boolean {
  return amount !== '0.00';
}
