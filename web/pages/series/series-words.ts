import type { Option } from '../../components/choice-fields.tsx';

export const TYPES = { subscription: 'Subscription', bill: 'Bill', loan: 'Loan', other: 'Other' } as const;

export const TYPE_OPTIONS: Option[] = Object.entries(TYPES).map(([value, label]) => ({ value, label }));

export const CADENCES = {
  weekly: 'Weekly',
  biweekly: 'Every two weeks',
  monthly: 'Monthly',
  bimonthly: 'Every two months',
  quarterly: 'Quarterly',
  half_yearly: 'Every half-year',
  yearly: 'Yearly',
} as const;
