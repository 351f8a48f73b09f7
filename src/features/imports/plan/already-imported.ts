import type { ImportsTable } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { FileAnalysis } from '../../../engines/imports/analysis.ts';
import { sha256Hex } from '../../../kernel/crypto.ts';
import { AppError } from '../../../kernel/errors.ts';
import { findOwnerOfListed, selectImportsOfFile } from '../records/imports.queries.ts';
import { currencyOf } from '../records/imports.table.ts';
import type { Target } from '../target/target-account.ts';

/** Equal for two readings of one file that give the same rows (36.7.4). */
export function readingKey(analysis: FileAnalysis): string {
  const { mapping, detection } = analysis;
  const columns = Object.keys(mapping)
    .sort()
    .map((field) => [field, mapping[field]?.columns.map(({ index }) => index)]);
  const { date_format: date, decimal_separator: decimal, sign, fee_mode: fee } = detection;
  return sha256Hex(JSON.stringify([columns, date.value, decimal.value, sign.value, fee.value])).slice(0, 32);
}

/** The source of 36.1 as a short text, which rows carry. */
export function sourceKey(analysis: FileAnalysis): string {
  return sha256Hex(analysis.source).slice(0, 16);
}

/** An earlier import of the same file into one of the target accounts; an error if it was read another way. */
export async function alreadyImported(
  tx: ReadTx,
  target: Target,
  analysis: FileAnalysis,
  sha256: string,
): Promise<{ importId: string; error: AppError | null } | null> {
  const accountIds = [...target.accounts.values()].flatMap((one) => (one?.account ? [one.account.id] : []));
  if (accountIds.length === 0) return null;
  const earlier = await selectImportsOfFile(tx, sha256, accountIds);
  if (earlier.length === 0) return null;
  const key = readingKey(analysis);
  const other = earlier.find((one) => one.reading_key !== key || hasOtherCurrency(one, analysis, target));
  const [newest] = earlier;
  if (!other) return { importId: (newest as { id: string }).id, error: null };
  const owner = await findOwnerOfListed(tx, other);
  const error = new AppError(
    'ALREADY_IMPORTED',
    `This file was already imported, but was read differently (import ${owner.short_id}). Revert that import first, or read the file the same way.`,
    { members: { import_id: owner.id } },
  );
  return { importId: other.id, error };
}

/** An unknown currency equals any other. Where one was only assumed, the account's currency of today counts. */
function hasOtherCurrency(
  earlier: Pick<ImportsTable, 'currency_stated' | 'detail'>,
  { detection }: FileAnalysis,
  { accounts }: Target,
): boolean {
  const [only] = accounts.values();
  const ofAccount = accounts.size === 1 ? (only?.account?.iso_currency_code ?? null) : null;
  const before = earlier.currency_stated === 1 ? currencyOf(earlier) : (ofAccount ?? currencyOf(earlier));
  const now = detection.currency.value;
  return before !== null && now !== null && before !== now;
}
