import type { AccountInFile, FileAnalysis } from '../../../engines/imports/analysis.ts';
import type { AppError } from '../../../kernel/errors.ts';
import { isKnownFormat } from './account-candidates.ts';
import { defaultName, freeName } from './account-naming.ts';
import { findNumbered, settleNumber, type NumberSettled } from './account-numbers.ts';
import { chooseAlike, chooseWithin, FOUND, type Found } from './choose-account.ts';
import { contradictionOf } from './contradicted-account.ts';
import { memberOf } from './given-target.ts';
import { findOwnRows } from './own-rows.ts';
import { valueKey } from './remembered-places.ts';
import { resolveOwn } from './resolve-own.ts';
import { resolveSeveral } from './resolve-several.ts';
import {
  accountsOfMember,
  findNamedAccount,
  newHomeOf,
  newAccount,
  toTarget,
  type TargetInput,
  type Target,
} from './target-account.ts';
import { boundElsewhere, boundOutside, ofAnotherMember, whichAccount } from './target-errors.ts';
import { selectAccountsOfConnection, type AccountRow } from './targets.queries.ts';

/**
 * The account that a file goes to, by the first rule of 36.4 that applies. Creates nothing.
 * @throws VALIDATION_ERROR if the request leaves account values open, INVALID_PARAMETER without a member
 */
export async function resolveTarget(input: TargetInput): Promise<Target> {
  const { fields } = input;
  const own = await findOwnRows(input);
  if (own) return resolveOwn(input, own);
  const values = accountsWithRows(input.analysis);
  const isListed = Object.keys(fields.accounts).length > 0 || fields.account_filter !== undefined;
  if (values.length > 1 || (isListed && values[0]?.file_value !== null)) return resolveSeveral(input, values);
  const inFile = values[0] as AccountInFile;
  const { number, found } = input.known
    ? { ...(await findNumbered(input, inFile)), found: input.known }
    : await findAccount(input, inFile);
  const { account } = found;
  const contradiction = account && isNamed(input, found) ? await contradictionOf(input, inFile, account) : null;
  const user = memberOf(input.given.membership, account?.owner_id ?? null);
  const newHome = account ? await newHomeOf(input.tx, account, user) : null;
  const target = {
    shownValue: null,
    account,
    newHome,
    created: account ? null : newAccount(input, inFile, await nameOfNew(input, inFile, user.id)),
    numbers: number === null ? [] : [number],
    found,
    inFile,
  };
  const { file_value: value } = inFile;
  const key = valueKey(inFile, input.numberKey);
  return {
    ...toTarget(input, user, new Map([[value, target]]), found.conflict ?? contradiction),
    keys: new Map(key === null ? [] : [[value, key]]),
  };
}

/** Whether the request names the account; a number in the file names it too, and is believed. */
function isNamed({ given, fields }: TargetInput, { evidence }: Found): boolean {
  const isByNumber = evidence.includes('content');
  return !isByNumber && (given.account !== null || given.connection !== null || fields.account_name !== undefined);
}

const NO_ROWS: AccountInFile = {
  file_value: null,
  iso_currency_code: null,
  row_count: 0,
  first_date: null,
  last_date: null,
  stated: null,
};

/** Accounts of the file that have rows; if none has, the first. */
function accountsWithRows({ accounts }: FileAnalysis): readonly AccountInFile[] {
  const filled = accounts.filter((one) => one.row_count > 0);
  return filled.length > 0 ? filled : [accounts[0] ?? NO_ROWS];
}

async function findAccount(input: TargetInput, inFile: AccountInFile): Promise<NumberSettled & { found: Found }> {
  const settled = await settleNumber(input, inFile);
  return { ...settled, found: await accountOf(input, inFile, settled) };
}

const SAME_NUMBER =
  'An account has the number in this file, but the file may be of another one: two banks can use the same number.';

async function accountOf(
  input: TargetInput,
  inFile: AccountInFile,
  { number, bound, isByRows, asked }: NumberSettled,
): Promise<Found> {
  const { tx, fields, given } = input;
  if (given.account) {
    const isOther = bound !== undefined && bound.id !== given.account.id;
    return { ...FOUND.given, account: given.account, conflict: isOther ? boundElsewhere(bound, given.account) : null };
  }
  const how = isByRows ? FOUND.numberAndRows : FOUND.number;
  if (bound) return { ...how, account: bound, conflict: conflictOf(input, bound) };
  const named = await findNamedAccount(tx, given, fields.account_name);
  if (named) return { ...FOUND.named, account: named };
  if (given.connection && fields.account_name === undefined) {
    const accounts = await selectAccountsOfConnection(tx, given.connection.id);
    if (accounts.length > 0) return chooseWithin(input, inFile, accounts);
  }
  if (given.connection || fields.account_name !== undefined) {
    return { ...FOUND.none, evidence: ['parameter'], isKnownFormat: await isKnownFormat(input) };
  }
  if (asked) {
    const conflict = whichAccount(SAME_NUMBER, asked, given.membership);
    return { ...FOUND.open, evidence: ['content'], account: asked[0]?.account ?? null, conflict };
  }
  return chooseAlike(input, inFile, number?.hash ?? null);
}

/** A number is bound to one account; the request may name another connection or member. */
function conflictOf({ given }: TargetInput, bound: AccountRow): AppError | null {
  const { connection, membership } = given;
  if (connection && bound.home_connection_id !== connection.id) return boundOutside(bound, connection);
  const { stated } = membership;
  return stated && bound.owner_id !== null && bound.owner_id !== stated.id
    ? ofAnotherMember(bound, stated, { isNumbered: true })
    : null;
}

/** The name of a new account, unique among the member's accounts unless the caller gives it. */
async function nameOfNew(
  { tx, fields, analysis, fileName, given }: TargetInput,
  inFile: AccountInFile,
  userId: string,
) {
  if (fields.account_name !== undefined) return fields.account_name;
  const name = defaultName(analysis, fileName, inFile);
  if (given.connection) return name;
  const own = await accountsOfMember(tx, userId);
  return freeName(
    own.map((account) => account.name),
    name,
  );
}
