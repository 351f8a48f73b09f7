import { createContext, useContext } from 'react';

import { listCategories } from '../../../src/features/categories/categories.contract.ts';
import { getCounterparty } from '../../../src/features/counterparties/counterparties.contract.ts';
import { getSeries } from '../../../src/features/series/series.contract.ts';
import { listUsers } from '../../../src/features/users/users.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import type { Step } from './group-changes.ts';

/** Names of the records that the plan itself would make, by their ids. */
export const PlannedNames = createContext<ReadonlyMap<string, string>>(new Map());

const FIELD_WORDS: Readonly<Record<string, string>> = {
  category_id: 'Category',
  counterparty_id: 'Counterparty',
  series_id: 'Series',
  attributed_user_id: 'Person',
  flagged_at: 'Flag',
  deleted_at: 'Deleted',
  is_dependent_linked: 'Copy of another account',
  parent_id: 'Parent category',
};

export function fieldInWords(field: string): string {
  if (field.startsWith('tag:')) return `Tag ${field.slice('tag:'.length)}`;
  if (field.startsWith('metadata.')) return field.slice('metadata.'.length);
  const words = FIELD_WORDS[field] ?? field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A step as a person says it: "Category: Shopping → Groceries", "Add the tag holiday". */
export function StepInWords({ step }: { step: Step }) {
  const { field, before, after } = step;
  if (field.startsWith('tag:'))
    return <>{`${after === true ? 'Add' : 'Remove'} the tag ${field.slice('tag:'.length)}`}</>;
  if (field === 'flagged_at') return <>{after === null ? 'Remove the flag' : 'Flag'}</>;
  if (field === 'deleted_at') return <>{after === null ? 'Restore' : 'Delete'}</>;
  return (
    <>
      {fieldInWords(field)}: <ValueName field={field} value={before} /> <span aria-hidden>→</span>
      <span className="sr-only">becomes</span>{' '}
      <strong>
        <ValueName field={field} value={after} />
      </strong>
    </>
  );
}

/** A value by the name that people know it by. */
export function ValueName({ field, value }: { field: string; value: unknown }) {
  const planned = useContext(PlannedNames);
  if (value === null || value === undefined || value === '') return <>none</>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value !== 'string') return <code className="text-sm break-all">{JSON.stringify(value)}</code>;
  const name = planned.get(value);
  if (name !== undefined) return <>{name} (new)</>;
  if (field === 'category_id' || field === 'parent_id') return <CategoryName id={value} />;
  if (field === 'counterparty_id') return <CounterpartyName id={value} />;
  if (field === 'series_id') return <SeriesName id={value} />;
  if (field === 'attributed_user_id') return <MemberName id={value} />;
  return <>{value}</>;
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
  return <>{data?.find((one) => one.short_id === id)?.name ?? '…'}</>;
}
