import { NO_CALLER, type Instance } from '../handler.ts';
import { selectAffected } from './affected-rows.queries.ts';
import { selectEnabledLinks } from './open-rows.queries.ts';
import { reconcileAccountLinks, reconcileEach, type ReconcileCause } from './reconcile-account-links.ts';

/**
 * Reconciles every enabled link of these accounts, the oldest first, each with a change set of its own (contract 50.1.3).
 * In a thread where there are threads. @throws what stopped it
 */
export async function reconcileNow(instance: Instance, cause: ReconcileCause): Promise<void> {
  const links = await instance.database.read((tx) => selectEnabledLinks(tx, cause.accountIds));
  if (links.length === 0) return;
  await instance.runTask(reconcileAccountLinks, cause, NO_CALLER);
}

/** The same, but a failure is only logged: the next run repairs it. */
export async function reconcileAfter(instance: Instance, cause: ReconcileCause): Promise<void> {
  await logged(instance, () => reconcileNow(instance, cause));
}

/** Reconciles the links whose rows a change set touched. A failure is only logged. */
export async function reconcileAfterWrite(instance: Instance, changeSetId: string): Promise<void> {
  await logged(instance, async () => {
    const affected = await instance.database.read((tx) => selectAffected(tx, changeSetId));
    if (affected.accountIds.length === 0) return;
    if (affected.amounts === null) await reconcileNow(instance, { accountIds: affected.accountIds });
    else await reconcileEach(instance, { accountIds: affected.accountIds }, affected.amounts);
  });
}

async function logged(instance: Instance, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    instance.logger.error(
      { err: error },
      'Account links could not be reconciled after a change. The next change will reconcile them.',
    );
  }
}
