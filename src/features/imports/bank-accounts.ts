import type { ReadTx } from '../../db/unit-of-work.ts';
import type { AccountInFile, FileAnalysis } from '../../engines/imports/analysis.ts';
import { compareByRows, provedAmong, type RowsCompared } from '../../engines/matching/proof-by-rows.ts';
import { addDays } from '../../kernel/dates.ts';
import { maskOf } from './account-number.ts';
import { selectHistory } from './candidates.queries.ts';
import { historyOf } from './file-movements.ts';
import type { AccountRow } from './targets.queries.ts';

const NEAR_DAYS = 3;
const PAIRS_TO_ASK = 3;

export interface BankAccounts {
  /** The one whose rows prove that the file is of it. */
  proved: AccountRow | null;
  /** Those that share rows with the file without a proof. */
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

export function isOfBank({ provider }: AccountRow): boolean {
  return provider !== 'csv';
}

/** An account of another currency or with another number is not the file's. */
function mayBe(account: AccountRow, inFile: AccountInFile): boolean {
  const [currency, mask] = [inFile.iso_currency_code, maskOf(inFile)];
  const differs = (one: string | null, other: string | null): boolean =>
    one !== null && other !== null && one !== other;
  return !differs(account.iso_currency_code, currency) && !differs(account.mask, mask);
}
