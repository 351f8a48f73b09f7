import type { ReadTx } from '../../db/unit-of-work.ts';
import { normalisedText } from '../../engines/imports/cell-text.ts';
import { selectCsvAccountNames } from './csv-accounts.queries.ts';

/** The csv account of a member that a file would find under this name (contract 36.4). */
export async function findNamesake(
  tx: ReadTx,
  userId: string,
  name: string,
): Promise<{ id: string; short_id: string } | undefined> {
  const wanted = normalisedText(name);
  const accounts = await selectCsvAccountNames(tx, userId);
  return accounts.find((account) =>
    [account.name, account.display_name].some((one) => one !== null && normalisedText(one) === wanted),
  );
}
