import { z } from 'zod';

import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { calculate } from '../../lib/arithmetic.ts';
import { dayIn } from '../../lib/days.ts';

/** An amount as people type it, also as a calculation; `decimalOf` gives the form of the API. */
export const Entered = z.string().refine((text) => calculate(text) !== undefined, 'must be an amount such as 12.50');

export function decimalOf(entered: string): string {
  return calculate(entered) ?? entered;
}

/** The day it is in the household; empty until that is known. */
export function useToday(): string {
  const { data } = useApiQuery(getOverview, {}, { staleTime: 60_000 });
  return data === undefined ? '' : dayIn(data.timezone, data.as_of);
}
