import { sql } from 'kysely';

import type { ImportsTable } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import { dayNumber } from '../../../kernel/dates.ts';

const FINISHED = ['completed', 'partly_reverted', 'reverted'];
/** Rows deleted by a person or an agent still belong to the account; withdrawn ones may never have. */
const KEPT = ['person', 'agent'];

interface AccountOfImports {
  account_id: string;
  last_import_at: string;
}

/** Accounts that imports of this same file went to. Reverted imports count only if all of them are reverted. */
export async function selectAccountsOfFile(
  tx: ReadTx,
  sha256: string,
): Promise<{ fed: AccountOfImports[]; isReverted: boolean }> {
  const found = fed(tx).where('imports.file_sha256', '=', sha256);
  const inForce = await found.where('imports.status', '!=', 'reverted').execute();
  return inForce.length > 0 ? { fed: inForce, isReverted: false } : { fed: await found.execute(), isReverted: true };
}

/** Accounts that imports of files with this header, or of this format if it has none, went to; reverted ones too. */
export async function selectAccountsOfHeader(
  tx: ReadTx,
  headerSignature: string | null,
  formats: readonly string[],
): Promise<AccountOfImports[]> {
  const query = fed(tx);
  if (headerSignature !== null) return query.where('imports.header_signature', '=', headerSignature).execute();
  return query.where('imports.header_signature', 'is', null).where('imports.format', 'in', formats).execute();
}

/** Whether an import in force of a file with this header, or of this format if it has none, went to the account. */
export async function hasTakenSuch(
  tx: ReadTx,
  accountId: string,
  headerSignature: string | null,
  formats: readonly string[],
): Promise<boolean> {
  const found = fed(tx)
    .where('import_accounts.account_id', '=', accountId)
    .where('imports.status', '!=', 'reverted')
    .where('imports.header_signature', headerSignature === null ? 'is' : '=', headerSignature);
  return (await (headerSignature === null ? found.where('imports.format', 'in', formats) : found).execute()).length > 0;
}

function fed(tx: ReadTx) {
  return tx.q
    .selectFrom('imports')
    .innerJoin('import_accounts', 'import_accounts.import_id', 'imports.id')
    .select(['import_accounts.account_id', sql<string>`max(imports.created_at)`.as('last_import_at')])
    .where('imports.status', 'in', FINISHED)
    .groupBy('import_accounts.account_id')
    .orderBy('last_import_at', 'desc')
    .orderBy('import_accounts.account_id');
}

/** Finished imports of this same file, then of files with its header, each newest first. */
export async function selectImportsAlike(
  tx: ReadTx,
  sha256: string,
  headerSignature: string | null,
  formats: readonly string[],
  limit: number,
): Promise<Pick<ImportsTable, 'id' | 'file_sha256' | 'status' | 'detail'>[]> {
  const newest = tx.q
    .selectFrom('imports')
    .select(['id', 'file_sha256', 'status', 'detail'])
    .where('status', 'in', FINISHED)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  const ofFile = await newest.where('file_sha256', '=', sha256).execute();
  const others = newest.where('file_sha256', '!=', sha256);
  const ofHeader =
    headerSignature === null
      ? others.where('header_signature', 'is', null).where('format', 'in', formats)
      : others.where('header_signature', '=', headerSignature);
  return [...ofFile, ...(await ofHeader.execute())];
}

/** The days that the rows of an account cover. Withdrawn rows count only if there are no others. */
export interface CoveredDays {
  first: string;
  last: string;
  isWithdrawn: boolean;
}

export async function findCoveredDays(tx: ReadTx, accountId: string): Promise<CoveredDays | null> {
  for (const isWithdrawn of [false, true]) {
    const first = await edge(tx, accountId, isWithdrawn, 'asc');
    const last = first === undefined ? undefined : await edge(tx, accountId, isWithdrawn, 'desc');
    if (first !== undefined && last !== undefined) return { first, last, isWithdrawn };
  }
  return null;
}

async function edge(
  tx: ReadTx,
  accountId: string,
  isWithdrawn: boolean,
  direction: 'asc' | 'desc',
): Promise<string | undefined> {
  const row = await rowsOf(tx, accountId, { isWithdrawn })
    .select('date')
    .orderBy('date', direction)
    .orderBy('id', direction)
    .limit(1)
    .executeTakeFirst();
  return row?.date;
}

/** Passes on the day and amount of each row of an account between two days, without keeping them. */
export async function eachMovement(
  tx: ReadTx,
  accountId: string,
  { first, last, isWithdrawn }: CoveredDays,
  take: (day: number, amountCents: number) => void,
): Promise<void> {
  const rows = rowsOf(tx, accountId, { isWithdrawn })
    .select(['date', 'amount_cents'])
    .where('date', '>=', first)
    .where('date', '<=', last);
  for await (const row of tx.iterate(rows.compile())) take(dayNumber(row.date), row.amount_cents);
}

function rowsOf(tx: ReadTx, accountId: string, { isWithdrawn }: Pick<CoveredDays, 'isWithdrawn'>) {
  const rows = tx.q.selectFrom('transactions').where('account_id', '=', accountId).where('merged_into_id', 'is', null);
  return isWithdrawn
    ? rows
    : rows.where((row) => row.or([row('deleted_at', 'is', null), row('deleted_cause', 'in', KEPT)]));
}

/** Posted rows of an account between two days, with their currency. */
export async function selectHistory(
  tx: ReadTx,
  accountId: string,
  from: string,
  to: string,
): Promise<{ day: number; amountCents: number; currency: string | null }[]> {
  const rows = rowsOf(tx, accountId, { isWithdrawn: false })
    .select(['date', 'amount_cents', 'iso_currency_code'])
    .where('pending', '=', 0)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('date')
    .orderBy('id');
  const found = [];
  for await (const row of tx.iterate(rows.compile())) {
    found.push({
      day: dayNumber(row.date),
      amountCents: row.amount_cents,
      currency: row.iso_currency_code,
    });
  }
  return found;
}
