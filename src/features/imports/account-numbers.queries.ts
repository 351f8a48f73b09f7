import type { BareWriteTx } from '../../db/unit-of-work.ts';

/**
 * Forgets which account numbers belong to which accounts, when the key of their hashes is lost: no file could match
 * them, and an account with a number that nothing matches would be taken for another one.
 */
export async function forgetAccountNumbers(tx: BareWriteTx): Promise<void> {
  await tx.q.deleteFrom('account_aliases').where('namespace', '=', 'number').execute();
}
