import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { AccountInFile, BalanceResult, FileAnalysis } from '../../../engines/imports/analysis.ts';
import { mayOwe } from '../../../engines/imports/proof/statement-proof.ts';
import {
  compareByRows,
  provedAmong,
  type HistoryRow,
  type RowsCompared,
} from '../../../engines/matching/proof-by-rows.ts';
import { SharedDays, sortedMovements, type Movements } from '../../../engines/matching/shared-days.ts';
import { addDays, dayNumber } from '../../../kernel/dates.ts';
import { maskOf } from './account-naming.ts';
import { findAnchorBefore, selectSnapshots } from '../plan/balances.queries.ts';
import {
  eachMovement,
  findCoveredDays,
  selectAccountsOfFile,
  selectAccountsOfHeader,
  selectHistory,
  type CoveredDays,
} from './candidates.queries.ts';
import { effectOf, senseOf } from '../plan/ledger-proof.ts';
import { sumBetween } from '../plan/ledger.queries.ts';
import type { TargetInput } from './target-account.ts';
import { selectAccounts, type AccountRow } from './targets.queries.ts';

/** An account that similar files went to, or that a profile for this header names (36.4, rule 7). */
export interface PastTarget {
  readonly account: AccountRow;
  readonly isSameFile: boolean;
  /** Every import of this same file was reverted, perhaps because it went to this account. */
  readonly isReverted?: boolean;
}

/** How the rows of an account compare with a file over the days that both cover. */
export interface ComparedAccount {
  readonly account: AccountRow;
  readonly stand: 'meets' | 'differs' | 'open';
  readonly by: 'file' | 'undone' | 'rows' | 'balances' | null;
  readonly lastDate: string | null;
  /** Whether the file calls its account what this one is called; null if that is not known. */
  readonly isNamedSo: boolean | null;
}

/** The accounts that similar files went to, the most recent first. */
export async function selectPastTargets(
  tx: ReadTx,
  { header_signature: signature, format }: FileAnalysis,
  { sha256, profiles }: Pick<TargetInput, 'sha256' | 'profiles'>,
): Promise<PastTarget[]> {
  const { fed: same, isReverted } = await selectAccountsOfFile(tx, sha256);
  const alike = [...same, ...(await selectAccountsOfHeader(tx, signature, formatsLike(format)))];
  const named = profiles.flatMap((one) =>
    signature !== null && one.header_signature === signature && one.account_id !== null ? [one.account_id] : [],
  );
  if (alike.length + named.length === 0) return [];
  const accounts = new Map((await selectAccounts(tx)).map((account) => [account.id, account]));
  const sameIds = new Set(same.map((one) => one.account_id));
  return [...new Set([...alike.map((one) => one.account_id), ...named])].flatMap((id) => {
    const account = accounts.get(id);
    return account ? [{ account, isSameFile: sameIds.has(id), isReverted }] : [];
  });
}

/** Formats that count as similar for files without a header. */
export function formatsLike(format: FileAnalysis['format']): readonly string[] {
  return format === 'ofx' || format === 'qfx' ? ['ofx', 'qfx'] : [format];
}

/** Whether files with this header were imported before, to any account. */
export async function isKnownFormat({ tx, analysis, ...known }: TargetInput): Promise<boolean> {
  return analysis.header_signature !== null && (await selectPastTargets(tx, analysis, known)).length > 0;
}

/** Compares an account with the file as it would be read for that account. */
export async function compareWithFile(
  tx: ReadTx,
  { account, isSameFile, isReverted }: PastTarget,
  analysis: FileAnalysis,
  inFile: AccountInFile,
): Promise<ComparedAccount> {
  const cover = await findCoveredDays(tx, account.id);
  const base = { account, lastDate: cover?.last ?? null, isNamedSo: null };
  if (isSameFile) return { ...base, stand: 'meets', by: isReverted === true ? 'undone' : 'file' };
  const shared = sharedDays(cover, analysis.first_date, analysis.last_date);
  const stand = cover && shared ? await standOnSharedDays(tx, account, { cover, shared }, analysis, inFile) : 'open';
  if (stand === 'meets') return { ...base, stand, by: 'rows' };
  if (await isContinued(tx, account, analysis, inFile)) return { ...base, stand: 'meets', by: 'balances' };
  return { ...base, stand, by: null };
}

function sharedDays(cover: CoveredDays | null, first: string | null, last: string | null): CoveredDays | null {
  if (!cover || first === null || last === null) return null;
  const from = cover.first > first ? cover.first : first;
  const to = cover.last < last ? cover.last : last;
  return from <= to ? { ...cover, first: from, last: to } : null;
}

async function standOnSharedDays(
  tx: ReadTx,
  account: AccountRow,
  { cover, shared }: { cover: CoveredDays; shared: CoveredDays },
  analysis: FileAnalysis,
  inFile: AccountInFile,
): Promise<ComparedAccount['stand']> {
  const [firstDay, lastDay] = [dayNumber(shared.first), dayNumber(shared.last)];
  const ends = [cover.first, cover.last].map(dayNumber);
  const days = new SharedDays(movementsOf(analysis, inFile), { firstDay, lastDay, ends });
  await eachMovement(tx, account.id, shared, (day, amount) => days.meet(day, amount));
  return days.stand;
}

/** Whether the file's balances are the account's, or follow from its newest balance and the rows since. */
async function isContinued(
  tx: ReadTx,
  account: AccountRow,
  analysis: FileAnalysis,
  inFile: AccountInFile,
): Promise<boolean> {
  for (const result of analysis.balance_proof.results) {
    if (result.status === 'broken' || (result.file_value ?? inFile.file_value) !== inFile.file_value) continue;
    if ((await hasItsBalances(tx, account, result)) || (await opensWhereItStands(tx, account, result))) return true;
  }
  return false;
}

