import { z } from 'zod';

import { listUsers } from '../../../src/features/users/users.contract.ts';
import { DAY_MS } from '../../../src/kernel/dates.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Select, type Option } from '../../components/choice-fields.tsx';
import { nowMs } from '../../lib/clock.ts';

export const SCOPES = { read_only: 'Read only', propose: 'Propose', full_access: 'Full access' } as const;

const LIVES = { never: null, day: 1, month: 30, quarter: 90, year: 365 } as const;

/** How long a key lasts, as people choose it; the API takes the instant. */
export const Expiry = z.enum(['keep', 'never', 'day', 'month', 'quarter', 'year']);
export type Expiry = z.output<typeof Expiry>;

const EXPIRY_OPTIONS: readonly Option[] = [
  { value: 'never', label: 'Never' },
  { value: 'day', label: 'In 1 day' },
  { value: 'month', label: 'In 30 days' },
  { value: 'quarter', label: 'In 90 days' },
  { value: 'year', label: 'In a year' },
];

/** The instant that a choice stands for; undefined to leave it as it is. */
export function expiryInstant(choice: Expiry): string | null | undefined {
  if (choice === 'keep') return undefined;
  const days = LIVES[choice];
  return days === null ? null : new Date(nowMs() + days * DAY_MS).toISOString();
}

export function ExpirySelect({ kept }: { kept?: string }) {
  const options = kept === undefined ? EXPIRY_OPTIONS : [{ value: 'keep', label: kept }, ...EXPIRY_OPTIONS];
  return <Select name="expiry" label="Expires" options={options} />;
}

/** Whose key it is. `''` stands for the household. */
export function OwnerSelect() {
  const members = useApiQuery(listUsers, {});
  const options = (members.data ?? []).map(({ short_id: value, name: label }) => ({ value, label }));
  return (
    <Select
      name="user_id"
      label="Belongs to"
      hint="Its changes are recorded under this person’s name, and it stops working when they leave."
      options={[...options, { value: '', label: 'The household' }]}
    />
  );
}
