import { LIMITS } from '../../../kernel/limits.ts';

export type SyncWarningCode =
  | 'row_skipped'
  | 'amount_rounded'
  | 'cursor_reset'
  | 'balances_failed'
  | 'account_failed'
  | 'account_closed'
  | 'account_missing'
  | 'account_ambiguous'
  | 'removals_held_back'
  | 'balance_differs'
  | 'transactions_not_supported'
  | 'webhook_update_failed'
  | 'rule_failed';

/** Something that went wrong without stopping the sync (contract 30.7.5). */
export interface SyncWarning {
  readonly code: SyncWarningCode;
  /** Our own sentence, without text from the provider. */
  readonly message: string;
  readonly account_id: string | null;
  readonly external_id: string | null;
  /** How many rows it is about. */
  readonly count: number;
}

/** The warnings of a sync: the first ones, and how many there are. */
export class SyncWarnings {
  readonly kept: SyncWarning[] = [];
  count = 0;

  add(
    code: SyncWarningCode,
    message: string,
    about: Partial<Pick<SyncWarning, 'account_id' | 'external_id' | 'count'>> = {},
  ): void {
    this.count += 1;
    if (this.kept.length >= LIMITS.syncWarnings) return;
    this.kept.push({ code, message, account_id: null, external_id: null, count: 1, ...about });
  }

  /** As the log stores them. */
  columns() {
    return {
      warnings: JSON.stringify(this.kept),
      warning_count: this.count,
      warning_message: this.kept[0]?.message ?? null,
    };
  }
}
