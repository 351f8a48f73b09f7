import { z } from 'zod';

import { DateOnly, name } from '../../../src/contract/common.ts';
import { createTransaction } from '../../../src/features/transactions/transaction-create.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { useCategories } from '../../api/lists.ts';
import { useApiWrite } from '../../api/queries.ts';
import { RadioGroup, Select } from '../../components/choice-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { TextField } from '../../components/text-fields.tsx';
import { nameOf, type Detail } from './account-words.tsx';
import { decimalOf, Entered, useToday } from './entered.ts';

const ENTERED = {
  body: z.object({
    name: name(LIMITS.transactionNameChars),
    amount: Entered.refine((text) => !decimalOf(text).startsWith('-'), 'must not be negative. Choose money in instead'),
    way: z.enum(['out', 'in']),
    date: DateOnly,
    category_id: z.string(),
    comment: z.string(),
  }),
};

/** A movement that no bank and no file brings, such as a purchase in cash. */
export function AddTransactionDialog({ account, onClose }: { account: Detail; onClose: () => void }) {
  return (
    <Dialog open title={`Add a transaction to ${nameOf(account)}`} onClose={onClose}>
      <AddTransaction account={account} onClose={onClose} />
    </Dialog>
  );
}

function AddTransaction({ account, onClose }: { account: Detail; onClose: () => void }) {
  const today = useToday();
  const categories = [...(useCategories()?.values() ?? [])].filter(({ archived }) => !archived);
  const create = useApiWrite(createTransaction, { undo: 'Transaction added', onSuccess: onClose });
  const form = useOperationForm(ENTERED, {
    defaults: { name: '', amount: '', way: 'out', date: today, category_id: '', comment: '' },
    send: ({ way, amount, category_id: category, comment, ...values }) =>
      create.mutateAsync({
        body: {
          ...values,
          account_id: account.id,
          amount: `${way === 'in' ? '-' : ''}${decimalOf(amount)}`,
          ...(category === '' ? {} : { category_id: category }),
          ...(comment.trim() === '' ? {} : { comment }),
        },
      }),
  });
  return (
    <Form form={form} submit="Add" onCancel={onClose}>
      <TextField name="name" label="What" hint="Such as Farmers’ market." autoComplete="off" autoFocus />
      <TextField
        name="amount"
        label={`Amount${account.iso_currency_code === null ? '' : ` in ${account.iso_currency_code}`}`}
        inputMode="decimal"
        autoComplete="off"
      />
      <RadioGroup
        name="way"
        label="Way"
        options={[
          { value: 'out', label: 'Money out' },
          { value: 'in', label: 'Money in' },
        ]}
      />
      <TextField name="date" label="Day" type="date" />
      <Select
        name="category_id"
        label="Category"
        options={[
          { value: '', label: 'Let the rules decide' },
          ...categories.map(({ id, name: label, parent_id: parent }) => ({
            value: id,
            label: parent === null ? label : `\u2003${label}`,
          })),
        ]}
      />
      <TextField name="comment" label="Comment" optional autoComplete="off" />
    </Form>
  );
}
