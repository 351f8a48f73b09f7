import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { deleteCounterparty as operation } from './counterparties.contract.ts';
import { deleteCounterpartyRow, findCounterparty } from './counterparties.queries.ts';
import { toCounterpartyFields } from './counterparties.table.ts';
import { countUses } from './counterparty-uses.ts';

export const deleteCounterparty = handleWrite(operation, 'counterparty.delete', async ({ tx }, { params }) => {
  const row = await findCounterparty(tx, params.id);
  if (!row) throw notFound('The counterparty was');
  await refuseInUse(tx, row.id);
  await deleteCounterpartyRow(tx, row.id);
  tx.journal.record({
    entityType: 'counterparty',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'delete',
    before: toCounterpartyFields(row),
    after: null,
    revertible: true,
  });
  tx.journal.summarise(`Deleted the counterparty ${row.name}`);
  return null;
});

async function refuseInUse(tx: ReadTx, id: string): Promise<void> {
  const { transactions, rules, merged } = await countUses(tx, id);
  if (transactions + rules + merged === 0) return;
  throw new AppError(
    'COUNTERPARTY_IN_USE',
    `The counterparty is in use: transactions bound to it, deleted ones included: ${transactions}; rules that refer ` +
      `to it: ${rules}; counterparties merged into it: ${merged}. Merge it into another one instead.`,
  );
}
