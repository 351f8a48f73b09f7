import type { AccountInFile } from '../../../engines/imports/analysis.ts';
import { normalisedText } from '../../../engines/imports/text/cell-text.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { formatsLike } from './account-candidates.ts';
import { numberHash, numberOf } from './account-naming.ts';
import { selectImportsAlike } from './candidates.queries.ts';
import type { CreatedIds } from '../plan/describe-plan.ts';
import { placesOf } from '../records/imports.table.ts';
import type { Plan } from '../plan/plan.ts';
import type { TargetInput } from './target-account.ts';
import type { AccountRow } from './targets.queries.ts';

/** Where an import put the rows of one account value of its file; `account_id` is null if they were left out. */
export interface Place {
  readonly value: string;
  readonly account_id: string | null;
}

const NAME = 'name:';

/** An account value as it is stored and compared: a name as text, a number as its HMAC; null if the file has none. */
export function valueKey(inFile: AccountInFile, numberKey: Uint8Array | null): string | null {
  const number = numberOf(inFile);
  if (number !== null) return `number:${numberHash(numberKey, number)}`;
  const { file_value: value } = inFile;
  return value === null ? null : NAME + normalisedText(value);
}

/** Where an import puts the account values of its file. */
export function placesIn({ target, accounts }: Plan, { accountIds }: CreatedIds): Place[] {
  return [...target.keys].map(([fileValue, value]) => {
    const goesTo = target.accounts.get(fileValue);
    const account = goesTo ? accounts.find((one) => one.target === goesTo) : undefined;
    return { value, account_id: (account && accountIds.get(account)) ?? null };
  });
}

/** Where earlier imports of the same file, or of files with its header, put account values. */
export class RememberedPlaces {
  readonly #ofFile = new Map<string, string | null>();
  readonly #ofHeader = new Map<string, (string | null)[]>();
  readonly #values = new Map<string, Set<string>>();

  /** Must be called with the newest place first. */
  add({ value, account_id: accountId }: Place, isSameFile: boolean): void {
    if (isSameFile && !this.#ofFile.has(value)) this.#ofFile.set(value, accountId);
    const places = this.#ofHeader.get(value) ?? [];
    this.#ofHeader.set(value, places.includes(accountId) ? places : [...places, accountId]);
    if (accountId === null) return;
    this.#values.set(accountId, (this.#values.get(accountId) ?? new Set()).add(value));
  }

  /** Where imports of the same file put the value: an account, null if it was left out, undefined if not known. */
  ofFile(value: string | null): string | null | undefined {
    return value === null ? undefined : this.#ofFile.get(value);
  }

  /** Every place where files with this header put the value, the latest first; null where it was left out. */
  ofHeader(value: string | null): readonly (string | null)[] {
    return value === null ? [] : (this.#ofHeader.get(value) ?? []);
  }

  /** The account values that earlier files used for an account. */
  valuesOf(accountId: string): ReadonlySet<string> {
    return this.#values.get(accountId) ?? new Set();
  }
}

/** Reverted imports count only for values that no other import knows. */
export async function rememberedPlaces({ tx, analysis, sha256 }: TargetInput): Promise<RememberedPlaces> {
  const places = new RememberedPlaces();
  const { header_signature: signature, format } = analysis;
  const alike = await selectImportsAlike(tx, sha256, signature, formatsLike(format), LIMITS.importsRemembered);
  const inForce = alike.filter(({ status }) => status !== 'reverted');
  const known = new Set<string>();
  for (const one of [...inForce, ...alike.filter(({ status }) => status === 'reverted')]) {
    const isSameFile = one.file_sha256 === sha256;
    for (const place of placesOf(one)) {
      if (one.status === 'reverted' && known.has(place.value)) continue;
      places.add(place, isSameFile);
      if (one.status !== 'reverted') known.add(place.value);
    }
  }
  return places;
}

/**
 * Whether the file calls its account by this one's name, or by what an earlier file called it; null if the file has no
 * name for it, or nothing is known about earlier files.
 */
export function isNamedSo(key: string | null, account: AccountRow, places: RememberedPlaces): boolean | null {
  if (key === null || key === NAME || !key.startsWith(NAME)) return null;
  const names = [account.name, account.display_name ?? account.name].map((name) => NAME + normalisedText(name));
  const words = [...places.valuesOf(account.id)].filter((word) => word.startsWith(NAME));
  if (names.includes(key) || words.includes(key)) return true;
  return words.length === 0 ? null : false;
}
