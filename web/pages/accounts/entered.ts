import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { dayIn } from '../../lib/days.ts';

/** An amount as people write it, with a comma or a point, as the API takes it. */
export function decimalOf(entered: unknown): string {
  return String(entered ?? '')
    .trim()
    .replace(',', '.');
}

/** The day it is in the household; empty until that is known. */
export function useToday(): string {
  const { data } = useApiQuery(getOverview, {}, { staleTime: 60_000 });
  return data === undefined ? '' : dayIn(data.timezone, data.as_of);
}
