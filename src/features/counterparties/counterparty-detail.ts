import type { z } from 'zod';

import type { CounterpartiesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { countLiveReferring } from '../facets/index.ts';
import { totalsByCounterparty, totalsOfCounterparty } from '../transactions/index.ts';
import type { CounterpartyDetail } from './counterparties.contract.ts';
import { toCounterparty } from './counterparties.entity.ts';

type Detail = z.output<typeof CounterpartyDetail>;

/** The single record: a counterparty with what its linked transactions add up to (contract 10.12). */
export async function counterpartyDetail(tx: ReadTx, row: CounterpartiesTable): Promise<Detail> {
  return {
    ...toCounterparty(row),
    transaction_count: await countLiveReferring(tx, 'counterparty_id', row.id),
    totals: await totalsOfCounterparty(tx, row.id),
  };
}

/** Single records of many counterparties. */
export async function counterpartyDetails(tx: ReadTx, rows: readonly CounterpartiesTable[]): Promise<Detail[]> {
  const found = await totalsByCounterparty(tx);
  return rows.map((row) => {
    const { transactionCount = 0, totals = [] } = found.get(row.id) ?? {};
    return { ...toCounterparty(row), transaction_count: transactionCount, totals: [...totals] };
  });
}
