import type { Blocker, Confidence, MappingSource, ReadOptions } from '../analysis.ts';
import { bookedAmount, type Reading } from './booked-amount.ts';
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
      'The date and, if that is the booking date, also the date of the purchase. The column has a known name for a date, and holds dates.',
    claim: claimDatesByName,
  },
  {
    via: 'name',
    means:
      'Everything else, such as the amount and the description. The column has a known name for it, and holds what belongs there.',
    claim: claimFieldsByName,
  },
  {
    via: 'content',
    means: 'The date, if it is still missing. It is the first column of dates.',
    claim: claimDateByContent,
  },
  {
    via: 'content',
    means:
      'The amount, if it is still missing. It is a column of numbers without a known name. If two such columns add up from row to row, one is the amount and the other the balance.',
    claim: claimAmountByContent,
  },
  {
    via: 'complement',
    means:
      'Money out or money in, if only the other has a column. It is the column of numbers that is filled just where that one is empty.',
    claim: claimOtherHalf,
  },
  {
    via: 'complement',
    means:
      'If only one of money out and money in still has a column, and it has zeros or no empty cells, it may not be that after all. Homeledger then gives it up if another column of numbers may hold the rest.',
    claim: releaseZeroHalf,
  },
  {
    via: 'content',
    means:
      'The currency. It is the only column without a name that holds currency codes, or one of several that all hold the same code.',
    claim: claimCurrencyByContent,
  },
  {
    via: 'content',
    means:
      'The status. It is a column that holds only words such as “booked” and “pending”, some of which keep their rows out of the import.',
    claim: claimStatusByContent,
  },
  {
    via: 'content',
    means:
      'The type, if the file has no column names. It is a column that holds only words such as “purchase”, “salary” and “refund”. Another column of words must be left for the description.',
    claim: claimTypeByContent,
  },
  {
    via: 'content',
    means: 'The description. It is the column that says most about the rows. Words say more than places and codes.',
    claim: claimDescriptionByContent,
  },
];

interface DecidedMapping {
  readonly mapping: Mapping;
  readonly dropped: string[];
  /** The currency of the amounts, where the file has the price of each purchase beside them. */
  readonly bookedCurrency: string | null;
  /** Two columns may be the amount, and nothing tells which. */
  readonly question: Blocker | null;
  /** What else may be the amount, if the balances add up with it. */
  readonly readings: readonly Reading[];
}

/**
 * Decides which column is which field (36.3.3, 36.5.4): the caller, then a profile, then names, then content.
 * `dropped` are the fields whose columns the stored profile names but the file lacks.
 */
export function decideMapping(
  table: Table,
  stats: TableStats,
  options: ReadOptions,
  profile: ProfileMatch | null,
): DecidedMapping {
  const claims = new ColumnClaims(table, stats);
  claimByCaller(claims, options);
  const dropped = profile ? claimByProfile(claims, profile) : [];
  for (const { claim } of CLAIMS) claim(claims);
  const booked = bookedAmount(table, stats, claims.mapping, profile);
  return {
    mapping: booked?.mapping ?? claims.mapping,
    dropped,
    bookedCurrency: booked?.currency ?? null,
    question: booked?.question ?? null,
    readings: booked?.readings ?? [],
  };
}

/** The fields that an import needs and no column provides. */
export function missingFields(mapping: Mapping): ('date' | 'amount')[] {
  const missing: ('date' | 'amount')[] = [];
  if (!mapping.has('date')) missing.push('date');
  if (!mapping.has('amount') && !mapping.has('debit') && !mapping.has('credit')) missing.push('amount');
  return missing;
}
