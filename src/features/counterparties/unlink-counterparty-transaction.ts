import { notFound } from '../../kernel/errors.ts';
import { unlinkTransaction } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { unlinkCounterpartyTransaction as operation } from './counterparties.contract.ts';
import { findCounterparty } from './counterparties.queries.ts';
import { counterpartyDetail } from './counterparty-detail.ts';

export const unlinkCounterpartyTransaction = handleWrite(
  operation,
  'counterparty.unlink',
  async ({ tx, principal }, { params }) => {
    const row = await findCounterparty(tx, params.id);
    if (!row) throw notFound('The counterparty was');
    await unlinkTransaction({ tx, principal }, { binding: 'counterparty', id: row.id }, params.txid);
    tx.journal.summarise(`Detached a transaction from ${row.name}`);
    return counterpartyDetail(tx, row);
  },
);
