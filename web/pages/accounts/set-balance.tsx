import { z } from 'zod';

import { DateOnly } from '../../../src/contract/common.ts';
import { setAccountBalance } from '../../../src/features/accounts/accounts-by-hand.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { inWords } from '../../lib/days.ts';
import { isOwed, nameOf, type Detail } from './account-words.tsx';
import { decimalOf, Entered, useToday } from './entered.ts';

const ENTERED = {
  body: z.object({
    date: DateOnly,
    balance_current: Entered,
  }),
};

/** The balance of a day, as the person knows it. */
export function SetBalanceDialog({ account, onClose }: { account: Detail; onClose: () => void }) {
  return (
    <Dialog open title={`Balance of ${nameOf(account)}`} onClose={onClose}>
      <SetBalance account={account} onClose={onClose} />
    </Dialog>
  );
}

function SetBalance({ account, onClose }: { account: Detail; onClose: () => void }) {
  const today = useToday();
  const set = useApiWrite(setAccountBalance, {
    undo: 'Balance stated',
    onSuccess: ({ source, date }) => {
      // What a bank or file reported for that day is not replaced.
      if (source !== 'manual') showToast(`The reported balance of ${inWords(date)} stands.`);
      onClose();
    },
  });
  const form = useOperationForm(ENTERED, {
    defaults: { date: today, balance_current: '' },
    send: ({ date, balance_current: balance }) =>
      set.mutateAsync({ params: { id: account.id, date }, body: { balance_current: decimalOf(balance) } }),
  });
  return (
    <Form form={form} submit="State the balance" onCancel={onClose}>
      <TextField name="date" label="Day" type="date" />
      <TextField
        name="balance_current"
        label={`Balance${account.iso_currency_code === null ? '' : ` in ${account.iso_currency_code}`}`}
        hint={isOwed(account) ? 'What is owed, at the end of that day.' : 'At the end of that day.'}
        inputMode="decimal"
        autoComplete="off"
        autoFocus
      />
    </Form>
  );
}
