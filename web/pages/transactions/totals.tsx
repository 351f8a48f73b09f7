import { Money } from '../../components/money.tsx';
import type { Total } from './months.ts';

/** What went out and came in, one line per currency. */
export function TotalsInWords({ totals }: { totals: readonly Total[] }) {
  return (
    <ul className="flex flex-col items-end gap-0.5">
      {totals.map(({ iso_currency_code: currency, money_out: out, money_in: into }) => (
        <li key={currency ?? ''} className="flex gap-4 whitespace-nowrap tabular-nums max-sm:gap-2">
          {!isZero(into) && <Money amount={`-${into}`} currency={currency} />}
          {(!isZero(out) || isZero(into)) && <Money amount={out} currency={currency} />}
        </li>
      ))}
    </ul>
  );
}

/** What a day adds up to: on one line, but each currency by itself. */
export function DayTotals({ totals }: { totals: readonly Total[] }) {
  return (
    <span className="flex min-w-0 gap-3 overflow-hidden tabular-nums">
      {totals.map(({ iso_currency_code: currency, total_amount: total }) => (
        <Money key={currency ?? ''} amount={total} currency={currency} />
      ))}
    </span>
  );
}

function isZero(amount: string): boolean {
  return /^-?0+(\.0+)?$/.test(amount);
}
