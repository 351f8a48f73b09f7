import type { z } from 'zod';

import type { SeriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { formatCents } from '../../kernel/money.ts';
import { countLiveReferring } from '../facets/index.ts';
import type { SeriesDetail } from './series.contract.ts';
import { findNewestMember, selectNewestDates } from './series.queries.ts';
import { toSeries } from './series.table.ts';
import { INTERVALS, typicalInterval } from './typical-interval.ts';

/** The single record: a series with what its members tell (contract 10.11). */
export async function seriesDetail(tx: ReadTx, row: SeriesTable): Promise<z.output<typeof SeriesDetail>> {
  const newest = await findNewestMember(tx, row.id, { withPending: true });
  const posted = await findNewestMember(tx, row.id, { withPending: false });
  return {
    ...toSeries(row),
    transaction_count: await countLiveReferring(tx, 'series_id', row.id),
    last_date: newest?.date ?? null,
    last_amount: posted ? formatCents(posted.amount_cents) : null,
    last_iso_currency_code: posted?.iso_currency_code ?? null,
    typical_interval_days: typicalInterval(await selectNewestDates(tx, row.id, INTERVALS + 1)),
  };
}
