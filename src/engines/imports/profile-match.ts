import { sha256Hex } from '../../kernel/crypto.ts';
import { validationError } from '../../kernel/errors.ts';
import type { ProfileSettings, ReadOptions, StoredProfile } from './analysis.ts';
import { BUILT_IN_PROFILES } from './built-in-profiles.ts';
import type { BuiltInProfile } from './built-in-profiles.ts';
import { normalisedName } from './cell-text.ts';

/**
 * The profile that fits a header: a stored one, or a built-in one. A stored one says how the file was read; what
 * else is known about the bank (its status words, misleading columns) still comes from the built-in one.
 */
export type ProfileMatch =
  | { readonly stored: StoredProfile; readonly builtIn: BuiltInProfile | null }
  | { readonly stored: null; readonly builtIn: BuiltInProfile };

/** Normalised header names without the empty ones at the end. */
export function headerNames(cells: readonly string[]): string[] {
  const names = cells.map(normalisedName);
  while (names.length > 0 && names.at(-1) === '') names.pop();
  return names;
}

/** The header signature of 36.1; null cells = a file of `width` columns without header. */
export function headerSignature(cells: readonly string[] | null, width: number): string {
  return sha256Hex(cells === null ? `headerless:${width}` : headerNames(cells).join('\u001f'));
}

/** Which profiles may be used at all, by the `profile` field. */
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
    throw validationError('profile', 'There is no such profile. Use its slug, or none.');
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

/** The built-in profile below a stored one; `profile: none` never comes here. */
export function basisOf(cells: readonly string[]): BuiltInProfile | null {
  return matchBuiltIn(cells, BUILT_IN_PROFILES, 'strong') ?? matchBuiltIn(cells, BUILT_IN_PROFILES, 'weak') ?? null;
}

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

/** The built-in profile with the most names whose header these cells are; further columns at the end are tolerated. */
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
    const matched = parsed.profile.anyOrder === true ? containsAll(parsed, names) : matchedInOrder(parsed, names);
    if (matched > most) {
      most = matched;
      best = parsed.profile;
    }
  }
  return best;
}

function matchedInOrder(parsed: ParsedHeader, names: readonly string[]): number {
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

function containsAll(parsed: ParsedHeader, names: readonly string[]): number {
  const set = new Set(names);
  return parsed.names.every(({ name, optional }) => optional || set.has(name)) ? parsed.names.length : 0;
}

/** Every file with a header shares its layout; what its values mean belongs to one account (36.12). */
const LAYOUT = [
  'encoding',
  'delimiter',
  'has_header',
  'column_mapping',
  'has_debit_credit',
  'direction_values',
] as const satisfies readonly (keyof ProfileSettings)[];

/** The target of a file: an account, several that took files with this header before, or unknown. */
type ReadFor = { readonly accountId: string | null; readonly isSeveral: boolean };

/**
 * What remembered profiles may decide: those of the file's own account everything, and first; those of other accounts
 * only the layout, their readings being candidates. A profile that the caller names counts fully.
 */
export function profilesFor(
  profiles: readonly StoredProfile[],
  { accountId, isSeveral }: ReadFor,
  chosen: string | undefined,
): readonly StoredProfile[] {
  const isOwn = (one: StoredProfile): boolean =>
    accountId === null ? isSeveral && one.account_id === null : one.account_id === accountId;
  const isNamed = ({ id, slug }: StoredProfile): boolean => id === chosen || slug === chosen;
  const counts = (one: StoredProfile): boolean => isOwn(one) || isNamed(one) || one.isGeneral === true;
  const others = new Map<string, ProfileSettings[]>();
  for (const one of profiles) {
    if (counts(one)) continue;
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
    ...profiles.filter((one) => counts(one) && !isOwn(one)).map(withOthers),
    ...profiles.filter((one) => !counts(one)).map((one) => withOthers(layoutOf(one))),
  ];
}

/** The bank and the kind of account belong to the account it was learned from, too. */
function layoutOf(profile: StoredProfile): StoredProfile {
  const { settings } = profile;
  const kept = LAYOUT.filter((key) => settings[key] !== undefined).map((key) => [key, settings[key]]);
  return { ...profile, institution_name: null, settings: Object.fromEntries(kept) };
}
