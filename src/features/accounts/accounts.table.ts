import type { z } from 'zod';

import type { AccountsTable, BalanceSnapshotsTable } from '../../db/schema.ts';
import { compareCodePoints, fold } from '../../kernel/fold.ts';
import { formatCents } from '../../kernel/money.ts';
import type { Account, BalanceSnapshot } from './accounts.contract.ts';
import type { AccountRow } from './accounts.queries.ts';
import type { BalanceCheckRecord } from './balance-checks.ts';

export type AccountRecord = z.output<typeof Account>;

export function toAccount(row: AccountRow, check: BalanceCheckRecord | undefined): AccountRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    name: row.name,
    display_name: row.display_name,
    official_name: row.official_name,
    type: row.type,
    subtype: row.subtype,
    mask: row.mask,
    iso_currency_code: row.iso_currency_code,
    ...toBalances(row),
    is_excluded: row.is_excluded === 1,
    is_dependent_linked: row.is_dependent_linked === 1,
    connection_id: row.connection_id,
    user_id: row.user_short_id,
    owner_user_id: row.owner_short_id,
    owner_user_name: row.owner_user_name,
    provider: row.provider as AccountRecord['provider'],
    institution_name: row.institution_name,
    balance_updated_at: row.balance_updated_at,
    connection_status: row.connection_status as AccountRecord['connection_status'],
    balance_check: check ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

type Cents = Pick<AccountsTable, 'balance_current_cents' | 'balance_available_cents' | 'balance_limit_cents'>;

/** The three balances as decimal strings; null if none is known. */
export function toBalances(cents: Cents) {
  return {
    balance_current: money(cents.balance_current_cents),
    balance_available: money(cents.balance_available_cents),
    balance_limit: money(cents.balance_limit_cents),
  };
}

export function toSnapshot(row: BalanceSnapshotsTable): z.output<typeof BalanceSnapshot> {
  return {
    date: row.date,
    iso_currency_code: row.iso_currency_code || null,
    ...toBalances(row),
    source: row.source as 'sync' | 'import' | 'manual',
    recorded_at: row.recorded_at,
  };
}

function money(cents: number | null): string | null {
  return cents === null ? null : formatCents(cents);
}

/** Sorts accounts by institution (those without one last), then by shown name, both ignoring case and accents, then by id. */
export function inListOrder(rows: readonly AccountRow[]): AccountRow[] {
  const keyed = rows.map((row) => ({
    row,
    institution: row.institution_name === null ? null : fold(row.institution_name),
    name: fold(row.display_name ?? row.name),
  }));
  keyed.sort(
    (a, b) =>
      nullsLast(a.institution, b.institution) ||
      compareCodePoints(a.name, b.name) ||
      compareCodePoints(a.row.id, b.row.id),
  );
  return keyed.map(({ row }) => row);
}

function nullsLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareCodePoints(a, b);
}
