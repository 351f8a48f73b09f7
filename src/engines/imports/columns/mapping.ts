import type { Confidence, MappingSource, ReadOptions } from '../analysis.ts';
import {
  claimAmountByContent,
  claimCurrencyByContent,
  claimDateByContent,
  claimDescriptionByContent,
  claimOtherHalf,
  claimStatusByContent,
  claimTypeByContent,
  releaseZeroHalf,
} from './claims-by-content.ts';
import { claimDatesByName, claimFieldsByName } from './claims-by-name.ts';
import { claimByCaller, claimByProfile } from './claims-by-settings.ts';
import { ColumnClaims } from './column-claims.ts';
import type { TableStats } from './column-stats.ts';
import type { ProfileMatch } from '../profiles/profile-match.ts';
import type { Field } from '../lexicon/synonyms.ts';
import type { Table } from '../cells/table.ts';

export interface FieldColumns {
  readonly columns: readonly number[];
  readonly confidence: Confidence;
  readonly source: MappingSource;
}

export type Mapping = Map<Field, FieldColumns>;

/** A way in which fields get columns. */
interface Claim {
  readonly via: 'name' | 'content' | 'complement';
  /** What it looks at and what follows, for people who wonder about an answer. */
  readonly means: string;
  readonly claim: (claims: ColumnClaims) => void;
}

/** The order is the rule: a column that one step claims is taken for all steps below. */
export const CLAIMS: readonly Claim[] = [
  {
    via: 'name',
    means:
      'The date, and beside a date of booking the day of the purchase. The name must mean a date in one of the languages of the lexicon, and the cells must be dates.',
    claim: claimDatesByName,
  },
  {
    via: 'name',
    means: 'Every other field whose name the lexicon knows, if the cells hold what the field needs.',
    claim: claimFieldsByName,
  },
  { via: 'content', means: 'Without a date yet: the first column of dates.', claim: claimDateByContent },
  {
    via: 'content',
    means:
      'Without an amount yet: a column of numbers without a known name. Of two that follow each other from row to row, one is the amount and the other the balance.',
    claim: claimAmountByContent,
  },
  {
    via: 'complement',
    means:
      'Beside a lone column of money out or in: the column of numbers that is filled exactly where that one is empty.',
    claim: claimOtherHalf,
  },
  {
    via: 'complement',
    means:
      'A lone column of money out or in is given up if it has a zero where the money went the other way, and another column of numbers may hold that.',
    claim: releaseZeroHalf,
  },
  {
    via: 'content',
    means: 'The currency: the only column of codes without a name, or several that all hold the same code.',
    claim: claimCurrencyByContent,
  },
  {
    via: 'content',
    means: 'The status: a column of nothing but words such as “booked” and “pending”, some of which keep rows out.',
    claim: claimStatusByContent,
  },
  {
    via: 'content',
    means:
      'The type, in a file without column names: a column of nothing but words such as “purchase”, “salary” and “refund”. Another column of words must be left for the description.',
    claim: claimTypeByContent,
  },
  {
    via: 'content',
    means: 'The description: the column that says most about the rows. Places and codes say less than words.',
    claim: claimDescriptionByContent,
  },
];

/**
 * Decides which column is which field (36.3.3, 36.5.4): the caller, then a profile, then names, then content.
 * `dropped` are the fields whose columns the stored profile names but the file lacks.
 */
export function decideMapping(
  table: Table,
  stats: TableStats,
  options: ReadOptions,
  profile: ProfileMatch | null,
): { mapping: Mapping; dropped: string[] } {
  const claims = new ColumnClaims(table, stats);
  claimByCaller(claims, options);
  const dropped = profile ? claimByProfile(claims, profile) : [];
  for (const { claim } of CLAIMS) claim(claims);
  return { mapping: claims.mapping, dropped };
}

/** The fields that an import needs and no column provides. */
export function missingFields(mapping: Mapping): ('date' | 'amount')[] {
  const missing: ('date' | 'amount')[] = [];
  if (!mapping.has('date')) missing.push('date');
  if (!mapping.has('amount') && !mapping.has('debit') && !mapping.has('credit')) missing.push('amount');
  return missing;
}
