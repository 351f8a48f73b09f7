import { showToast } from '../../components/toast-store.ts';
import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { startFrom } from '../../components/rule/rule-start.ts';
import type { RuleStart } from '../../lib/new-rule.ts';
import { askedOfBulk, startOf, whyNoRule } from './bulk.ts';
import { editRow, undoLast } from './edits.ts';
import type { View } from './filters.ts';
import type { Command } from './grid-keys.ts';
import { change, edit, grid } from './grid-store.ts';
import { findRow } from './row-cache.ts';
import { shown } from './sections.ts';
import { toggleRow } from './selecting.ts';

export const NEEDS_REVIEW = 'needs-review';

interface Rights {
  readOnly: string | undefined;
  view: View;
  /** Opens the editor with a rule that begins like this. */
  makeRule: (start: RuleStart) => void;
}

/** What a key does to the row with the cursor, or to all rows that are ticked. */
export function runOnRows(command: Exclude<Command, { what: 'move' | 'month' }>, { readOnly, makeRule }: Rights): void {
  if (command.what === 'everything') return selectEverything();
  const { cursor, selected, isEverything } = grid.get();
  const row = cursor?.id ? findRow(cursor.id) : undefined;
  if (command.what === 'select') {
    if (row && cursor) toggleRow(row, cursor);
    return;
  }
  if (readOnly !== undefined) return showToast(readOnly);
  if (command.what === 'undo') return void undoLast();
  if (command.what === 'new-rule') {
    if (selected.size === 0 && !isEverything) return row && makeRule(startFrom([row]) ?? {});
    const start = startOf(grid.get());
    return start ? makeRule(start) : showToast(whyNoRule(grid.get()) ?? '');
  }
  const asked = command.what === 'edit' ? command.cell : command.what;
  if (selected.size > 0 || isEverything) return askedOfBulk.set(asked);
  if (!row || !cursor) return;
  if (command.what === 'edit') return edit(row.id, command.cell);
  toggle(row, asked === 'flag' ? 'flag' : 'looked-at');
}

function selectEverything(): void {
  const { isEverything } = grid.get();
  const total = shown.sections.all.reduce((sum, { count }) => sum + count, 0);
  if (total > 0) change({ isEverything: !isEverything, selected: new Map(), anchor: null });
}

function toggle(row: TransactionRecord, what: 'flag' | 'looked-at'): void {
  if (what === 'flag') {
    const flagged = row.flagged_at === null;
    const shownAs = { flagged_at: flagged ? (row.updated_at ?? null) : null };
    void editRow(row, {
      field: 'flag',
      changes: { flagged },
      shown: shownAs,
      words: flagged ? 'Flagged' : 'Flag taken off',
    });
    return;
  }
  const tags = row.tags ?? [];
  if (!tags.includes(NEEDS_REVIEW)) return showToast('This transaction does not wait for a look.');
  const changes = { tags_to_remove: [NEEDS_REVIEW] };
  void editRow(row, {
    field: 'tags',
    changes,
    shown: { tags: tags.filter((tag) => tag !== NEEDS_REVIEW) },
    words: 'Looked at',
  });
}
