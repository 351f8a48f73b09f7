import { useState } from 'react';

import { listConnections } from '../../../src/features/connections/connections.contract.ts';
import { listImports } from '../../../src/features/imports/imports.contract.ts';
import { listSeries } from '../../../src/features/series/series.contract.ts';
import { useAccounts, useMembers } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { CategoryPicker, CounterpartyPicker, TagsPicker } from '../../components/pickers/later-pickers.tsx';
import {
  Adding,
  AmountInput,
  Box,
  Choice,
  Choices,
  Chosen,
  Group,
  Labelled,
  type PartProps,
} from './filter-fields.tsx';
import { isTrue, listOf, toggled, withFilters, type FilterName, type Filters, type View } from './filters.ts';
import { useFilterNames } from './filter-words.ts';

interface SheetProps {
  view: View;
  onApply: (filters: Filters) => void;
}

/** Every filter of the API (10.4.1). Nothing is asked for before it is applied. */
export function FilterSheet({ view, onApply }: SheetProps) {
  const [filters, setFilters] = useState(view.filters);
  const parts: PartProps = {
    filters,
    set: (next) => setFilters(withFilters(filters, next)),
    toggle: (name, value) => setFilters(toggled(filters, name, value)),
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply(filters);
      }}
    >
      <div className="sticky -top-6 z-1 -mx-6 -mt-6 mb-4 flex gap-3 border-b border-line bg-surface px-6 py-3">
        <Button type="submit" look="primary">
          Apply
        </Button>
        <Button look="quiet" onClick={() => setFilters({})}>
          Clear all
        </Button>
      </div>
      <Dates {...parts} />
      <AccountsAndPeople {...parts} />
      <Categories {...parts} />
      <Tags {...parts} />
      <Amounts {...parts} />
      <States {...parts} />
      <Others {...parts} />
    </form>
  );
}

const LAST_DAY = '9999-12-31';

function Dates({ filters, set }: PartProps) {
  const field = (name: 'date_from' | 'date_to', label: string) => (
    <Labelled label={label}>
      <input
        type="date"
        max={LAST_DAY}
        className="field target"
        value={filters[name] ?? ''}
        onChange={({ currentTarget: { value } }) => set({ [name]: value, start_date: undefined, end_date: undefined })}
      />
    </Labelled>
  );
  return (
    <Group title="Dates">
      <div className="flex gap-3">
        {field('date_from', 'From')}
        {field('date_to', 'To')}
      </div>
    </Group>
  );
}

function AccountsAndPeople(parts: PartProps) {
  const accounts = useAccounts() ?? [];
  const members = useMembers() ?? [];
  const currencies = [...new Set(accounts.map(({ iso_currency_code: code }) => code).filter((code) => code != null))];
  return (
    <>
      <Group title="Accounts">
        <Choices
          {...parts}
          name="account_id"
          options={accounts.map(({ id, display_name: label, name }) => ({ value: id, label: label ?? name ?? '' }))}
        />
      </Group>
      {members.length > 1 && (
        <Group title="Members">
          <Choices
            {...parts}
            name="user_id"
            options={members.map((one) => ({ value: one.short_id, label: one.name }))}
          />
        </Group>
      )}
      {currencies.length > 1 && (
        <Group title="Currencies">
          <Choices
            {...parts}
            name="iso_currency_code"
            options={currencies.map((code) => ({ value: code, label: code }))}
          />
        </Group>
      )}
    </>
  );
}

const KINDS = [
  { value: 'expense', label: 'Expense' },
  { value: 'income', label: 'Income' },
  { value: 'transfer', label: 'Transfer' },
  { value: 'none', label: 'No category' },
];

function Categories(parts: PartProps) {
  const { filters, set, toggle } = parts;
  const names = useFilterNames(filters);
  const isWithout = isTrue(filters.uncategorized);
  return (
    <Group title="Category">
      {!isWithout && (
        <>
          <Chosen name="category_id" nameOf={names.category_id} {...parts} />
          <Adding label="Add a category">
            {(done) => (
              <CategoryPicker
                autoFocus
                label="Category to filter by"
                value={null}
                allowsNone={false}
                allowsNew={false}
                onPick={(id) => {
                  if (id !== null) toggle('category_id', id);
                  done();
                }}
                onCancel={done}
              />
            )}
          </Adding>
          <Box
            label="With subcategories"
            checked={filters.include_children === undefined || isTrue(filters.include_children)}
            onChange={(isOn) => set({ include_children: isOn ? undefined : 'false' })}
          />
          <p className="mt-3 mb-1 text-sm text-muted">Kind</p>
          <Choices {...parts} name="category_kind" options={KINDS} />
        </>
      )}
      <Box
        label="Without category only"
        checked={isWithout}
        onChange={(isOn) =>
          set(
            isOn
              ? { uncategorized: 'true', category_id: undefined, category_slug: undefined, category_kind: undefined }
              : { uncategorized: undefined },
          )
        }
      />
    </Group>
  );
}

