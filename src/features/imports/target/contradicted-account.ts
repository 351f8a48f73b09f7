import type { AccountInFile, FileAnalysis } from '../../../engines/imports/analysis.ts';
import { isCurrencyStated } from '../../../engines/imports/questions/currency.ts';
import type { AppError } from '../../../kernel/errors.ts';
import { formatsLike } from './account-candidates.ts';
import { hasTakenSuch } from './candidates.queries.ts';
import { isFedByFiles, type TargetInput } from './target-account.ts';
import { contradicted, type Settling } from './target-errors.ts';
import { selectAccounts, type AccountRow } from './targets.queries.ts';

const CARD = 'credit';

/** What the profile of the file, else its format, says about its account. */
interface KnownOfFile {
  readonly type: string | null;
  /** The one currency of the bank; null if the file or the caller states one. */
  readonly currency: string | null;
}

function knownOf({ profile, format, detection }: FileAnalysis, inFile: AccountInFile, isGiven: boolean): KnownOfFile {
  const isStated = isGiven || isCurrencyStated(detection.currency);
  return {
    type: format === 'csv' ? (profile?.known_type ?? null) : (inFile.stated?.type ?? null),
    currency: isStated ? null : (profile?.known_currency ?? null),
  };
}

/**
 * The question about an account that the request names and the file contradicts: a card's file for another account, or a
 * bank's file for an account in a currency that the bank does not have (36.4). null if nothing speaks against it.
 */
export async function contradictionOf(
  input: TargetInput,
  inFile: AccountInFile,
  account: AccountRow,
): Promise<AppError | null> {
  const { tx, analysis, fields, given } = input;
  const known = knownOf(analysis, inFile, fields.iso_currency_code !== undefined);
  const isKindOf = ({ type }: AccountRow): boolean => known.type === null || (known.type === CARD) === (type === CARD);
  const isCurrencyOf = ({ iso_currency_code: currency }: AccountRow): boolean =>
    known.currency === null || currency === null || currency === known.currency;
  const settling: Settling[] = [];
  if (!isKindOf(account) && fields.account_type !== account.type)
    settling.push({ path: 'account_type', value: account.type });
  if (!isCurrencyOf(account)) settling.push({ path: 'iso_currency_code', value: known.currency ?? '' });
  if (settling.length === 0) return null;
  const { header_signature: signature, format } = analysis;
  if (await hasTakenSuch(tx, account.id, signature, formatsLike(format))) return null;
  const fitting = (await selectAccounts(tx)).filter(
    (one) => one.owner_id === account.owner_id && isFedByFiles(one) && isKindOf(one) && isCurrencyOf(one),
  );
  const namedBy = given.account ? 'account_id' : fields.account_name === undefined ? 'connection_id' : 'account_name';
  return contradicted(account, { namedBy, fitting, settling });
}
