import { createCounterparty } from './create-counterparty.ts';
import { deleteCounterparty } from './delete-counterparty.ts';
import { getCounterparty } from './get-counterparty.ts';
import { linkCounterpartyTransactions } from './link-counterparty-transactions.ts';
import { listCounterparties } from './list-counterparties.ts';
import { mergeCounterparties } from './merge-counterparties.ts';
import { unlinkCounterpartyTransaction } from './unlink-counterparty-transaction.ts';
import { updateCounterparty } from './update-counterparty.ts';

export const handlers = [
  listCounterparties,
  getCounterparty,
  createCounterparty,
  updateCounterparty,
  deleteCounterparty,
  linkCounterpartyTransactions,
  unlinkCounterpartyTransaction,
  mergeCounterparties,
];

export { findCounterparty } from './counterparties.queries.ts';
export { findCounterpartyByName } from './counterparty-names.ts';
export { makeCounterparty, type NewCounterparty } from './make-counterparty.ts';
export { undo } from './undo-counterparties.ts';
