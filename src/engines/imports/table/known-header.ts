import type { StoredProfile } from '../analysis.ts';
import { BUILT_IN_PROFILES } from '../profiles/built-in-profiles.ts';
import { DateCell } from '../cells/date-cells.ts';
import { NumberCell } from '../cells/numbers.ts';
import { headerNames, headerSignature, matchBuiltIn } from '../profiles/profile-match.ts';
import { meaningsOf } from '../lexicon/synonyms.ts';

/** One of the first records of a file, which may be its header. */
export interface Head {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The record with the most known column names, if it has a date and an amount among them and no value (36.5.4). */
export function bySynonyms(heads: readonly Head[], latestYear: number): { head: Head; fields: number } | undefined {
  let best: { head: Head; fields: number } | undefined;
  for (const head of heads) {
    const fields = knownNames(head.cells, latestYear);
    if (fields > (best?.fields ?? 0)) best = { head, fields };
  }
  return best;
}

/** How many cells are known column names; 0 unless a date and an amount are among them, and no value. */
export function knownNames(cells: readonly string[], latestYear: number): number {
  const date = new DateCell(latestYear);
  const number = new NumberCell();
  if (cells.some((cell) => /\d/.test(cell) && (date.read(cell) || number.read(cell)))) return 0;
  let known = 0;
  let hasDate = false;
  let hasAmount = false;
  for (const cell of cells) {
    const meanings = meaningsOf(cell);
    if (meanings.size === 0) continue;
    known++;
    for (const meaning of meanings.keys()) {
      if (meaning.endsWith('_date')) hasDate = true;
      if (meaning === 'amount' || meaning === 'debit' || meaning === 'credit') hasAmount = true;
    }
  }
  return hasDate && hasAmount && known >= 2 ? known : 0;
}

/**
 * The profile of a person who said that such files have no header although a record looks like one (36.12). That
 * record identifies them: it is in each of these files, while many banks' files share a width.
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
