import type { ConnectionsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { isSameLink, type ComparedLink } from '../../engines/sync/duplicate-connection.ts';
import { syncErrorMessage } from '../../engines/sync/sync-errors.ts';
import { AppError } from '../../kernel/errors.ts';
import { selectLiveLinks, type LinkedAccountRow } from './links.queries.ts';

/** A link that is about to be made. */
export interface NewLink extends ComparedLink {
  provider: string;
  providerName: string;
  /** UUID of the member. */
  memberId: string;
}

/**
 * Refuses a bank that the household has linked with one of these accounts, whoever did (contract 30.2.2).
 * @throws DUPLICATE_CONNECTION
 */
export async function refuseDuplicate(tx: ReadTx, link: NewLink): Promise<void> {
  const { connections, accounts } = await selectLiveLinks(tx, link.provider);
  const isSame = (one: ConnectionsTable): boolean => isSameLink(link, compared(one, accounts));
  const own = connections.find((one) => one.user_id === link.memberId && isSame(one));
  const existing = own ?? connections.find(isSame);
  if (!existing) return;
  throw new AppError('DUPLICATE_CONNECTION', own ? repair(own, link) : share(), {
    details: [{ path: 'connection_id', message: existing.id }],
  });
}

function compared(connection: ConnectionsTable, accounts: readonly LinkedAccountRow[]): ComparedLink {
  const own = accounts.filter(({ connection_id: id }) => id === connection.id);
  return {
    institutionId: connection.institution_id,
    institutionName: connection.institution_name,
    accounts: own.map(({ name, display_name: label, official_name: official, mask, type, subtype }) => ({
      names: [name, label, official].filter((one) => one !== null),
      mask,
      type,
      subtype,
    })),
  };
}

/** Links are scarce at providers, so the advice is to repair wherever that helps. */
function repair(connection: ConnectionsTable, link: NewLink): string {
  const id = connection.short_id;
  const problem = `This bank is already linked with the same accounts: connection ${id}.`;
  const way = isLostForGood(connection, link.providerName)
    ? `That link is permanently lost: disconnect it with DELETE /api/v1/connections/${id}, then link the bank again; accounts ` +
      'and history are kept.'
    : `If its login does not work, sign in again: POST /api/v1/connections/${id}/relink creates a page for that.`;
  return `${problem} ${way} allow_duplicate=true links the bank a second time.`;
}

function isLostForGood(
  { error_code: code, error_message: message, institution_name: institutionName }: ConnectionsTable,
  providerName: string,
): boolean {
  if (code === null) return false;
  return message === syncErrorMessage({ failureClass: 'item', code }, { institutionName, providerName });
}

function share(): string {
  return (
    'Another member has already linked this bank with the same account, such as a joint account. Open the bank’s window ' +
    'again and leave the shared account out. Or link it twice with allow_duplicate=true and accept the suggestion ' +
    'same_account, which keeps the copies out of the totals.'
  );
}
