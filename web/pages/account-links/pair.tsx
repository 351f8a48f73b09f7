import { Check, X } from 'lucide-react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listLinkMatches } from '../../../src/features/account-links/account-links.contract.ts';
import { confirmMatch, rejectMatch } from '../../../src/features/transaction-matches/transaction-matches.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { TransactionRow } from '../../components/transaction/transaction-row.tsx';

export type Match = OutputOf<typeof listLinkMatches>['matches'][number];

/** Rows that the keys j and k go through. */
export const PAIR = 'data-pair';
/** The buttons that the keys y and n press. */
export const DECISION = 'data-decision';

const AGREEMENTS: Readonly<Record<string, string>> = {
  merchant_name: 'same merchant',
  name: 'same text',
  manual: 'paired by hand',
};

/** What agrees: "same amount · 1 day apart · same merchant". */
export function agreementInWords({
  matched_on: on,
  date_distance_days: days,
}: {
  matched_on: readonly string[];
  date_distance_days: number;
}): string {
  const dates = days === 0 ? 'same day' : days === 1 ? '1 day apart' : `${days} days apart`;
  const texts = on.flatMap((one) => AGREEMENTS[one] ?? []);
  return [...(on.includes('amount') ? ['same amount'] : []), dates, ...texts].join(' · ');
}

/** Two rows that are one purchase, side by side, with what agrees and the decision about it. */
export function PairRow({ match }: { match: Match }) {
  const right = useReasonAgainst('full_access');
  const confirm = useApiWrite(confirmMatch, { undo: 'Pair confirmed' });
  const reject = useApiWrite(rejectMatch, { undo: 'Pair rejected' });
  const call = { params: { id: match.id }, body: {} };
  const error = confirm.error ?? reject.error;
  return (
    <li
      {...{ [PAIR]: match.id }}
      tabIndex={-1}
      aria-label={`${match.primary.name}, ${match.primary.date}`}
      className="py-3 xl:grid xl:grid-cols-[minmax(0,1fr)_auto] xl:items-center xl:gap-x-6"
    >
      {error !== null && <ErrorBanner error={error} />}
      <div className="grid gap-x-6 gap-y-1 md:grid-cols-2 xl:col-start-1">
        <Side title="Primary" id={match.primary_transaction_id} side={match.primary} />
        <Side title="Copy" id={match.dependent_transaction_id} side={match.dependent} />
      </div>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 xl:mt-0 xl:w-64 xl:justify-end">
        <p className="text-xs text-muted xl:text-right">{agreementInWords(match)}</p>
        <div className="flex flex-wrap gap-2">
          {match.confidence !== 'confirmed' && (
            <Button
              {...{ [DECISION]: 'confirm' }}
              icon={Check}
              busy={confirm.isPending}
              disabledReason={right}
              onClick={() => confirm.mutate(call)}
            >
              Confirm
            </Button>
          )}
          {match.confidence !== 'rejected' && (
            <Button
              {...{ [DECISION]: 'reject' }}
              icon={X}
              busy={reject.isPending}
              disabledReason={right}
              onClick={() => reject.mutate(call)}
            >
              Reject
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

/** The bank's own text, where the row is named by its merchant. */
function textOf({ merchant_name: merchant, name }: Match['primary']): string | undefined {
  return merchant === null || merchant === name ? undefined : name;
}

function Side({ title, id, side }: { title: string; id: string; side: Match['primary'] }) {
  return (
    <div className="min-w-0">
      <h3 className="text-xs font-semibold text-muted">{title}</h3>
      <TransactionRow transaction={{ ...side, id, short_id: id }} density="comfortable" withDate note={textOf(side)} />
    </div>
  );
}
