import type { CounterpartiesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { linkTransactions } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { linkCounterpartyTransactions as operation } from './counterparties.contract.ts';
import { findCounterparty } from './counterparties.queries.ts';
import { counterpartyDetail } from './counterparty-detail.ts';

export const linkCounterpartyTransactions = handleWrite(
  operation,
  'counterparty.link',
  async ({ tx, principal }, { params, body }) => {
    const row = await findCounterparty(tx, params.id);
    if (!row) throw notFound('The counterparty was');
    await refuseMerged(tx, row);
    const link = async () => {
      const to = { binding: 'counterparty', id: row.id } as const;
      const linkResult = await linkTransactions({ tx, principal }, to, body.transaction_ids);
      const { linked } = linkResult;
      tx.journal.summarise(`Linked ${linked === 1 ? '1 transaction' : `${linked} transactions`} to ${row.name}`);
      return { ...(await counterpartyDetail(tx, row)), link_result: linkResult };
    };
    return body.dry_run ? tx.rehearse(link) : link();
  },
);

async function refuseMerged(tx: ReadTx, row: CounterpartiesTable): Promise<void> {
  if (row.canonical_counterparty_id === null) return;
  const target = await findCounterparty(tx, row.canonical_counterparty_id);
  throw new AppError(
    'CONFLICT',
    `This counterparty is merged into ${target?.short_id}. Link the transactions to that.`,
  );
}
