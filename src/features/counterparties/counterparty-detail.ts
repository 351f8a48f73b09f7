import type { z } from 'zod';

import type { CounterpartiesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { countLiveReferring } from '../facets/index.ts';
import { totalsOfCounterparty } from '../transactions/index.ts';
import type { CounterpartyDetail } from './counterparties.contract.ts';
import { toCounterparty } from './counterparties.entity.ts';

/** The single record: a counterparty with what its linked transactions add up to (contract 10.12). */
export async function counterpartyDetail(
  tx: ReadTx,
  row: CounterpartiesTable,
): Promise<z.output<typeof CounterpartyDetail>> {
  return {
    ...toCounterparty(row),
    transaction_count: await countLiveReferring(tx, 'counterparty_id', row.id),
    totals: await totalsOfCounterparty(tx, row.id),
  };
}