async function hasItsBalances(tx: ReadTx, account: AccountRow, result: BalanceResult): Promise<boolean> {
  const [first, last] = [result.closings[0], result.closings.at(-1)];
  if (!first || !last) return false;
  const currency = result.iso_currency_code ?? account.iso_currency_code ?? '';
  const known = new Map<string, number | null>();
  for (const one of await selectSnapshots(tx, account.id, first.date, last.date)) {
    if (one.iso_currency_code === currency) known.set(one.date, one.balance_current_cents);
  }
  const shared = result.closings.filter(({ date }) => typeof known.get(date) === 'number');
  const equal = shared.filter(({ date, balance_cents: cents }) => isSame(account, Number(known.get(date)), cents));
  // Every empty account has the same balance, so a zero proves nothing.
  return equal.some(({ balance_cents: cents }) => cents !== 0) && equal.length * 10 >= shared.length * 9;
}

async function opensWhereItStands(tx: ReadTx, account: AccountRow, result: BalanceResult): Promise<boolean> {
  const { opening_cents: opening, first_date: first } = result;
  if (opening === null || opening === 0 || first === null) return false;
  const currency = result.iso_currency_code ?? account.iso_currency_code;
  const anchor = await findAnchorBefore(tx, account.id, currency, first);
  if (anchor?.balance_current_cents == null) return false;
  const between = await sumBetween(tx, account.id, currency, anchor.date, first);
  const expected = BigInt(senseOf(account.type, result) * anchor.balance_current_cents) + effectOf(result, between);
  return isSame(account, Number(expected), opening);
}

/** Banks print what is owed with either sign, and the file alone does not say which. */
function isSame({ type }: AccountRow, one: number, other: number): boolean {
  return one === other || (mayOwe(type) && one === -other);
}

const NEAR_DAYS = 3;
const PAIRS_TO_ASK = 3;

interface BankAccounts {
  /** The account whose rows prove that the file belongs to it. */
  proved: AccountRow | null;
  /** Accounts that share rows with the file, but too few to prove it. */
  paired: AccountRow[];
}

/** Accounts that a bank feeds, or fed until its connection went, compared with a file row by row (36.4, rule 8). */
export async function compareWithBanks(
  tx: ReadTx,
  accounts: readonly AccountRow[],
  analysis: FileAnalysis,
  inFile: AccountInFile,
): Promise<BankAccounts> {
  const { first_date: first, last_date: last } = analysis;
  const candidates = accounts.filter((account) => isOfBank(account) && mayBe(account, inFile));
  if (candidates.length === 0 || first === null || last === null) return { proved: null, paired: [] };
  const file = historyOf(analysis, inFile);
  const compared: RowsCompared[] = [];
  for (const account of candidates) {
    const history = await selectHistory(tx, account.id, addDays(first, -NEAR_DAYS), addDays(last, NEAR_DAYS));
    compared.push(compareByRows(file, history));
  }
  const place = provedAmong(compared);
  return {
    proved: candidates[place] ?? null,
    paired: candidates.filter((_, at) => (compared[at] as RowsCompared).pairCount >= PAIRS_TO_ASK),
  };
}

function isOfBank({ provider }: AccountRow): boolean {
  return provider !== 'csv';
}

/** The file cannot belong to an account with another currency or another number. */
function mayBe(account: AccountRow, inFile: AccountInFile): boolean {
  const [currency, mask] = [inFile.iso_currency_code, maskOf(inFile)];
  const differs = (one: string | null, other: string | null): boolean =>
    one !== null && other !== null && one !== other;
  return !differs(account.iso_currency_code, currency) && !differs(account.mask, mask);
}

type ByValue = ReadonlyMap<string | null, Movements>;

const known = new WeakMap<FileAnalysis, ByValue>();
const NONE = sortedMovements(new Int32Array(0), new Float64Array(0));

/** Days and amounts of one account of a file, kept because several accounts are compared with them. */
function movementsOf(analysis: FileAnalysis, { file_value: value }: AccountInFile): Movements {
  const isOnly = analysis.accounts.length <= 1;
  let movements = known.get(analysis);
  if (!movements) {
    movements = movementsByValue(analysis, isOnly);
    known.set(analysis, movements);
  }
  return movements.get(isOnly ? null : value) ?? NONE;
}

/** Reads the file once for all its accounts. */
function movementsByValue(analysis: FileAnalysis, isOnly: boolean): ByValue {
  const columns = new Map<string | null, { days: number[]; amounts: number[] }>();
  for (const row of analysis.rows()) {
    if (row.outcome !== 'row') continue;
    const value = isOnly ? null : row.account_value;
    const column = columns.get(value) ?? { days: [], amounts: [] };
    columns.set(value, column);
    column.days.push(dayNumber(row.date as string));
    column.amounts.push(row.amount_cents as number);
  }
  return new Map(
    [...columns].map(([value, { days, amounts }]) => [
      value,
      sortedMovements(Int32Array.from(days), Float64Array.from(amounts)),
    ]),
  );
}

/** The posted rows of one account of a file, with their currency. */
export function historyOf(analysis: FileAnalysis, inFile: AccountInFile): HistoryRow[] {
  const rows: HistoryRow[] = [];
  const isOnly = analysis.accounts.length <= 1;
  for (const row of analysis.rows()) {
    if (row.outcome !== 'row' || row.pending || (!isOnly && row.account_value !== inFile.file_value)) continue;
    rows.push({
      day: dayNumber(row.date as string),
      amountCents: row.amount_cents as number,
      currency: row.iso_currency_code,
    });
  }
  return rows;
}
