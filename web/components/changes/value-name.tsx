import { createContext, lazy, Suspense, useContext } from 'react';

import { listCategories } from '../../../src/features/categories/categories.contract.ts';
import { getCounterparty } from '../../../src/features/counterparties/counterparties.contract.ts';
import { getSeries } from '../../../src/features/series/series.contract.ts';
import { listTags } from '../../../src/features/tags/tags.contract.ts';
import { listUsers } from '../../../src/features/users/users.contract.ts';
import { useAccounts } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { inWords } from '../../lib/days.ts';
import { Instant } from '../instant.tsx';
import { Money } from '../money.tsx';
import { capitalised } from './change-set-words.ts';
import { stepsOf, type Change, type Step } from './group-changes.ts';

/** Names of the records that the plan itself would make, by their ids. */
export const PlannedNames = createContext<ReadonlyMap<string, string>>(new Map());

const FIELD_WORDS: Readonly<Record<string, string>> = {
  account_id: 'Account',
  attributed_user_id: 'Person',
  body: 'Text',
  category_id: 'Category',
  counterparty_id: 'Counterparty',
  deleted_at: 'Deleted',
  display_name: 'Your name for it',
  flagged_at: 'Flag',
  is_dependent_linked: 'Copy of another account',
  is_excluded: 'Left out of totals',
  iso_currency_code: 'Currency',
  overwrite_manual: 'Overwrites what people chose',
  parent_id: 'Parent category',
  series_id: 'Series',
  stop: 'Leaves later rules out',
  triggers: 'Runs on',
  user_id: 'Owner',
};

export function fieldInWords(field: string): string {
  if (field.startsWith('tag:')) return `Tag ${field.slice('tag:'.length)}`;
  if (field.startsWith('metadata.')) return field.slice('metadata.'.length);
  // A setting is named after its group: `config.default_currency`.
  const name = field.slice(field.lastIndexOf('.') + 1);
  return FIELD_WORDS[field] ?? capitalised(name.replaceAll('_', ' '));
}

interface StepInWordsProps {
  step: Step;
  /** Of the record, for its amounts. */
  currency?: string | null;
  /** In a list of what was done: "Added the tag". */
  isPast?: boolean;
}

/** A step as a person says it: "Category: Shopping → Groceries", "Add the tag holiday". */
export function StepInWords({ step, currency, isPast = false }: StepInWordsProps) {
  const { field, before, after } = step;
  if (field.startsWith('tag:')) {
    const verb = after === true ? (isPast ? 'Added' : 'Add') : isPast ? 'Removed' : 'Remove';
    return (
      <>
        {verb} the tag <TagName slug={field.slice('tag:'.length)} />
      </>
    );
  }
  if (field === 'flagged_at')
    return <>{after === null ? `Remove${isPast ? 'd' : ''} the flag` : `Flag${isPast ? 'ged' : ''}`}</>;
  if (field === 'deleted_at') return <>{`${after === null ? 'Restore' : 'Delete'}${isPast ? 'd' : ''}`}</>;
  return (
    <>
      {fieldInWords(field)}: <ValueName field={field} value={before} currency={currency} /> <span aria-hidden>→</span>
      <span className="sr-only">becomes</span>{' '}
      <strong>
        <ValueName field={field} value={after} currency={currency} />
      </strong>
    </>
  );
}

interface ValueNameProps {
  field: string;
  value: unknown;
  currency?: string | null | undefined;
}

const AMOUNT_FIELD = /(^|_)amount$|^balance_(current|available|limit)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const RuleValue = lazy(() => import('../rule/rule-value.tsx'));
const OF_RULES: ReadonlySet<string> = new Set(['condition', 'actions', 'triggers']);

/** A value by the name that people know it by. */
export function ValueName({ field, value, currency = null }: ValueNameProps) {
  const planned = useContext(PlannedNames);
  if (value === null || value === undefined || value === '') return <>none</>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'object' && OF_RULES.has(field)) {
    return (
      <Suspense fallback="…">
        <RuleValue field={field} value={value} />
      </Suspense>
    );
  }
  if (typeof value !== 'string') return <code className="text-sm break-all">{JSON.stringify(value)}</code>;
  const name = planned.get(value);
  if (name !== undefined) return <>{name} (new)</>;
  if (field === 'category_id' || field === 'parent_id') return <CategoryName id={value} />;
  if (field === 'counterparty_id') return <CounterpartyName id={value} />;
  if (field === 'series_id') return <SeriesName id={value} />;
  if (field === 'attributed_user_id' || field === 'user_id') return <MemberName id={value} />;
  if (field.endsWith('account_id')) return <AccountName id={value} />;
  if (AMOUNT_FIELD.test(field)) return <Money amount={value} currency={currency} />;
  if (DAY.test(value)) return <>{inWords(value)}</>;
  if (INSTANT.test(value)) return <Instant isPlanned at={value} />;
  return <bdi>{value}</bdi>;
}

function TagName({ slug }: { slug: string }) {
  const { data } = useApiQuery(listTags, {});
  return <>{data?.find((one) => one.slug === slug)?.name ?? slug}</>;
}

function AccountName({ id }: { id: string }) {
  const accounts = useAccounts();
  const account = accounts?.find((one) => one.id === id);
  if (accounts && !account) return <>an account that is gone</>;
  return <bdi>{account ? (account.display_name ?? account.name) : '…'}</bdi>;
}

function CategoryName({ id }: { id: string }) {
  const { data } = useApiQuery(listCategories, {});
  return <>{data ? (data.find((one) => one.id === id)?.name ?? 'a category that is gone') : '…'}</>;
}

function CounterpartyName({ id }: { id: string }) {
  const { data, error } = useApiQuery(getCounterparty, { params: { id } });
  return <>{error ? 'a counterparty that is gone' : (data?.name ?? '…')}</>;
}

function SeriesName({ id }: { id: string }) {
  const { data, error } = useApiQuery(getSeries, { params: { id } });
  return <>{error ? 'a series that is gone' : (data?.name ?? '…')}</>;
}

function MemberName({ id }: { id: string }) {
  const { data } = useApiQuery(listUsers, {});
  if (data === undefined) return <>…</>;
  return <bdi>{data.find((one) => one.short_id === id)?.name ?? 'a member who has left'}</bdi>;
}

const HIDDEN: ReadonlySet<string> = new Set(['id', 'short_id', 'created_at', 'updated_at']);

/** Ids of what has no name say nothing. */
function isForPeople(field: string): boolean {
  return !HIDDEN.has(field) && (FIELD_WORDS[field] !== undefined || !/(^|_)ids?$/.test(field));
}

/** Every field of a record other than a transaction: before → after, or what it would be created with. */
export function Values({ change, isPast = false }: { change: Change; isPast?: boolean }) {
  if (change.operation === 'delete') return null;
  if (change.operation === 'update') {
    return (
      <ul className="mt-1 text-sm">
        {stepsOf(change)
          .filter(({ field }) => isForPeople(field))
          .map((step) => (
            <li key={step.field}>
              <StepInWords step={step} currency={change.iso_currency_code} isPast={isPast} />
            </li>
          ))}
      </ul>
    );
  }
  const fields = Object.entries(change.after ?? {}).filter(([field, value]) => value !== null && isForPeople(field));
  return (
    <ul className="mt-1 text-sm text-muted">
      {fields.map(([field, value]) => (
        <li key={field}>
          {fieldInWords(field)}: <ValueName field={field} value={value} currency={change.iso_currency_code} />
        </li>
      ))}
    </ul>
  );
}
