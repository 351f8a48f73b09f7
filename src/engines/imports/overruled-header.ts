import type { StoredProfile } from './analysis.ts';
import { BUILT_IN_PROFILES } from './built-in-profiles.ts';
import { bySynonyms } from './known-header.ts';
import type { Head } from './known-header.ts';
import { headerNames, headerSignature, matchBuiltIn } from './profile-match.ts';

/**
 * The profile of a person who said that such files have no header although a record looks like one (36.12). The record
 * is in each of them, so it tells that this is such a file: a width alone is shared by files of many banks.
 */
export function overrulingProfile(
  heads: readonly Head[],
  profiles: readonly StoredProfile[],
  isChosen: boolean,
): StoredProfile | undefined {
  if (isChosen) return profiles.find(isHeaderless);
  if (!profiles.some(isHeaderless)) return undefined;
  for (const { cells } of heads) {
    const signature = headerSignature(cells, cells.length);
    const first = profiles.find((one) => one.header_signature === signature || hasSeen(one, signature));
    if (first) return isHeaderless(first) ? first : undefined;
  }
  return undefined;
}

function isHeaderless({ settings }: StoredProfile): boolean {
  return settings.has_header === false;
}

function hasSeen(profile: StoredProfile, signature: string): boolean {
  const { headers = [] } = profile;
  return isHeaderless(profile) && headers.length > 0 && headerSignature(headers, headers.length) === signature;
}

/** The record that would be the header if nobody said that there is none. */
export function overruledHeader(heads: readonly Head[], latestYear: number): readonly string[] | null {
  const known = heads.find(({ cells }) => matchBuiltIn(cells, BUILT_IN_PROFILES, 'strong') !== undefined);
  const head = known ?? bySynonyms(heads, latestYear)?.head;
  return head === undefined ? null : head.cells.slice(0, headerNames(head.cells).length).map((name) => name.trim());
}
