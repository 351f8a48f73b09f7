import { notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { changeCounterparty } from './change-counterparty.ts';
import { updateCounterparty as operation } from './counterparties.contract.ts';
import { findCounterparty } from './counterparties.queries.ts';
import type { CounterpartyFields } from './counterparties.table.ts';
import { counterpartyDetail } from './counterparty-detail.ts';
import { refuseTakenName } from './counterparty-names.ts';
import { resolveCategory } from './resolve-category.ts';

export const updateCounterparty = handleWrite(operation, 'counterparty.update', async ({ tx }, { params, body }) => {
  const row = await findCounterparty(tx, params.id);
  if (!row) throw notFound('The counterparty was');
  const wanted = { ...body, category_id: await resolveCategory(tx, body.category_id, row.category_id) };
  if (wanted.name !== undefined) await refuseTakenName(tx, wanted.name, row.id);
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const now = await changeCounterparty(tx, row, Object.fromEntries(given) as Partial<CounterpartyFields>);
  tx.journal.summarise(`Changed the counterparty ${now.name}`);
  return counterpartyDetail(tx, now);
});
