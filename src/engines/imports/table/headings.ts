import { beginsWithSum } from '../lexicon/balances.ts';
import { monthOf } from '../lexicon/month-names.ts';
import { headingStatus } from '../lexicon/statuses.ts';

/** What the one filled cell of a record says about the rows below it; any heading but a month or a sum ends a part. */
export function headingIn(cells: readonly string[]): number | undefined {
  const [only, ...others] = cells.filter((cell) => cell.trim() !== '');
  if (only === undefined || others.length > 0) return undefined;
  const status = headingStatus(only);
  const isHeading = only === cells[0] && !/\d/.test(only) && !beginsWithSum(only) && monthOf(only.trim()) === 0;
  return status ?? (isHeading ? 0 : undefined);
}
