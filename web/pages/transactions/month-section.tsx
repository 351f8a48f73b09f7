import { ChevronRight } from 'lucide-react';
import { memo, useId } from 'react';

import { Hidden } from '../../components/button.tsx';
import { inWords } from '../../lib/days.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { OpenMonth } from './open-month.tsx';
import type { Period, Stretch } from './months.ts';
import { TotalsInWords } from './totals.tsx';

/** The heading of a month has this id with its key, so that the rail can lead to it. */
export function headingId(month: string): string {
  return `month-${month}`;
}

export interface MonthProps {
  month: Period;
  stretch: Stretch;
  /** Where the stretch begins in the list, and the month in the stretch. */
  offset: number;
  start: number;
  /** The rows of the list from its start, as far as its first page goes. */
  first: readonly TransactionRecord[];
  isOpen: boolean;
  /** Its rows are there before they have been counted. */
  isProvisional: boolean;
  onToggle: (month: string) => void;
}

/** A month: its heading with what it adds up to, and its rows while it is open. */
export const MonthSection = memo(function MonthSection(props: MonthProps) {
  const { month, isOpen, isProvisional, onToggle } = props;
  const id = useId();
  return (
    <section aria-labelledby={headingId(month.key)} className="print:break-inside-auto">
      <div className="sticky top-(--list-top,0px) z-3 flex min-h-11 flex-wrap items-center gap-x-4 border-b border-line-strong bg-canvas py-1.5 pr-2 max-sm:pr-0 print:static">
        <h2 id={headingId(month.key)} tabIndex={-1} className="scroll-mt-2 text-base font-semibold">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            className="target -my-1.5 flex items-center gap-1.5 rounded-control pr-2 hover:bg-sunken"
            onClick={() => onToggle(month.key)}
          >
            <ChevronRight
              aria-hidden
              size={16}
              className={`text-muted transition-transform ${isOpen ? 'rotate-90' : ''}`}
            />
            {inWords(`${month.key}-01`, 'month')}
            {!isProvisional && (
              <span className="text-sm font-normal text-muted tabular-nums">
                {inDigits(month.count)}
                <Hidden> {month.count === 1 ? 'transaction' : 'transactions'}</Hidden>
              </span>
            )}
          </button>
        </h2>
        <LeftOut month={month} />
        <div className="ml-auto text-sm">{month.totals && <TotalsInWords totals={month.totals} />}</div>
      </div>
      <div id={id}>{isOpen && <OpenMonth {...props} />}</div>
    </section>
  );
});

/** How many rows the totals of the heading do not have. */
function LeftOut({ month: { count, counted: some } }: { month: Period }) {
  if (some === undefined || some >= count) return null;
  return <span className="text-xs text-muted">{counted(count - some, 'row')} not in totals</span>;
}
