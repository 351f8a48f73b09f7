import { useNavigate } from '@tanstack/react-router';
import { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getOverview } from '../../../src/features/overview/overview.contract.ts';
import type { Period } from '../../components/chart/balance-chart.tsx';
import { usePageSearch } from '../../lib/page-link.tsx';

export type Overview = OutputOf<typeof getOverview>;

/** What every chart of the page is about. */
export interface ChartProps {
  overview: Overview;
  currency: string | null;
  userId: string | undefined;
}

const PERIODS = ['1m', '3m', '12m', 'all'] as const satisfies readonly Period[];

const Search = z.object({
  user_id: z.string(),
  period: z.enum(PERIODS),
  currency: z.string(),
});

interface View {
  user_id?: string | undefined;
  period?: Period | undefined;
  currency?: string | undefined;
}

/** Whose money, over what time, in which currency: kept in the address, so that it can be shared and Back works. */
export function useView(): [View, (change: View) => void] {
  const view = usePageSearch(Search);
  const navigate = useNavigate();
  const change = (next: View): void => {
    const search = Object.fromEntries(Object.entries({ ...view, ...next }).filter(([, value]) => value !== undefined));
    void navigate({ to: '/', search } as unknown as Parameters<typeof navigate>[0]);
  };
  return [view, change];
}

/** The part of a query that asks about one member only. */
export function ofMember(userId: string | undefined): { user_id?: string } {
  return userId === undefined ? {} : { user_id: userId };
}

interface EarlierQuery {
  queryKey: readonly unknown[];
}

/** Old figures stay while new ones for the same member load; those of another member disappear at once. */
export function keepFiguresOf(userId: string | undefined) {
  return <T>(earlier: T | undefined, query: EarlierQuery | undefined): T | undefined => {
    const input = query?.queryKey[1] as { query?: { user_id?: string } } | undefined;
    return input?.query?.user_id === userId ? earlier : undefined;
  };
}

/** A currency in the address and in keys; the API has null for none. */
export const NO_CURRENCY = 'none';

export function currencyName(code: string | null): string {
  return code ?? 'No currency';
}

/** The currency of most accounts first. */
export function balancesInOrder({ balances }: Overview): Overview['balances'] {
  return balances.toSorted((a, b) => b.account_count - a.account_count);
}

/** The currencies of balances, then those in which something moved though no balance is known; the charts begin with the first. */
export function currenciesOf(overview: Overview, totals: readonly Total[]): (string | null)[] {
  const moved = totals.toSorted((a, b) => b.transaction_count - a.transaction_count);
  const all = [...balancesInOrder(overview), ...moved].map(({ iso_currency_code: code }) => code);
  return [...new Set(all)];
}

interface Total {
  iso_currency_code: string | null;
  transaction_count: number;
}