function Tags(parts: PartProps) {
  const names = useFilterNames(parts.filters);
  const groups = [
    ['tag', 'Any of these'],
    ['tags_all', 'All of these'],
    ['tags_none', 'None of these'],
  ] as const;
  return (
    <Group title="Tags">
      {groups.map(([name, words]) => (
        <div key={name} className="mb-2">
          <p className="text-sm text-muted">{words}</p>
          <Chosen name={name} nameOf={names[name]} {...parts} />
          <Adding label="Add a tag">
            {(done) => (
              <TagsPicker
                autoFocus
                label={`${words}: tags to filter by`}
                value={listOf(parts.filters[name])}
                allowsNew={false}
                onToggle={(slug) => parts.toggle(name, slug)}
                onCancel={done}
              />
            )}
          </Adding>
        </div>
      ))}
    </Group>
  );
}

function Amounts({ filters, set }: PartProps) {
  const field = (name: FilterName, label: string) => (
    <Labelled label={label}>
      <AmountInput key={filters[name] ?? ''} value={filters[name] ?? ''} onChange={(value) => set({ [name]: value })} />
    </Labelled>
  );
  return (
    <Group title="Amount">
      <p className="mb-1 text-sm text-muted">Out or in</p>
      <div className="mb-3 flex gap-3">
        {field('amount_abs_min', 'At least')}
        {field('amount_abs_max', 'At most')}
      </div>
      <p className="mb-1 text-sm text-muted">With its sign: money out is positive, money in negative</p>
      <div className="flex gap-3">
        {field('amount_min', 'From')}
        {field('amount_max', 'To')}
      </div>
    </Group>
  );
}

const YES_NO = { pending: 'Pending', flagged: 'Flagged', has_comment: 'With a comment', deleted: 'Deleted' } as const;
const ACCOUNT_CHOICES = {
  excluded_accounts: 'Excluded accounts',
  dependent_accounts: 'Copies in linked accounts',
} as const;

function States({ filters, set }: PartProps) {
  return (
    <Group title="State">
      <div className="grid gap-3 sm:grid-cols-2">
        {(Object.entries(YES_NO) as [keyof typeof YES_NO, string][]).map(([name, label]) => (
          <Choice
            key={name}
            label={label}
            value={filters[name]}
            options={{ true: 'Yes', ...(name === 'deleted' ? {} : { false: 'No' }) }}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        {(Object.entries(ACCOUNT_CHOICES) as [keyof typeof ACCOUNT_CHOICES, string][]).map(([name, label]) => (
          <Choice
            key={name}
            label={label}
            value={filters[name]}
            options={{ exclude: 'Left out', only: 'Only these', include: 'Included, also in totals' }}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
      </div>
    </Group>
  );
}

function Others(parts: PartProps) {
  const { filters, set } = parts;
  const names = useFilterNames(filters);
  const series = useApiQuery(listSeries, {}).data?.series ?? [];
  const banks = useApiQuery(listConnections, {}).data ?? [];
  const imports = useApiQuery(listImports, { query: { limit: '100' } }).data?.imports ?? [];
  return (
    <>
      <Group title="Counterparty">
        <Chosen name="counterparty_id" nameOf={names.counterparty_id} {...parts} />
        <Adding label="Add a counterparty">
          {(done) => (
            <CounterpartyPicker
              autoFocus
              label="Counterparty to filter by"
              value={null}
              allowsNew={false}
              onPick={(id) => {
                if (id !== null) parts.toggle('counterparty_id', id);
                done();
              }}
              onCancel={done}
            />
          )}
        </Adding>
      </Group>
      <Group title="Where it comes from">
        <div className="grid gap-3 sm:grid-cols-2">
          <Choice
            label="Series"
            value={filters.series_id}
            options={named(series)}
            onChange={(id) => set({ series_id: id })}
          />
          <Choice
            label="Bank"
            value={filters.connection_id}
            options={Object.fromEntries(banks.map((one) => [one.id, one.institution_name ?? one.provider]))}
            onChange={(id) => set({ connection_id: id })}
          />
          <Choice
            label="Import"
            value={filters.import_id}
            options={Object.fromEntries(imports.map((one) => [one.id, one.file_name ?? one.short_id]))}
            onChange={(id) => set({ import_id: id })}
          />
        </div>
      </Group>
      <Labelled label="Without these words">
        <input
          className="field target"
          value={filters.exclude_search ?? ''}
          onChange={(event) => set({ exclude_search: event.currentTarget.value })}
        />
      </Labelled>
    </>
  );
}

function named(list: readonly { id: string; name: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ id, name }) => [id, name]));
}
