import type { ConnectionsTable } from '../../db/schema.ts';
import { AppError } from '../../kernel/errors.ts';
import type { WriteTx } from '../../journal/write.ts';
import { handleBackground, originOf, Reply } from '../handler.ts';
import { bankOfBody, linkBank, type LinkedBank } from '../linking/index.ts';
import { withClaim } from './claim-session.ts';
import { countAccounts, type SessionRow } from './hosted-links.queries.ts';
import { linkOnPage as operation } from './link-page.contract.ts';
import { useSession } from './link-guard.ts';
import { asLinkCreator } from './on-behalf.ts';
import { endWithResult, noteResult } from './session-result.ts';
import { refuseOther } from './start-link.ts';

/** Links the bank for the member that the link is for; the connection and the session's result are one write. */
export const linkOnPage = handleBackground(operation, async (context, { params, body: sent }) => {
  const { instance } = context;
  const session = await useSession(instance, params.token);
  if (session.action === 'relink')
    throw new AppError('FORBIDDEN', 'This link renews a login. It cannot connect a bank.');
  const body = await instance.checkBody(operation, sent);
  refuseOther(session, body.provider);
  const isSingle = session.is_single_use === 1;
  const bank = bankOfBody({ ...body, user_id: session.user_id });
  const origin = originOf(asLinkCreator(context, session), 'connection.create');
  const link = async ({ id }: SessionRow) =>
    linkBank({ instance, origin, onLinked: (tx, linked) => describe(tx, linked, { id, isSingle }) }, bank);
  const { answer, isNew } = isSingle
    ? await withClaim(instance, session, { canSpend: true }, link)
    : await link(session);
  return new Reply(answer, { status: isNew ? 201 : 200 });
});

async function describe(
  tx: WriteTx,
  { connection, isNew }: LinkedBank,
  { id, isSingle }: { id: string; isSingle: boolean },
) {
  await (isSingle ? endWithResult(tx, id, connection.id) : noteResult(tx, id, connection.id));
  return { answer: await toAnswer(tx, connection), isNew };
}

async function toAnswer(tx: WriteTx, { id, institution_name, status }: ConnectionsTable) {
  return { connection_id: id, institution_name, account_count: await countAccounts(tx, id), status };
}
