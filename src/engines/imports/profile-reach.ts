import type { ProfileSettings, StoredProfile } from './analysis.ts';

/** How a table is laid out is the same for every file with its header; how its values are meant is one account's (36.12). */
const LAYOUT = [
  'encoding',
  'delimiter',
  'has_header',
  'column_mapping',
  'has_debit_credit',
  'direction_values',
] as const satisfies readonly (keyof ProfileSettings)[];

/** The target that a file is read for: an account, several that files with this header went to before, or not known. */
export type ReadFor = { readonly accountId: string | null; readonly isSeveral: boolean };

/**
 * What remembered profiles tell of a file: those of its own account everything, and first; those of other accounts the
 * layout, and their readings only as candidates. A profile that the caller names counts as it is.
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

/** The bank and the kind of account are those of the account it was learned from, too. */
function layoutOf(profile: StoredProfile): StoredProfile {
  const { settings } = profile;
  const kept = LAYOUT.filter((key) => settings[key] !== undefined).map((key) => [key, settings[key]]);
  return { ...profile, institution_name: null, settings: Object.fromEntries(kept) };
}
