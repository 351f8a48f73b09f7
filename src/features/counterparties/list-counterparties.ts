import { fold } from '../../kernel/fold.ts';
import { handleRead } from '../handler.ts';
import { listCounterparties as operation } from './counterparties.contract.ts';
import { selectCounterparties } from './counterparties.queries.ts';
import { toCounterparty } from './counterparties.table.ts';

export const listCounterparties = handleRead(operation, async ({ tx }, { query }) => {
  const part = fold(query.search ?? '');
  const rows = await selectCounterparties(tx, { withMerged: query.include_merged });
  return { counterparties: rows.filter((row) => row.name_folded.includes(part)).map(toCounterparty) };
});
