import type { AccountInFile } from '../../engines/imports/analysis.ts';
import { holdAgainst, type Held } from './account-candidates.ts';
import { nameOfValue } from './account-names.ts';
import { chooseHeld } from './choose-account.ts';
import { FOUND, type Found } from './found-account.ts';
import type { RememberedPlaces } from './remembered-places.ts';
import { named, withoutOtherNumber, type Resolving } from './target-account.ts';
import type { AccountRow } from './targets.queries.ts';

/** One account of a file with several, with what is known of it before its place is chosen. */
export interface Value {
  inFile: AccountInFile;
  /** As answers show it. */
  shown: string | null;
  /** As it is remembered. */
  key: string | null;
  hash: string | null;
  bound: AccountRow | undefined;
}

/** What earlier imports tell about the values of a file. */
export interface Remembered {
  places: RememberedPlaces;
  /** Those that such files went to; where the request names a connection, its own. */
  accounts: readonly AccountRow[];
}

/** Where the rows of a value go for all that earlier imports tell. */
export interface PlacedValue {
  found: Found;
  isLeftOut: boolean;
  /** Accounts among which the caller must choose; empty where only leaving out is known. */
  asked: readonly Held[] | null;
}

/**
 * The same file puts a value where it put it before. For another one the accounts that had the value, or have its name,
 * are held against its rows, so that equal names at two banks never mix.
 */
export async function chooseValue(
  input: Resolving,
  value: Value,
  remembered: Remembered,
  taken: ReadonlySet<string>,
): Promise<PlacedValue> {
  const { places, accounts } = remembered;
  const { key, hash, inFile } = value;
  const before = places.ofFile(key);
  if (before === null) return { found: FOUND.none, isLeftOut: true, asked: null };
  const own = accounts.find(({ id }) => id === before);
  if (own) return placed({ ...FOUND.file, account: own });
  const free = (await withoutOtherNumber(input.tx, accounts, hash)).filter(({ id }) => !taken.has(id));
  const wanted = named(free, nameOfValue(input.analysis, input.fileName, inFile));
  if (input.given.connection) return placed(wanted ? { ...FOUND.named, account: wanted } : FOUND.none);
  const were = places.ofHeader(key);
  const candidates = new Set(were.flatMap((id) => accounts.find((account) => account.id === id) ?? []));
  if (candidates.size === 0 && wanted) candidates.add(wanted);
  const held: Held[] = [];
  for (const account of candidates) {
    held.push(await holdAgainst(input.tx, { account, isSameFile: false }, input.analysis, inFile));
  }
  const chosen = chooseHeld(held) ?? chooseOwn(input, held);
  if (chosen) return placed(chosen);
  if (held.length === 0 && !were.includes(null)) return placed(FOUND.none);
  return { found: { ...FOUND.open, account: held[0]?.account ?? null }, isLeftOut: false, asked: held };
}

function placed(found: Found): PlacedValue {
  return { found, isLeftOut: false, asked: null };
}

/** Where accounts of several members could be meant, those of the caller come first. */
function chooseOwn({ given }: Resolving, held: readonly Held[]): Found | null {
  const { implied } = given.membership;
  if (!implied || held.some(({ stand }) => stand === 'meets')) return null;
  return chooseHeld(held.filter(({ account }) => account.owner_id === null || account.owner_id === implied.id));
}
