import { setTimeout } from 'node:timers/promises';

import type { z } from 'zod';

import type { UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import { bookkeep, write, type WriteTx } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { endLinks } from '../account-links/index.ts';
import { actorOf, handleBackground, Reply, type BackgroundContext, type Instance } from '../handler.ts';
import { completeAnswer, keepAnswer } from '../idempotent-answer.ts';
import { revokeAll, type BankAccess } from '../linking/index.ts';
import { accessOf } from '../providers/index.ts';
import { forgetInRules } from '../rules/index.ts';
import { wipeUserData as operation, type WipedData, type WipeRequest } from './users.contract.ts';
import { users } from './users.entity.ts';
import {
  countTransactionsOf,
  isEmpty,
  isWorkRunning,
  prepareWipe,
  selectCredentials,
  selectShared,
  selectWipeScope,
  type SharedAccount,
  type WipeScope,
} from './wipe-scope.queries.ts';
import { wipeTables } from './wipe-tables.queries.ts';

type Answer = z.output<typeof WipedData>;
type Request = z.output<typeof WipeRequest>;

/**
 * Erases what came through a member's connections (contract 20.11). An embedded database overwrites it in its file, at
 * the latest when its log has been copied there. A database server keeps it in its files until their next VACUUM.
 */
export const wipeUserData = handleBackground(operation, async (context, { params, body }) => {
  const { database } = context.instance;
  if (!body.dry_run) return wipeWhenIdle(context, params.id, body);
  return database.read(async (tx) => answerOf(tx, await openScope(tx, params.id, body), body));
});

/** @throws NOT_FOUND, CONFLICT */
async function openScope(tx: ReadTx, anyId: string, { include_shared: isIncluded }: Request): Promise<WipeScope> {
  const scope = await selectWipeScope(tx, await getUser(tx, anyId));
  const shared = isIncluded ? [] : await selectShared(tx, scope);
  if (shared.length > 0) throw sharedError(shared);
  return scope;
}

/** @throws NOT_FOUND */
async function getUser(tx: ReadTx, anyId: string): Promise<UsersTable> {
  const user = await users.find(tx, anyId);
  if (!user) throw notFound('household member');
  return user;
}

function sharedError(shared: readonly SharedAccount[]): AppError {
  const details = shared.map(({ account, userName, transactionCount: count }) => {
    const { id, short_id: shortId, name, display_name: displayName } = account;
    const has = count === 0 ? 'belongs to' : `has ${countOf(count, 'transaction')} of`;
    const message = `${displayName ?? name} (${shortId}) ${has} ${userName}.`;
    return { path: 'include_shared', message, account_id: id };
  });
  const message =
    'Some accounts are shared with other members; the details list them. Send include_shared=true to erase them too.';
  return new AppError('CONFLICT', message, { details });
}

async function answerOf(tx: ReadTx, scope: WipeScope, { dry_run }: Request): Promise<Answer> {
  return {
    status: 'ok',
    dry_run,
    deleted_connections: scope.connectionIds.length,
    deleted_accounts: scope.accountIds.length,
    deleted_transactions: await countTransactionsOf(tx, scope.accountIds),
    provider_revocations: { succeeded: 0, failed: 0 },
  };
}

/**
 * Wipes as soon as no other write is in progress. Syncs and imports that have not begun to write find their lease or
 * record erased, and store nothing. One that is writing has 10 seconds to end; after that nothing is changed.
 * @throws SYNC_IN_PROGRESS
 */
async function wipeWhenIdle(context: BackgroundContext, anyId: string, body: Request): Promise<Reply<Answer>> {
  const { database } = context.instance;
  const turn = { hasBegun: false, isGivenUp: false };
  const wiping = wipe(context, anyId, body, () => {
    if (turn.isGivenUp) throw inProgress();
    turn.hasBegun = true;
  });
  const waited = new AbortController();
  const isLate = setTimeout(LIMITS.wipeWaitMs, true, { signal: waited.signal }).catch(() => false);
  const ended = wiping.then(
    () => false,
    () => false,
  );
  if (await Promise.race([isLate, ended])) {
    const isRunning = await database.read(async (tx) =>
      isWorkRunning(tx, await selectWipeScope(tx, await getUser(tx, anyId))),
    );
    if (isRunning && !turn.hasBegun) {
      turn.isGivenUp = true;
      throw inProgress();
    }
  }
  waited.abort();
  return wiping;
}

function inProgress(): AppError {
  const message =
    'A sync or import into this member’s connections is still running. Nothing was changed. Wait until it has finished, then try again.';
  return new AppError('SYNC_IN_PROGRESS', message);
}

async function wipe(
  context: BackgroundContext,
  anyId: string,
  body: Request,
  onTurn: () => void,
): Promise<Reply<Answer>> {
  const { instance, principal, request, claim } = context;
  const origin = {
    actor: actorOf(principal),
    surface: request.surface,
    source: 'edit' as const,
    action: 'user.wipe_data',
    reason: request.reason,
    requestId: request.id,
  };
  const { value } = await write(instance.database, origin, async (tx) => {
    onTurn();
    const scope = await openScope(tx, anyId, body);
    const answer = await answerOf(tx, scope, body);
    const links = await selectBankAccess(tx, instance, scope.connectionIds);
    if (!isEmpty(scope)) await erase(tx, scope, answer);
    const headers: Record<string, string> = tx.journal.isEmpty() ? {} : { 'x-change-set-id': tx.journal.changeSetId };
    if (claim) await keepAnswer(tx, claim, { status: 200, headers, body: JSON.stringify(answer) });
    instance.failpoint('wipe:before-commit');
    return { answer, headers, links };
  });
  instance.database.checkpoint();
  const answer = { ...value.answer, provider_revocations: await revokeAll(instance, value.links) };
  if (claim && value.links.length > 0) {
    await bookkeep(instance.database, async (tx) => completeAnswer(tx, claim, JSON.stringify(answer)));
  }
  return new Reply(answer, { headers: value.headers });
}

/** What is revoked once the data is gone: the access to banks, as far as it is still stored. */
async function selectBankAccess(tx: ReadTx, instance: Instance, ids: readonly string[]): Promise<BankAccess[]> {
  const rows = await selectCredentials(tx, ids);
  return rows.map((row) => ({ provider: row.provider, access: accessOf(instance, row) }));
}

const ERASED = ['connection', 'account', 'account_link', 'transaction_match', 'transaction', 'comment'] as const;

async function erase(tx: WriteTx, scope: WipeScope, counts: Answer): Promise<void> {
  const { deleted_connections, deleted_accounts, deleted_transactions } = counts;
  await tx.overwriteDeleted();
  tx.journal.forbidRevert();
  await endLinks(tx, scope.accountIds);
  for (const type of ERASED) tx.journal.allowUnjournaled(type);
  await wipeTables(tx, await prepareWipe(tx, scope));
  for (const id of scope.accountIds) await forgetInRules(tx, id, { revertible: false });
  const after = { deleted_connections, deleted_accounts, deleted_transactions };
  journalOf('user').changed(tx, scope.user, { before: {}, after }, { revertible: false });
  const what = [
    countOf(deleted_connections, 'connection'),
    countOf(deleted_accounts, 'account'),
    countOf(deleted_transactions, 'transaction'),
  ];
  tx.journal.summarise(`Wiped the data of ${scope.user.name}: ${what.join(', ')}`);
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
