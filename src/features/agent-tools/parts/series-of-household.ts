import { z } from 'zod';

import { CurrencyCode, Money } from '../../../contract/common.ts';
import { formatCents } from '../../../kernel/money.ts';
import { compareCodePoints } from '../../../kernel/fold.ts';
import type { ReadContext } from '../../handler.ts';
import { readSeries, type SeriesReading } from '../../series/index.ts';
import { listSeries, type SeriesType } from '../../series/series.contract.ts';
import { callOperation } from '../call-operation.ts';

/** A series with what its transactions say. */
export interface HouseholdSeries {
  id: string;
  short_id: string;
  name: string;
  type: z.output<typeof SeriesType>;
  created_at: string;
  updated_at: string;
  reading: SeriesReading;
}

/** Which series, by name and type. */
interface Wanted {
  type?: string | undefined;
  search?: string | undefined;
}

/** All series, or some, in the order of their names. */
export async function seriesOfHousehold(context: ReadContext, wanted: Wanted = {}): Promise<HouseholdSeries[]> {
  const { tx, instance } = context;
  const { series } = await callOperation(context, listSeries, { query: { ...wanted } });
  const ids = series.map(({ id }) => id);
  const readings = await readSeries(tx, instance.clock, ids);
  return series.map((one) => ({ ...one, reading: readings.get(one.id) as SeriesReading }));
}

export const YearlyTotal = z.object({
  iso_currency_code: CurrencyCode.nullable(),
  direction: z.enum(['out', 'in']),
  series_count: z.int(),
  yearly_cost: Money,
});

/** What those that go on cost or bring in a year, per currency and direction. */
export function yearlyTotals(all: readonly HouseholdSeries[]): z.input<typeof YearlyTotal>[] {
  const going = all.filter(({ reading }) => reading.status !== 'ended' && reading.rhythm.yearlyCents !== null);
  const groups = Map.groupBy(
    going,
    ({ reading: { rhythm } }) => `${rhythm.last?.currency ?? '\u{10ffff}'} ${rhythm.direction}`,
  );
  return [...groups]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([, group]) => {
      const [{ direction, last }] = group.map(({ reading }) => reading.rhythm) as [SeriesReading['rhythm']];
      const cents = group.reduce((sum, { reading }) => sum + BigInt(reading.rhythm.yearlyCents ?? 0), 0n);
      return {
        iso_currency_code: last?.currency ?? null,
        direction,
        series_count: group.length,
        yearly_cost: formatCents(cents),
      };
    });
}
