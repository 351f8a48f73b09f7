import type { Part } from './sentence-parts.ts';

/** What people call the records that rules refer to, by what the API calls them there (40.7). */
export interface RuleNames {
  /** By slug, or by id where a rule was not stored yet. */
  category: (slug: string) => Part;
  tag: (slug: string) => string;
  account: (id: string) => string;
  member: (id: string) => string;
  series: (id: string) => string;
  counterparty: (id: string) => string;
}
