import type { CreatingSet, EntityUndo, RevertStatus } from '../../journal/undo.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { accounts } from '../accounts/index.ts';
import { resolveSuggestion, selectAcceptedBy } from './suggestions.queries.ts';

/** Undoes changes of accounts, and tells suggestions about accounts what became of the change set that accepted them. */
export const undo: EntityUndo = {
  ...accounts.undo,
  extended: accounts.undo,
  onStatusChanged: followAcceptance,
};

/** A suggestion is open again when its acceptance is reverted, and accepted again when that is reverted (30.9). */
async function followAcceptance(tx: BareWriteTx, { id, status }: CreatingSet & RevertStatus): Promise<void> {
  for (const row of await selectAcceptedBy(tx, id)) {
    // Those about transactions follow the two transactions themselves.
    if (row.kind !== 'same_account') continue;
    const isOpen = status === 'reverted';
    await resolveSuggestion(tx, row.id, {
      status: isOpen ? 'open' : 'accepted',
      resolved_at: isOpen ? null : (row.resolved_at ?? tx.now),
    });
  }
}
