import { useNavigate } from '@tanstack/react-router';
import { z } from 'zod';

import { DateOnly, name } from '../../../src/contract/common.ts';
import { createAccount } from '../../../src/features/accounts/accounts-by-hand.contract.ts';
import { useAccounts, useMembers } from '../../api/lists.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Select } from '../../components/choice-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-fields.tsx';
import { decimalOf, Entered, useToday } from './entered.ts';
import { TYPE_OPTIONS } from './account-words.tsx';

/** What a form holds is text, as people write it. */
const ENTERED = {
  body: z.object({
    name: name(),
    type: z.string(),
    iso_currency_code: z
      .string()
      .trim()
      .regex(/^[A-Za-z]{3}$/, 'must be three letters, such as EUR'),
    user_id: z.string().min(1, 'choose a member'),
    opening_balance: z.literal('').or(Entered),
    opening_date: DateOnly,
  }),
};

/** An account that no bank feeds: a wallet, a loan, or one whose files come later. */
export function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const [members, accounts, today] = [useMembers(), useAccounts(), useToday()];
  return (
    <Dialog open title="New account" onClose={onClose}>
      {members && accounts && today !== '' ? (
        <NewAccount members={members} accounts={accounts} today={today} onClose={onClose} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Dialog>
  );
}

interface NewAccountProps {
  members: NonNullable<ReturnType<typeof useMembers>>;
  accounts: NonNullable<ReturnType<typeof useAccounts>>;
  today: string;
  onClose: () => void;
}

function NewAccount({ members, accounts, today, onClose }: NewAccountProps) {
  const navigate = useNavigate();
  const create = useApiWrite(createAccount, {
    undo: 'Account added',
    onSuccess: ({ short_id: id }) => {
      onClose();
      void navigate({ to: `/accounts/${id}` });
    },
  });
  const form = useOperationForm(ENTERED, {
    defaults: {
      name: '',
      type: 'depository',
      iso_currency_code: usualCurrency(accounts) ?? '',
      user_id: members.length === 1 ? (members[0]?.short_id ?? '') : '',
      opening_balance: '',
      opening_date: today,
    },
    send: ({ opening_balance: balance, opening_date: date, iso_currency_code: currency, ...values }) => {
      const opening = balance.trim() === '' ? {} : { opening_balance: decimalOf(balance), opening_date: date };
      return create.mutateAsync({ body: { ...values, iso_currency_code: currency.trim().toUpperCase(), ...opening } });
    },
  });
  return (
    <Form form={form} submit="Add the account" onCancel={onClose}>
      <TextField
        name="name"
        label="Name"
        hint="Such as Wallet, or the name of the bank."
        autoComplete="off"
        autoFocus
      />
      <Select name="type" label="Type" options={TYPE_OPTIONS} />
      <TextField name="iso_currency_code" label="Currency" hint="Three letters, such as EUR." autoComplete="off" />
      {members.length > 1 && (
        <Select
          name="user_id"
          label="Owner"
          options={[
            { value: '', label: 'Choose a member' },
            ...members.map(({ short_id: value, name: label }) => ({ value, label })),
          ]}
        />
      )}
      <TextField
        name="opening_balance"
        label="Balance"
        optional
        inputMode="decimal"
        autoComplete="off"
        hint="For a card or loan: what is owed."
      />
      <TextField name="opening_date" label="On" type="date" />
    </Form>
  );
}

/** That of most accounts. */
function usualCurrency(accounts: NewAccountProps['accounts']): string | undefined {
  const counts = new Map<string, number>();
  for (const { iso_currency_code: code } of accounts) if (code) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
