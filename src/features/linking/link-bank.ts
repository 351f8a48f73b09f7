import type { ConnectionsTable, UsersTable } from '../../db/schema.ts';
import type { ComparedAccount } from '../../engines/sync/duplicate-connection.ts';
import { write, type Origin, type WriteTx } from '../../journal/write.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import type { Access, ItemState, Provider } from '../../providers/provider.ts';
import { connections } from '../connections/index.ts';
import type { Instance } from '../handler.ts';
import { asking, requireProvider, sealAccess } from '../providers/index.ts';
import { applyConnectionEvent, attachAccounts, requestSync, storeBalances } from '../sync/index.ts';
import { resolveMember } from '../users/index.ts';
import { deletePendingLink, findByItem, findPendingLink, storeCredentials } from './links.queries.ts';
import { exchangeOnce, isFresh } from './pending-links.ts';
import { refuseDuplicate } from './refuse-duplicate.ts';

/** What a bank's window returned, for a member. */
export interface BankToLink {
  readonly provider: string;
  /** The member who will own the connection, by UUID or short_id. */
  readonly userId: string;
  /** In the provider's own words. */
  readonly credentials: Readonly<Record<string, unknown>>;
  /** The part of the credentials that is secret. */
  readonly token: string;
  /** Without a name: as the provider calls the bank. */
  readonly institution: { readonly id: string | null; readonly name: string | null };
  /** The accounts that the window listed: they reveal a duplicate before anything is exchanged. */
  readonly accounts: readonly ComparedAccount[];
  readonly allowsDuplicate: boolean;
}

export interface LinkedBank {
  readonly connection: ConnectionsTable;
  /** False if the item was known, and has new credentials now. */
  readonly isNew: boolean;
}

export interface LinkContext<T> {
  readonly instance: Instance;
  readonly origin: Origin;
  /** Called in the write that makes the connection, or gives it new credentials; answers what the caller gets. */
  readonly onLinked: (tx: WriteTx, linked: LinkedBank) => Promise<T>;
}

/** An item that has been opened at its provider. */
interface OpenedItem {
  provider: Provider;
  access: Access;
  /** null: the accounts could not be read, so the first sync makes them. */
  state: ItemState | null;
  /** Of a token that works once. */
  pendingLinkId: string | null;
}

/**
 * Links a bank (contract 30.2.2): what can be refused is refused before the provider is asked, and everything is stored
 * in one write. The first sync starts by itself.
 * @throws INVALID_PARAMETER, PROVIDER_NOT_CONFIGURED, DUPLICATE_CONNECTION, PROVIDER_ERROR, VALIDATION_ERROR, CONFLICT
 */
export async function linkBank<T>({ instance, origin, onLinked }: LinkContext<T>, bank: BankToLink): Promise<T> {
  const member = await instance.database.read(async (tx) => getMember(tx, bank));
  const provider = await requireProvider(instance, bank.provider);
  if (isToldByWindow(bank)) {
    await instance.database.read(async (tx) =>
      refuse(tx, bank, { provider, memberId: member.id, accounts: bank.accounts, institution: bank.institution }),
    );
  }
  const item = await openItem(instance, provider, bank, member);
  instance.failpoint('link:opened');
  const { value } = await write(instance.database, origin, async (tx) => {
    const answer = await onLinked(tx, await store(tx, instance, bank, item));
    instance.failpoint('link:before-commit');
    return answer;
  });
  instance.failpoint('link:committed');
  return value;
}

/** Whether the window says enough to recognise a duplicate before anything is exchanged. */
function isToldByWindow({ accounts, institution: { id, name } }: BankToLink): boolean {
  return accounts.length > 0 && (id !== null || name !== null);
}

type Tx = Parameters<typeof resolveMember>[0];

async function getMember(tx: Tx, { userId }: BankToLink): Promise<UsersTable> {
  return resolveMember(tx, { given: userId, callerId: null });
}

interface Compared {
  provider: Provider;
  memberId: string;
  accounts: readonly ComparedAccount[];
  institution: BankToLink['institution'];
}

async function refuse(
  tx: Tx,
  bank: BankToLink,
  { provider, memberId, accounts, institution }: Compared,
): Promise<void> {
  if (bank.allowsDuplicate) return;
  await refuseDuplicate(tx, {
    provider: bank.provider,
    providerName: provider.traits.displayName,
    memberId,
    institutionId: institution.id,
    institutionName: institution.name,
    accounts,
  });
}

async function openItem(
  instance: Instance,
  provider: Provider,
  { token, credentials }: BankToLink,
  member: UsersTable,
): Promise<OpenedItem> {
  if (provider.traits.exchangesTokens !== true) {
    const access = await asking(provider, async () => provider.exchange(credentials));
    const state = await asking(provider, async () => provider.readItem(access));
    return { provider, access, state: own(state, access), pendingLinkId: null };
  }
  const { id, access } = await exchangeOnce(instance, provider, { token, credentials, memberId: member.id });
  const state = await asking(provider, async () => provider.readItem(access)).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'PROVIDER_ERROR') return null;
    throw error;
  });
  return { provider, access, state: state && own(state, access), pendingLinkId: id };
}

