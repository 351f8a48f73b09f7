import { notFound } from '../../kernel/errors.ts';
import { handleBackground, originOf, Reply } from '../handler.ts';
import { keepAnswer } from '../idempotent-answer.ts';
import { writeLedger } from '../touched-rows.ts';
import { disconnect, endAccess } from '../linking/index.ts';
import { deleteConnection as operation } from './connections.contract.ts';
import { connections } from './connections.entity.ts';

/** The answer does not depend on the provider: it is stored with the first write, and what follows is always finished. */
export const deleteConnection = handleBackground(operation, async (context, { params, query }) => {
  const { instance, claim } = context;
  const { delete_transactions: deletesTransactions } = query;
  const origin = originOf(context, 'connection.disconnect');
  const { value: connection, changeSetId } = await writeLedger(instance, origin, async (tx) => {
    await context.requireMatch(tx);
    const row = await connections.find(tx, params.id);
    if (!row || (row.status === 'disconnected' && !deletesTransactions)) throw notFound('connection');
    await disconnect(tx, instance, row, { deletesTransactions });
    const name = row.institution_name ?? 'a bank';
    tx.journal.summarise(
      row.status === 'disconnected' ? `Deleted the transactions of ${name}` : `Disconnected ${name}`,
    );
    if (claim) await keepAnswer(tx, claim, { status: 204, headers: setHeader(tx.journal), body: null });
    instance.failpoint('disconnect:before-commit');
    return row;
  });
  instance.failpoint('disconnect:committed');
  if (connection.status !== 'disconnected') await endAccess(instance, connection);
  return new Reply(null, { headers: changeSetId === null ? {} : { 'x-change-set-id': changeSetId } });
});

function setHeader(journal: { isEmpty: () => boolean; changeSetId: string }): Record<string, string> {
  return journal.isEmpty() ? {} : { 'x-change-set-id': journal.changeSetId };
}
