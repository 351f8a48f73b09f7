import { compareCodePoints, fold } from '../../../kernel/fold.ts';
import type { AttachedAccount } from '../accounts/attach-accounts.ts';

/** What a sync did in one account (contract 30.12). Each received row counts once in added, modified, unchanged, skipped. */
export interface AccountTally {
  readonly accountId: string;
  readonly accountName: string;
  /** In which its balance is compared with its rows. */
  currency: string | null;
  added: number;
  modified: number;
  removed: number;
  unchanged: number;
  skipped: number;
  balanceReported: boolean;
  balanceCheck: BalanceCheckRecord;
}

export interface BalanceCheckRecord {
  readonly status: 'agrees' | 'differs' | 'not_available';
  readonly difference: string | null;
  readonly since: string | null;
}

const NOT_AVAILABLE: BalanceCheckRecord = { status: 'not_available', difference: null, since: null };

/** The counts of a sync, by account. */
export class SyncTally {
  readonly #byAccount = new Map<string, AccountTally>();
  /** Rows that could not be read and name no account. */
  homelessSkipped = 0;

  of({ account }: Pick<AttachedAccount, 'account'>): AccountTally {
    const known = this.#byAccount.get(account.id);
    if (known) return known;
    const fresh: AccountTally = {
      accountId: account.id,
      accountName: account.display_name ?? account.name,
      currency: account.iso_currency_code,
      added: 0,
      modified: 0,
      removed: 0,
      unchanged: 0,
      skipped: 0,
      balanceReported: false,
      balanceCheck: NOT_AVAILABLE,
    };
    this.#byAccount.set(account.id, fresh);
    return fresh;
  }

  total(count: 'added' | 'modified' | 'removed' | 'unchanged' | 'skipped'): number {
    let total = count === 'skipped' ? this.homelessSkipped : 0;
    for (const tally of this.#byAccount.values()) total += tally[count];
    return total;
  }

  /** The columns of the log. */
  columns() {
    const tallies = [...this.#byAccount.values()].sort(byName);
    return {
      added_count: this.total('added'),
      modified_count: this.total('modified'),
      removed_count: this.total('removed'),
      unchanged_count: this.total('unchanged'),
      skipped_count: this.total('skipped'),
      accounts_affected: tallies.filter(({ added, modified, removed }) => added + modified + removed > 0).length,
      accounts: JSON.stringify(tallies.map(toRecord)),
    };
  }
}

function byName(one: AccountTally, other: AccountTally): number {
  return (
    compareCodePoints(fold(one.accountName), fold(other.accountName)) ||
    compareCodePoints(one.accountId, other.accountId)
  );
}

function toRecord(tally: AccountTally) {
  return {
    account_id: tally.accountId,
    account_name: tally.accountName,
    iso_currency_code: tally.currency,
    added_count: tally.added,
    modified_count: tally.modified,
    removed_count: tally.removed,
    unchanged_count: tally.unchanged,
    skipped_count: tally.skipped,
    balance_reported: tally.balanceReported,
    balance_check: tally.balanceCheck,
  };
}
