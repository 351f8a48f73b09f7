import type { Detection, FeeMode, ProfileSettings, ReadContext, ReadOptions, SignConvention } from '../analysis.ts';
import type { BuiltInProfile } from './built-in-profiles.ts';
import type { DateOrder } from '../cells/date-cells.ts';
import { compileDateFormat } from '../cells/date-format.ts';
import type { Mapping } from '../columns/mapping.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import type { ProfileMatch } from './profile-match.ts';
import { mayOwe } from '../proof/statement-proof.ts';

interface OtherReadings {
  readonly orders: readonly DateOrder[];
  readonly decimals: readonly DecimalSeparator[];
  readonly signs: readonly SignConvention[];
  readonly feeModes: readonly FeeMode[];
}

/** What a matched profile says beyond the columns, and what is known about the account. */
export interface ProfileStatement {
  readonly builtIn: BuiltInProfile | null;
  readonly code: 'stored_profile' | 'built_in_profile';
  readonly order: { readonly order: DateOrder; readonly code: string } | null;
  readonly decimal: { readonly value: DecimalSeparator; readonly code: string } | null;
  readonly sign: { readonly sign: SignConvention; readonly code: string } | null;
  readonly feeMode: { readonly value: FeeMode; readonly code: string } | null;
  /** What profiles of other accounts say. It decides nothing, but leaves open what the content does not settle. */
  readonly others: OtherReadings;
  readonly isAccountKnown: boolean;
  readonly isCreditAccount: boolean;
  readonly mayOwe: boolean;
}

/** Gathers the statements of a stored or strong built-in profile; weak ones state nothing but columns. */
export function profileStatement(
  match: ProfileMatch | null,
  options: ReadOptions,
  context: ReadContext,
  latestYear: number,
): ProfileStatement {
  const settings = match?.stored?.settings;
  const builtIn = match?.builtIn ?? null;
  const strong = builtIn?.strength === 'strong' ? builtIn : null;
  const codeOf = (stated: unknown): ProfileStatement['code'] =>
    stated === undefined ? 'built_in_profile' : 'stored_profile';
  const order = settings?.date_format ? orderOfFormat(settings.date_format, latestYear) : (strong?.order ?? null);
  const sign = settings?.sign ?? strong?.sign ?? null;
  const feeMode = settings?.fee_mode ?? strong?.feeMode ?? null;
  const type =
    context.account?.type ?? options.account_type ?? settings?.account_type ?? strong?.accountType?.[0] ?? null;
  return {
    builtIn,
    code: codeOf(settings),
    order: order && { order, code: codeOf(settings?.date_format) },
    decimal: settings?.decimal_separator ? { value: settings.decimal_separator, code: 'stored_profile' } : null,
    sign: sign && { sign, code: codeOf(settings?.sign) },
    feeMode: feeMode && { value: feeMode, code: codeOf(settings?.fee_mode) },
    others: otherReadings(match?.stored?.otherReadings ?? [], latestYear),
    isAccountKnown: type === 'depository' || type === 'credit' || type === 'loan',
    isCreditAccount: type === 'credit',
    mayOwe: mayOwe(type),
  };
}

function otherReadings(settings: readonly ProfileSettings[], latestYear: number): OtherReadings {
  const stated = <T>(value: (one: ProfileSettings) => T | null | undefined): T[] =>
    settings.flatMap((one) => value(one) ?? []);
  return {
    orders: stated(({ date_format: format }) => (format === undefined ? null : orderOfFormat(format, latestYear))),
    decimals: stated((one) => one.decimal_separator),
    signs: stated((one) => one.sign),
    feeModes: stated((one) => one.fee_mode),
  };
}

/** Marks an open question that files of another account have an answer to. */
export function withOthers<D extends Detection<unknown>>(detection: D, isAnswered: boolean): D {
  if (detection.confidence !== 'ambiguous' || !isAnswered) return detection;
  return { ...detection, evidence: [...detection.evidence, 'other_account'] };
}

/** The options with what only people can know about a file, taken from the profile where the caller leaves it out. */
export function withProfile(options: ReadOptions, match: ProfileMatch | null, mapping: Mapping): ReadOptions {
  const settings = match?.stored?.settings;
  if (!settings) return options;
  const left = Object.entries(settings.column_mapping ?? {}).filter(([, choice]) => choice === null);
  const hasPair = mapping.has('debit') || mapping.has('credit');
  return {
    ...options,
    column_mapping: { ...Object.fromEntries(left), ...options.column_mapping },
    direction_values: options.direction_values ?? settings.direction_values,
    pending: options.pending ?? settings.pending,
    has_debit_credit: options.has_debit_credit ?? (hasPair ? settings.has_debit_credit : undefined),
  };
}

function orderOfFormat(format: string, latestYear: number): DateOrder | null {
  try {
    return compileDateFormat(format, latestYear).order;
  } catch {
    return null;
  }
}
