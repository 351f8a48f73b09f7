import { addDays, addMonths, dayNumber, isDateOnly, type DateOnly } from '../../../kernel/dates.ts';
import { fieldFault, type AppError } from '../../../kernel/errors.ts';
import type { Days } from './whole-months.ts';

interface Range {
  from: DateOnly;
  to: DateOnly;
}

/**
 * The days that are compared with others, and those others (contract 70.3). What is beyond today is in neither.
 * @param compareTo `previous_period`, `previous_year` or two dates, `2025-01-01..2025-03-31`
 * @throws VALIDATION_ERROR
 */
export function comparedDays({ dateFrom, dateTo }: Days, compareTo: string, today: DateOnly): [Range, Range] {
  if (dateFrom === undefined || dateTo === undefined) throw fault('needs date_from and date_to');
  const range = untilToday({ from: dateFrom, to: dateTo }, today);
  if (compareTo === 'previous_period') return [range, periodBefore(range)];
  if (compareTo === 'previous_year') return [range, { from: addMonths(range.from, -12), to: addMonths(range.to, -12) }];
  const [from = '', to = '', ...more] = compareTo.split('..');
  if (!isDateOnly(from) || !isDateOnly(to) || more.length > 0) {
    throw fault('must be previous_period, previous_year or two dates such as 2025-01-01..2025-03-31');
  }
  if (from > to) throw fault('must not end before it begins');
  return [range, untilToday({ from, to }, today)];
}

function untilToday({ from, to }: Range, today: DateOnly): Range {
  if (from > today) throw fault(`compares days until today, ${today}; these begin later`);
  return { from, to: to < today ? to : today };
}

/** Of whole months as many months, of the first days of a month the same days, of other days as many directly before. */
function periodBefore({ from, to }: Range): Range {
  if (!from.endsWith('-01')) return daysBefore({ from, to });
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7);
  if (addDays(to, 1).endsWith('-01')) {
    const months = monthNumber(to) - monthNumber(from) + 1;
    return { from: addMonths(from, -months), to: addDays(from, -1) };
  }
  return isOneMonth ? { from: addMonths(from, -1), to: addMonths(to, -1) } : daysBefore({ from, to });
}

function daysBefore({ from, to }: Range): Range {
  return { from: addDays(from, dayNumber(from) - dayNumber(to) - 1), to: addDays(from, -1) };
}

function monthNumber(date: DateOnly): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function fault(what: string): AppError {
  return fieldFault('compare_to', what);
}
