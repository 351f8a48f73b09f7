import { z } from 'zod';

import { CounterpartyDetail } from '../../counterparties/counterparties.contract.ts';
import { name } from '../../../contract/common.ts';
import { clearArgument, withCleared } from '../parts/clear.ts';
import { LINK_ARGUMENTS, LINK_RESULT, saveAndLink } from '../parts/save-and-link.ts';
import { defineWriteTool } from '../tool.ts';

const clearable = z.string().nullable().optional();

export const saveCounterparty = defineWriteTool({
  name: 'save_counterparty',
  title: 'Create or change a counterparty',
  description:
    'With counterparty_id: changes that counterparty. With name: uses the counterparty with that name, or creates it.' +
    ' Adds and removes transactions; those of another counterparty are skipped: move them with update_transactions. ' +
    'category_id describes the counterparty and does not categorize any transaction.',
  action: 'counterparty.link',
  isProposable: true,
  isIdempotent: true,
  weight: 'heavy',
  input: {
    counterparty_id: z.string().optional(),
    name: name().optional(),
    new_name: z.string().optional().meta({ description: 'Renames the counterparty given by counterparty_id' }),
    website_url: clearable,
    logo_url: clearable,
    category_id: clearable.meta({ description: 'Id or slug' }),
    mcc: clearable.meta({ description: 'Four digits' }),
    clear: clearArgument(['website_url', 'logo_url', 'category', 'mcc']),
    ...LINK_ARGUMENTS,
  },
  output: { counterparty: CounterpartyDetail, ...LINK_RESULT },
  errors: ['CONFLICT'],
  operations: [
    'createCounterparty',
    'updateCounterparty',
    'linkCounterpartyTransactions',
    'unlinkCounterpartyTransaction',
  ],
  examples: [
    {
      arguments: { name: 'Corner Cafe', mcc: '5814', add_transaction_ids: ['Tx9kLm2P'] },
      says: 'This payment went to the corner cafe.',
    },
  ],
  run: async (context, { counterparty_id: id, name: known, new_name: newName, ...sent }) => {
    const {
      website_url,
      logo_url,
      category_id,
      mcc,
      clear,
      add_transaction_ids: add,
      remove_transaction_ids: remove,
    } = sent;
    const fields = withCleared({ website_url, logo_url, category_id, mcc }, clear, { category: ['category_id'] });
    const { record, ...done } = await saveAndLink(context, 'counterparty', {
      id,
      name: known,
      newName,
      fields,
      add,
      remove,
    });
    return { counterparty: record, ...done };
  },
});
