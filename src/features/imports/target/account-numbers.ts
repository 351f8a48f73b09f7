import type { AccountInFile } from '../../../engines/imports/analysis.ts';
import { otherFormsOf } from '../../../engines/imports/cells/account-number.ts';
import { compareByRows, type HistoryRow } from '../../../engines/matching/proof-by-rows.ts';
import { addDays } from '../../../kernel/dates.ts';
import { compareWithFile, historyOf, selectPastTargets, type ComparedAccount } from './account-candidates.ts';
import { numberHash, numberOf } from './account-naming.ts';
import { selectHistory } from './candidates.queries.ts';
import { judgeMarks, marksOf, namesBank, type MeantAccount, type StatedNumber } from './number-marks.ts';
import type { TargetInput } from './target-account.ts';
import { findAccountByNumber, selectMarks, type AccountRow } from './targets.queries.ts';

interface Numbered extends MeantAccount {
  readonly number: StatedNumber | null;
}

/** What the number in a file comes to: an account, or accounts to choose from. */
export interface NumberSettled {
  readonly number: StatedNumber | null;
  readonly bound: AccountRow | undefined;
  /** The rows of the file are in the account, although its number left that open. */
  readonly isByRows: boolean;
  readonly asked: readonly ComparedAccount[] | null;
}

/** Finds the account that the number in a file is bound to, in this or another form; compares the rows if in doubt. */
export async function settleNumber(input: TargetInput, inFile: AccountInFile): Promise<NumberSettled> {
  const { number, bound, isByNumberAlone, doubted } = await findNumbered(input, inFile);
  const isBound = bound !== undefined && (!isByNumberAlone || !(await isRefuted(input, bound, inFile)));
  const held = isBound ? [] : await holdAll(input, inFile, bound ? [bound] : doubted);
  const meets = held.filter(({ stand }) => stand === 'meets');
  const [only] = meets.length === 1 ? meets : [];
  if (only) return { number, bound: only.account, isByRows: true, asked: null };
  return { number, bound: isBound ? bound : undefined, isByRows: false, asked: held.length > 0 ? held : null };
}

/** Compares accounts with the file. One that the same file went to is it, whatever the others have. */
async function holdAll(
  input: TargetInput,
  inFile: AccountInFile,
  accounts: readonly AccountRow[],
): Promise<ComparedAccount[]> {
  const { tx, analysis } = input;
  const isOnly = analysis.accounts.length <= 1;
  const past = accounts.length > 0 && isOnly ? await selectPastTargets(tx, analysis, input) : [];
  const same = past.filter(({ isSameFile }) => isSameFile);
  const held: ComparedAccount[] = [];
  for (const one of same.length > 0 ? same : accounts.map((account) => ({ account, isSameFile: false }))) {
    held.push(await compareWithFile(tx, one, isOnly ? await input.readFor(one.account) : analysis, inFile));
  }
  return held;
}

/** The number as it is stored, and what earlier files bound to it. */
export async function findNumbered(input: TargetInput, inFile: AccountInFile): Promise<Numbered> {
  const { tx, numberKey, analysis } = input;
  const number = numberOf(inFile);
  if (number === null) return { number: null, bound: undefined, isByNumberAlone: false, doubted: [] };
  const hash = numberHash(numberKey, number);
  const holder = await findAccountByNumber(tx, hash);
  const marks = namesBank(number) ? [] : marksOf(analysis, inFile, numberKey);
  const stated = { hash, marks, holderId: holder?.id ?? null };
  if (marks.length > 0) return { number: stated, ...judgeMarks(marks, await selectMarks(tx, hash), holder) };
  let bound = holder;
  for (const form of bound ? [] : otherFormsOf(number)) {
    bound ??= await findAccountByNumber(tx, numberHash(numberKey, form));
  }
  return { number: stated, bound, isByNumberAlone: false, doubted: [] };
}

const NEAR_DAYS = 3;
const ROWS_TO_DOUBT = 3;

/** Whether both have rows of the same weeks, and not one in common: a number alone is no proof against that. */
async function isRefuted({ tx, analysis }: TargetInput, { id }: AccountRow, inFile: AccountInFile): Promise<boolean> {
  const { first_date: first, last_date: last } = analysis;
  if (first === null || last === null) return false;
  const ledger = await selectHistory(tx, id, addDays(first, -NEAR_DAYS), addDays(last, NEAR_DAYS));
  const file = historyOf(analysis, inFile);
  // The sign of the file may still be open.
  const turned = file.map((row): HistoryRow => ({ ...row, amountCents: -row.amountCents }));
  const [compared, other] = [compareByRows(file, ledger), compareByRows(turned, ledger)];
  return compared.sharedCount >= ROWS_TO_DOUBT && compared.pairCount === 0 && other.pairCount === 0;
}