/** @throws VALIDATION_ERROR for access to another item than the one that was named */
function own(state: ItemState, { itemId }: Access): ItemState {
  if (state.item.id === itemId) return state;
  const path = 'credentials.enrollment_id';
  throw validationError(
    path,
    `${path}: the access token belongs to another enrollment. Send both as the window returned them.`,
  );
}

async function store(tx: WriteTx, instance: Instance, bank: BankToLink, item: OpenedItem): Promise<LinkedBank> {
  const member = await getMember(tx, bank);
  const { provider } = bank;
  const known = await findByItem(tx, { provider, itemId: item.access.itemId });
  const linked = known
    ? { connection: await linkAgain(tx, instance, bank, { member, known, item }), isNew: false }
    : { connection: await make(tx, instance, bank, { member, item }), isNew: true };
  if (item.pendingLinkId !== null) await deletePendingLink(tx, item.pendingLinkId);
  return linked;
}

/** New credentials for an item that is known (contract 30.2.2, update path). */
async function linkAgain(
  tx: WriteTx,
  instance: Instance,
  bank: BankToLink,
  { member, known, item }: { member: UsersTable; known: ConnectionsTable; item: OpenedItem },
): Promise<ConnectionsTable> {
  if (known.user_id !== member.id) {
    throw new AppError(
      'CONFLICT',
      'Another member has already linked this bank login. It can belong to only one member.',
    );
  }
  const isAnew = known.status === 'disconnected' ? { sync_position: null, history_completed_at: null } : {};
  const institution = institutionOf(bank, item, known);
  const columns = {
    credentials: await sealAccess(tx, instance, known.id, item.access),
    ...institution,
    linked_at: tx.now,
    ...isAnew,
  };
  await deletePendingLink(tx, known.id);
  tx.journal.refine({ action: 'connection.reauthenticate' });
  tx.journal.summarise(`Linked ${institution.institution_name} again`);
  const changed = await applyConnectionEvent(tx, instance, known, { kind: 'linked_again' }, { columns });
  return changed as ConnectionsTable;
}

async function make(
  tx: WriteTx,
  instance: Instance,
  bank: BankToLink,
  { member, item }: { member: UsersTable; item: OpenedItem },
): Promise<ConnectionsTable> {
  const { state, provider, access } = item;
  await refuseStale(tx, item);
  const reported = (state?.accounts ?? []).map(toCompared);
  const accounts = bank.accounts.length > 0 ? bank.accounts : reported;
  const named = institutionOf(bank, item);
  const institution = { id: named.institution_id, name: named.institution_name };
  await refuse(tx, bank, { provider, memberId: member.id, accounts, institution });
  const connection = await connections.create(
    tx,
    {
      user_id: member.id,
      provider: bank.provider,
      ...named,
      external_id: access.itemId,
      status: 'active',
      paused: 0,
      next_sync_at: tx.now,
      consecutive_failures: 0,
      consent_expires_at: state?.item.consentExpiresAt ?? null,
      linked_at: tx.now,
    },
    { revertible: false },
  );
  await storeCredentials(tx, connection.id, await sealAccess(tx, instance, connection.id, access));
  if (state) await storeBalances(tx, (await attachAccounts(tx, connection, state.accounts)).values(), 'unknown');
  await requestSync(tx, connection.id, { trigger: 'initial' });
  tx.afterCommit(() => instance.wakeSyncs());
  tx.journal.summarise(`Linked ${named.institution_name}`);
  return connection;
}

/** Once a pending link is old it is revoked, so it may not become a connection any more. @throws CONFLICT */
async function refuseStale(tx: WriteTx, { pendingLinkId }: OpenedItem): Promise<void> {
  if (pendingLinkId === null) return;
  const pending = await findPendingLink(tx, pendingLinkId);
  if (pending && isFresh(pending, tx.now)) return;
  throw new AppError('CONFLICT', 'Linking the bank took too long and was abandoned. Open the bank’s window again.');
}

/** As the window names the bank, else as the provider does, else as it is known. */
function institutionOf(
  { institution: { id, name } }: BankToLink,
  { state }: OpenedItem,
  known: Partial<Pick<ConnectionsTable, 'institution_id' | 'institution_name'>> = {},
) {
  return {
    institution_id: id ?? state?.item.institutionId ?? known.institution_id ?? null,
    institution_name: name ?? state?.item.institutionName ?? known.institution_name ?? 'Bank',
  };
}

function toCompared({ name, officialName, mask, type, subtype }: ItemState['accounts'][number]): ComparedAccount {
  return { names: [name, ...(officialName === null ? [] : [officialName])], mask, type, subtype };
}
