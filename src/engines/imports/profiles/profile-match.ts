import { sha256Hex } from '../../../kernel/crypto.ts';
import { validationError } from '../../../kernel/errors.ts';
import type { ProfileSettings, ReadOptions, StoredProfile } from '../analysis.ts';
import { BUILT_IN_PROFILES } from './built-in-profiles.ts';
import type { BuiltInProfile } from './built-in-profiles.ts';
import { normalisedName } from '../text/cell-text.ts';

/**
 * The profile that fits a header, stored or built in. A stored profile says how such a file was read before. What else
 * is known about the bank (its status words, misleading columns) still comes from the built-in one.
 */
export type ProfileMatch =
  | { readonly stored: StoredProfile; readonly builtIn: BuiltInProfile | null }
  | { readonly stored: null; readonly builtIn: BuiltInProfile };

/** The header names, normalised and without empty ones at the end. */
export function headerNames(cells: readonly string[]): string[] {
  const names = cells.map(normalisedName);
  while (names.length > 0 && names.at(-1) === '') names.pop();
  return names;
}

/** The header signature of 36.1. For a file of `width` columns without a header, `cells` is null. */
export function headerSignature(cells: readonly string[] | null, width: number): string {
  return sha256Hex(cells === null ? `headerless:${width}` : headerNames(cells).join('\u001f'));
}

/** The profiles that the request field `profile` allows. */
export function usableProfiles(
  options: ReadOptions,
  stored: readonly StoredProfile[],
): { stored: readonly StoredProfile[]; builtIn: readonly BuiltInProfile[] } {
  const wanted = options.profile;
  if (wanted === undefined) return { stored, builtIn: BUILT_IN_PROFILES };
  if (wanted === 'none') return { stored: [], builtIn: [] };
  const chosen = stored.filter((profile) => profile.id === wanted || profile.slug === wanted);
  const builtIn = BUILT_IN_PROFILES.filter((profile) => profile.slug === wanted);
  if (chosen.length + builtIn.length === 0)
    throw validationError('profile', 'profile: send the id or slug of a profile, or none.');
  return { stored: chosen, builtIn };
}

/** The first stored profile with the signature of these cells. */
export function matchStored(
  cells: readonly string[] | null,
  width: number,
  profiles: readonly StoredProfile[],
): StoredProfile | undefined {
  if (profiles.length === 0) return undefined;
  const signature = headerSignature(cells, width);
  return profiles.find((profile) => profile.header_signature === signature);
}

/** The built-in profile that complements a stored one with this header. */
export function complementOf(cells: readonly string[]): BuiltInProfile | null {
  return matchBuiltIn(cells, BUILT_IN_PROFILES, 'strong') ?? matchBuiltIn(cells, BUILT_IN_PROFILES, 'weak') ?? null;
}

/** One header of a built-in profile. */
interface ParsedHeader {
  readonly profile: BuiltInProfile;
  readonly names: readonly { readonly name: string; readonly optional: boolean }[];
}

const PARSED: readonly ParsedHeader[] = BUILT_IN_PROFILES.flatMap((profile) =>
  profile.headers.map((header) => ({
    profile,
    names: header.split('|').map((name) => {
      const optional = name.startsWith('[');
      return { name: normalisedName(optional ? name.slice(1, -1) : name), optional };
    }),
  })),
);

/** The built-in profile whose header matches the most of these names. A strong one tolerates more columns at the end. */
export function matchBuiltIn(
  cells: readonly string[],
  profiles: readonly BuiltInProfile[],
  strength: 'strong' | 'weak',
): BuiltInProfile | undefined {
  const names = headerNames(cells);
  let best: BuiltInProfile | undefined;
  let most = 0;
  for (const parsed of PARSED) {
    if (parsed.profile.strength !== strength || !profiles.includes(parsed.profile)) continue;
    const matched = parsed.profile.anyOrder === true ? countInAnyOrder(parsed, names) : countInOrder(parsed, names);
    if (matched > most) {
      most = matched;
      best = parsed.profile;
    }
  }
  return best;
}

/** How many names match if the columns are in the order of the profile; 0 if they are not. */
function countInOrder(parsed: ParsedHeader, names: readonly string[]): number {
  let at = 0;
  let matched = 0;
  for (const { name, optional } of parsed.names) {
    if (names[at] === name) {
      at++;
      matched++;
    } else if (!optional) {
      return 0;
    }
  }
  const isWeak = parsed.profile.strength === 'weak';
  return isWeak && at < names.length ? 0 : matched;
}

/** How many names the profile has if the file has every one that it requires, in any order; else 0. */
function countInAnyOrder(parsed: ParsedHeader, names: readonly string[]): number {
  const set = new Set(names);
  return parsed.names.every(({ name, optional }) => optional || set.has(name)) ? parsed.names.length : 0;
}

/** Settings that all files with one header share. The others say what values mean, which depends on the account (36.12). */
const LAYOUT_SETTINGS = [
  'encoding',
  'delimiter',
  'has_header',
  'column_mapping',
  'has_debit_credit',
  'direction_values',
] as const satisfies readonly (keyof ProfileSettings)[];

/** Where a file goes. Without an account, `isSeveral` tells a file for several accounts from one whose account is unknown. */
interface FileTarget {
  readonly accountId: string | null;
  readonly isSeveral: boolean;
}

/**
 * The profiles as they apply to a file. Those of its own account come first and decide everything, as does one that the
 * request names or a person saved for every account. Those of other accounts decide only the layout: what they say about
 * the meaning of values is kept in `otherReadings`, as candidates.
 */
export function profilesFor(
  profiles: readonly StoredProfile[],
  { accountId, isSeveral }: FileTarget,
  chosen: string | undefined,
): readonly StoredProfile[] {
  const isOwn = (one: StoredProfile): boolean =>
    accountId === null ? isSeveral && one.account_id === null : one.account_id === accountId;
  const isNamed = ({ id, slug }: StoredProfile): boolean => id === chosen || slug === chosen;
  const decides = (one: StoredProfile): boolean => isOwn(one) || isNamed(one) || one.isGeneral === true;
  const others = new Map<string, ProfileSettings[]>();
  for (const one of profiles) {
    if (decides(one)) continue;
    const known = others.get(one.header_signature);
    if (known) known.push(one.settings);
    else others.set(one.header_signature, [one.settings]);
  }
  const withOthers = (one: StoredProfile): StoredProfile => ({
    ...one,
    otherReadings: others.get(one.header_signature) ?? [],
  });
  return [
    ...profiles.filter(isOwn).map(withOthers),
    ...profiles.filter((one) => decides(one) && !isOwn(one)).map(withOthers),
    ...profiles.filter((one) => !decides(one)).map((one) => withOthers(layoutOf(one))),
  ];
}

/** A profile reduced to its layout. Its bank and account type concern only the account it was learned from. */
function layoutOf(profile: StoredProfile): StoredProfile {
  const { settings } = profile;
  const kept = LAYOUT_SETTINGS.filter((key) => settings[key] !== undefined).map((key) => [key, settings[key]]);
  return { ...profile, institution_name: null, settings: Object.fromEntries(kept) };
}
