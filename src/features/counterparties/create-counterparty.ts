import { linkTransactions } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { createCounterparty as operation } from './counterparties.contract.ts';
import { counterpartyDetail } from './counterparty-detail.ts';
import { makeCounterparty } from './make-counterparty.ts';
import { resolveCategory } from './resolve-category.ts';

export const createCounterparty = handleWrite(operation, 'counterparty.create', async ({ tx, principal }, { body }) => {
  const { transaction_ids: transactionIds, ...fields } = body;
  const categoryId = await resolveCategory(tx, body.category_id, null);
  const row = await makeCounterparty(tx, { ...fields, category_id: categoryId ?? null });
  tx.journal.summarise(`Added the counterparty ${row.name}`);
  if (!transactionIds) return counterpartyDetail(tx, row);
  const to = { binding: 'counterparty', id: row.id } as const;
  const linkResult = await linkTransactions({ tx, principal }, to, transactionIds);
  return { ...(await counterpartyDetail(tx, row)), link_result: linkResult };
});
