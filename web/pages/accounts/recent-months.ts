import { addMonths, monthOf } from '../../lib/days.ts';
import { useToday } from './entered.ts';

const MONTHS = 12;

/** All rows of an account, also of one that totals leave out. */
export const WHOLE_ACCOUNT = { excluded_accounts: 'include', dependent_accounts: 'include' } as const;

interface RecentMonths {
  /** `YYYY-MM`, the oldest first. */
  months: readonly string[];
  dates: { date_from: string; date_to: string };
}

/** The last twelve months, the present one included; undefined until the day is known. */
export function useRecentMonths(): RecentMonths | undefined {
  const today = useToday();
  if (today === '') return undefined;
  const months = Array.from({ length: MONTHS }, (_, index) => monthOf(addMonths(today, index + 1 - MONTHS)));
  return { months, dates: { date_from: `${months[0]}-01`, date_to: today } };
}
