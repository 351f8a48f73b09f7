import { inWords } from '../../lib/days.ts';
import { counted } from '../../lib/numbers.ts';
import type { Period } from './months.ts';

interface MonthRailProps {
  months: readonly Period[];
  /** The month at the top of the screen. */
  current: string | undefined;
  onGo: (month: string) => void;
}

/** Every month one click away, by year; on small screens a list to choose from. */
export function MonthRail({ months, current, onGo }: MonthRailProps) {
  const years = Map.groupBy(months, ({ key }) => key.slice(0, 4));
  return (
    <nav
      aria-label="Months"
      className="sticky top-0 max-h-dvh w-40 shrink-0 self-start overflow-y-auto py-3 max-lg:hidden print:hidden"
    >
      {[...years].map(([year, own]) => (
        <div key={year} className="mb-3">
          <p className="px-2 pb-1 text-xs font-semibold text-muted">{year}</p>
          <ul className="grid grid-cols-3">
            {own.toReversed().map(({ key, count }) => (
              <li key={key}>
                <a
                  href={`#${key}`}
                  aria-current={key === current ? 'true' : undefined}
                  title={counted(count, 'transaction')}
                  className="grid min-h-7 place-items-center rounded-control text-sm text-muted hover:bg-sunken hover:text-ink aria-current:bg-accent-soft aria-current:font-semibold aria-current:text-accent-strong"
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    onGo(key);
                  }}
                >
                  <span aria-hidden>{inWords(`${key}-01`, 'shortMonth')}</span>
                  <span className="sr-only">
                    {inWords(`${key}-01`, 'month')}, {counted(count, 'transaction')}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The same on small screens. */
export function MonthSelect({ months, current, onGo }: MonthRailProps) {
  return (
    <label className="block lg:hidden print:hidden">
      <span className="sr-only">Go to month</span>
      <select className="field target" value={current ?? ''} onChange={(event) => onGo(event.currentTarget.value)}>
        {current === undefined && <option value="">Go to month</option>}
        {months.map(({ key, count }) => (
          <option key={key} value={key}>
            {inWords(`${key}-01`, 'month')} ({count})
          </option>
        ))}
      </select>
    </label>
  );
}
