import { Suspense, useState } from 'react';
import { z } from 'zod';

import { DateOnly, name } from '../../../src/contract/common.ts';
import { createTransaction } from '../../../src/features/transactions/transaction-create.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { useAccounts, useCategories } from '../../api/lists.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Button } from '../button.tsx';
import { RadioGroup, Select } from '../choice-fields.tsx';
import { FieldProblem, Form, useOperationForm } from '../form.tsx';
import { CategoryPicker, TagsPicker } from '../pickers/later-pickers.tsx';
import { TextField } from '../text-fields.tsx';
import { FieldToCome } from '../typed-ahead.tsx';
import { CategoryChip } from './category-chip.tsx';
import { calculate } from '../../lib/arithmetic.ts';

const ENTERED = {
  body: z.object({
    account_id: z.string().min(1, 'must be chosen'),
    name: name(LIMITS.transactionNameChars),
    amount: z.string(),
    way: z.enum(['out', 'in']),
    date: DateOnly,
    comment: z.string(),
  }),
};

interface AddTransactionProps {
  today: string;
  /** The account to begin with, if it is one that can be added to. */
  account: string | undefined;
  /** No other can be chosen. */
  isFixed?: boolean;
  onClose: () => void;
}

/** A movement that no bank and no file brings, such as a purchase in cash. */
export function AddTransaction({ today, account, isFixed = false, onClose }: AddTransactionProps) {
  const accounts = (useAccounts() ?? []).filter(({ provider }) => provider === 'csv');
  const first = accounts.find(({ id, short_id: short }) => id === account || short === account) ?? accounts[0];
  const [category, setCategory] = useState<string | null | undefined>();
  const [tags, setTags] = useState<readonly string[]>([]);
  const create = useApiWrite(createTransaction, { undo: 'Transaction added', onSuccess: onClose });
  const form = useOperationForm(ENTERED, {
    defaults: { account_id: first?.id ?? '', name: '', amount: '', way: 'out', date: today, comment: '' },
    send: ({ way, amount, comment, ...values }) => {
      return create.mutateAsync({
        body: {
          ...values,
          amount: `${way === 'in' ? '-' : ''}${calculated(amount)}`,
          ...(category === undefined ? {} : { category_id: category }),
          ...(tags.length === 0 ? {} : { tags: [...tags] }),
          ...(comment.trim() === '' ? {} : { comment }),
        },
      });
    },
  });
  if (accounts.length === 0) {
    return (
      <p className="text-muted">Transactions can be added to accounts kept by hand or by files. There is none yet.</p>
    );
  }
  return (
    <Form form={form} submit="Add" onCancel={onClose}>
      <TextField name="name" label="What" hint="Such as Farmers’ market." autoComplete="off" autoFocus />
      <TextField
        name="amount"
        label={isFixed && first?.iso_currency_code != null ? `Amount in ${first.iso_currency_code}` : 'Amount'}
        hint="Sums are calculated: 3*4.20+1"
        inputMode="text"
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
      {!isFixed && (
        <Select
          name="account_id"
          label="Account"
          options={accounts.map(({ id, display_name: own, name: banks, iso_currency_code: currency }) => ({
            value: id,
            label: [own ?? banks, currency].filter(Boolean).join(', '),
          }))}
        />
      )}
      <TextField name="date" label="Day" type="date" />
      <CategoryChoice category={category} onChange={setCategory} />
      <TagsChoice tags={tags} onChange={setTags} />
      <TextField name="comment" label="Comment" optional autoComplete="off" />
    </Form>
  );
}

function calculated(entered: string): string {
  const amount = calculate(entered);
  if (amount === undefined) throw new FieldProblem('amount', 'must be an amount, such as 12.50 or 3*4.20');
  if (amount.startsWith('-')) throw new FieldProblem('amount', 'must not be negative. Choose money in instead');
  return amount;
}

interface CategoryChoiceProps {
  /** Undefined: the rules decide; null: deliberately none. */
  category: string | null | undefined;
  onChange: (category: string | null) => void;
}

function CategoryChoice({ category, onChange }: CategoryChoiceProps) {
  const [isOpen, open] = useState(false);
  const all = useCategories();
  return (
    <div className="mb-4">
      <p className="mb-1 font-medium">Category</p>
      {isOpen ? (
        <Suspense fallback={<FieldToCome />}>
          <CategoryPicker
            autoFocus
            label="Category"
            value={category ?? null}
            onPick={(id) => {
              onChange(id);
              open(false);
            }}
            onCancel={() => open(false)}
          />
        </Suspense>
      ) : (
        <Button className="w-full justify-start" onClick={() => open(true)}>
          {category === undefined ? (
            'Let the rules decide'
          ) : (
            <CategoryChip category={category === null ? null : (all?.get(category) ?? null)} />
          )}
        </Button>
      )}
    </div>
  );
}

function TagsChoice({ tags, onChange }: { tags: readonly string[]; onChange: (tags: readonly string[]) => void }) {
  const [isOpen, open] = useState(false);
  return (
    <div className="mb-4">
      <p className="mb-1 font-medium">Tags</p>
      {isOpen ? (
        <Suspense fallback={<FieldToCome />}>
          <TagsPicker
            autoFocus
            label="Tags"
            value={tags}
            onToggle={(slug, isAdded) => onChange(isAdded ? [...tags, slug] : tags.filter((one) => one !== slug))}
            onCancel={() => open(false)}
          />
        </Suspense>
      ) : (
        <Button className="w-full justify-start" onClick={() => open(true)}>
          {tags.length === 0 ? 'None' : tags.join(', ')}
        </Button>
      )}
    </div>
  );
}
