import type { Confidence, MappingSource, ReadOptions } from '../analysis.ts';
import {
  claimAmountByContent,
  claimCurrencyByContent,
  claimDateByContent,
  claimDescriptionByContent,
  claimOtherHalf,
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

/** The order is the rule: a column that one step claims is taken for all steps below. */
const STEPS: readonly ((claims: ColumnClaims) => void)[] = [
  claimDatesByName,
  claimFieldsByName,
  claimDateByContent,
  claimAmountByContent,
  claimOtherHalf,
  releaseZeroHalf,
  claimCurrencyByContent,
  claimDescriptionByContent,
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
  for (const step of STEPS) step(claims);
  return { mapping: claims.mapping, dropped };
}

/** The fields that an import needs and no column provides. */
export function missingFields(mapping: Mapping): ('date' | 'amount')[] {
  const missing: ('date' | 'amount')[] = [];
  if (!mapping.has('date')) missing.push('date');
  if (!mapping.has('amount') && !mapping.has('debit') && !mapping.has('credit')) missing.push('amount');
  return missing;
}
