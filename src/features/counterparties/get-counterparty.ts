import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getCounterparty as operation } from './counterparties.contract.ts';
import { findCounterparty } from './counterparties.queries.ts';
import { counterpartyDetail } from './counterparty-detail.ts';

export const getCounterparty = handleRead(operation, async ({ tx }, { params }) => {
  const row = await findCounterparty(tx, params.id);
  if (!row) throw notFound('The counterparty was');
  return counterpartyDetail(tx, row);
});
