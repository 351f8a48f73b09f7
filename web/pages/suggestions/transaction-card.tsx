import { Fragment } from 'react';

import { Money } from '../../components/money.tsx';

interface TransactionCardProps {
  date: string;
  name: string;
  amount: string;
  currency: string | null;
  /** What speaks for it, or where it is. */
  notes: readonly string[];
  /** Set where there are several to choose from. */
  choice?: { name: string; isChosen: boolean; onChoose: () => void };
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** One transaction, as short as it can be told apart. */
export function TransactionCard({ date, name, amount, currency, notes, choice }: TransactionCardProps) {
  const Frame = choice ? 'label' : 'div';
  return (
    <Frame className="mb-2 flex gap-3 rounded-control border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft">
      {choice && (
        <input
          type="radio"
          name={choice.name}
          checked={choice.isChosen}
          onChange={choice.onChoose}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
      )}
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="flex flex-wrap items-baseline justify-between gap-x-4">
          <bdi className="min-w-0 font-medium">{name}</bdi>
          <Money amount={amount} currency={currency} />
        </span>
        <span className="block text-sm text-muted">
          {day.format(new Date(date))}
          {notes.map((note) => (
            <Fragment key={note}>
              {' · '}
              <bdi>{note}</bdi>
            </Fragment>
          ))}
        </span>
      </span>
    </Frame>
  );
}
