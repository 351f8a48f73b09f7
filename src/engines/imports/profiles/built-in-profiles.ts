import type { FeeMode, SignConvention } from '../analysis.ts';
import type { DateOrder } from '../cells/date-cells.ts';
import type { Field } from '../lexicon/synonyms.ts';
import { APP_PROFILES } from './profiles-apps.ts';
import { BANK_PROFILES } from './profiles-banks.ts';
import { NORTH_AMERICAN_PROFILES } from './profiles-north-america.ts';

/** How one bank writes its files (36.13). Names are as the bank prints them. */
export interface BuiltInProfile {
  readonly slug: string;
  readonly name: string;
  readonly institution: string;
  /** A weak header is shared by many banks: only its columns are taken. */
  readonly strength: 'strong' | 'weak';
  /** Alternative headers: names in file order, optional ones in brackets, separated by `|`. */
  readonly headers: readonly string[];
  /** True when the names may stand in any order. */
  readonly anyOrder?: boolean;
  /** For files without header: a letter per column. d date, n number, t text, r a reference, N a number in some rows, * the star, - empty, ? anything. */
  readonly shape?: readonly string[];
  readonly columns: Readonly<Partial<Record<Field, string | readonly string[] | null>>>;
  readonly order?: DateOrder;
  readonly sign?: SignConvention;
  readonly feeMode?: FeeMode;
  /** The only currency in which this bank keeps accounts; a guess for files that name none (36.5.9). */
  readonly currency?: string;
  readonly accountType?: readonly [type: string, subtype: string];
  readonly status?: 'revolut' | 'wise';
  /** The folded name of a column that, when filled with anything but zero, makes the row `STATUS_IGNORED`. */
  readonly ignoredWhenFilled?: string;
  /** Why files with this header are not read, and what to do instead. */
  readonly refusal?: string;
  /** A type word whose rows are money in whatever their sign. */
  readonly moneyInType?: string;
  /** Removes the `'` that a spreadsheet-safe export put before a text (36.17). */
  readonly unescapesText?: boolean;
  /** Rows without a balance in a file that otherwise has them are pending. */
  readonly pendingWithoutBalance?: boolean;
}

/** Every built-in profile (36.13). */
export const BUILT_IN_PROFILES: readonly BuiltInProfile[] = [
  ...NORTH_AMERICAN_PROFILES,
  ...APP_PROFILES,
  ...BANK_PROFILES,
];
