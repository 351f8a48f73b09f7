import { z } from 'zod';

import { describedAs } from '../../contract/described-as.ts';

/** What a summary can be grouped by, alone or combined (10.5.4). */
const SUMMARY_GROUPS = [
  'category',
  'category_primary',
  'day',
  'week',
  'month',
  'year',
  'account',
  'user',
  'counterparty',
  'tag',
  'kind',
] as const;
export type SummaryGroup = (typeof SUMMARY_GROUPS)[number];

const PERIODS = ['day', 'week', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const MAX_GROUPS = 3;
/** The one name that means two groups. */
const CATEGORY_MONTH = 'category_month';
const CATEGORIES: readonly SummaryGroup[] = ['category', 'category_primary'];

/** The groups of a summary in the requested order, and the text that requested them. */
export interface SummaryGrouping {
  text: string;
  groups: readonly SummaryGroup[];
}

export function isPeriod(group: SummaryGroup): group is Period {
  return (PERIODS as readonly SummaryGroup[]).includes(group);
}

/** One to three groups, separated by commas or sent as repeated parameters. */
export const GroupBy: z.ZodType<SummaryGrouping, string | string[]> = describedAs(
  z.union([z.string(), z.array(z.string())]).transform((value, context) => {
    const names = (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(',').map((one) => one.trim()));
    const text = names.join(',');
    if (text === CATEGORY_MONTH) return { text, groups: ['category', 'month'] satisfies SummaryGroup[] };
    const problem = refusalOf(names);
    if (problem !== null) {
      context.addIssue(problem);
      return z.NEVER;
    }
    return { text, groups: names as SummaryGroup[] };
  }),
  z
    .array(z.enum([...SUMMARY_GROUPS, CATEGORY_MONTH]))
    .min(1)
    .max(MAX_GROUPS),
).meta({
  description:
    'One to three groups, separated by commas; at most one of day, week, month and year, and at most one of category ' +
    'and category_primary. category_month is short for category,month',
});

function refusalOf(names: readonly string[]): string | null {
  const known: ReadonlySet<string> = new Set(SUMMARY_GROUPS);
  if (names.some((one) => !known.has(one))) {
    return `must be one to three of ${SUMMARY_GROUPS.join(', ')}, separated by commas, or ${CATEGORY_MONTH}`;
  }
  if (names.length > MAX_GROUPS) return `must have at most ${MAX_GROUPS} groups`;
  if (new Set(names).size < names.length) return 'must contain each group only once';
  for (const alternatives of [PERIODS, CATEGORIES] as readonly (readonly string[])[]) {
    if (names.filter((one) => alternatives.includes(one)).length > 1)
      return `must contain only one of ${alternatives.join(', ')}`;
  }
  return null;
}
