import { useState } from 'react';

import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { nameOf, TransactionRow, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { inWords } from '../../lib/days.ts';
import { inDigits } from '../../lib/numbers.ts';
import type { Group } from './review-words.ts';

/** Each asks for a transaction of its own: hundreds at once would be refused as too many requests. */
const AT_ONCE = 20;

interface GroupRowsProps {
  group: Group;
  left: ReadonlySet<string>;
  onTick: (id: string, isTicked: boolean) => void;
}

/** The rows that a decision is about, each ticked unless it was taken out. */
export function GroupRows({ group, left, onTick }: GroupRowsProps) {
  const [limit, setLimit] = useState(AT_ONCE);
  const { transaction_ids: ids, sample } = group;
  const known = new Map(sample.map((row) => [row.id, row]));
  const ticked = ids.length - left.size;
  return (
    <div className="border-t border-line px-3 py-1">
      <ul aria-label={`Rows of ${group.label}`} className="divide-y divide-line">
        {ids.slice(0, limit).map((id) => (
          <li key={id}>
            <Row id={id} known={known.get(id)} isTicked={!left.has(id)} onTick={(isTicked) => onTick(id, isTicked)} />
          </li>
        ))}
      </ul>
      {(ids.length > limit || left.size > 0) && (
        <p className="flex flex-wrap items-center gap-3 py-1 text-sm text-muted">
          {left.size > 0 && (
            <span>
              {inDigits(ticked)} of {inDigits(ids.length)} ticked
            </span>
          )}
          {ids.length > limit && (
            <Button look="quiet" onClick={() => setLimit(limit + AT_ONCE)}>
              Show more of {inDigits(ids.length)}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

interface RowProps {
  id: string;
  known: TransactionRecord | undefined;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}

function Row({ id, known, isTicked, onTick }: RowProps) {
  const { data = known } = useApiQuery(getTransaction, { params: { id } }, { enabled: known === undefined });
  if (!data) return <div className="min-h-11" />;
  return (
    <TransactionRow
      transaction={data}
      withDate
      leading={
        <label className="grid size-6 place-items-center pointer-coarse:size-11">
          <input
            type="checkbox"
            checked={isTicked}
            aria-label={`${nameOf(data)}, ${inWords(data.date ?? '')}`}
            onChange={(event) => onTick(event.currentTarget.checked)}
            className="size-5 accent-accent"
          />
        </label>
      }
    />
  );
}
