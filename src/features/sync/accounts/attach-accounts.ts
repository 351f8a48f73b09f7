import type { AccountsTable, ConnectionsTable } from '../../../db/schema.ts';
import type { AccountDecision } from '../../../engines/sync/accounts-plan.ts';
import { planAccounts } from '../../../engines/sync/plan-accounts.ts';
import type { WriteTx } from '../../../journal/write.ts';
import type { DeliveredAccount, FetchOutcome } from '../../../providers/provider.ts';
import { accounts } from '../../accounts/index.ts';
import {
  findFeed,
  getAccounts,
  putAccountAlias,
  putFeed,
  selectAccountAliases,
  selectCandidates,
  type AccountFeed,
} from './account-feeds.queries.ts';

/** An account as it is fed now. */
export interface AttachedAccount {
  readonly account: AccountsTable;
  readonly feed: AccountFeed;
  /** As the provider lists it; null if only rows name it. */
  readonly reported: DeliveredAccount | null;
  readonly isNew: boolean;
  /** Several accounts could be meant (30.8.1, 2b and 2c), so that a new one was made. */
  readonly isAmbiguous: boolean;
}

type Bank = Pick<ConnectionsTable, 'id' | 'user_id' | 'provider' | 'institution_id' | 'institution_name'>;

/**
 * Finds or makes the accounts that a provider reports (contract 30.8.1, rules 1 to 3), and feeds them from this
 * connection from now on. `named`: external ids that only rows have. Answers by external account id.
 */
export async function attachAccounts(
  tx: WriteTx,
  connection: Bank,
  listed: readonly DeliveredAccount[],
  named: readonly string[] = [],
): Promise<Map<string, AttachedAccount>> {
  const { provider } = connection;
  // A list that names an account twice means one account.
  const byId = new Map(listed.map((account) => [account.externalId, account]));
  const reported = [...byId.values()];
  const aliases = await selectAccountAliases(tx, provider, [...reported.map(({ externalId }) => externalId), ...named]);
  const decisions = planAccounts({
    provider,
    institution: { id: connection.institution_id, name: connection.institution_name },
    reported,
    aliases,
    candidates: await selectCandidates(tx, connection),
  });
  const known = await getAccounts(tx, [
    ...aliases.values(),
    ...decisions.flatMap(({ accountId }) => (accountId === null ? [] : [accountId])),
  ]);
  const attached = new Map<string, AttachedAccount>();
  for (const decision of decisions) {
    const account = byId.get(decision.externalId) as DeliveredAccount;
    const before = decision.accountId === null ? undefined : known.get(decision.accountId);
    attached.set(decision.externalId, await attach(tx, connection, account, before, decision));
  }
  for (const externalId of named) {
    if (attached.has(externalId)) continue;
    const before = known.get(aliases.get(externalId) ?? '');
    attached.set(externalId, await attachNamed(tx, connection, externalId, before));
  }
  return attached;
}

async function attach(
  tx: WriteTx,
  connection: Bank,
  reported: DeliveredAccount,
  before: AccountsTable | undefined,
  { undecidedIds }: AccountDecision,
): Promise<AttachedAccount> {
  const { externalId } = reported;
  const feed = before && (await findFeed(tx, before.id));
  const account = before
    ? await accounts.change(tx, before, followed(tx, connection, reported, before, feed), { revertible: false })
    : await make(tx, connection, reported);
  const isOpen = !reported.isClosed;
  const next = feedOf(tx, connection, { account, before: before ?? null, feed, externalId });
  const stored = {
    ...next,
    state: isOpen ? 'open' : 'closed',
    last_open_at: isOpen ? tx.now : next.last_open_at,
  };
  await putFeed(tx, stored);
  await putAccountAlias(tx, connection.provider, externalId, account.id);
  return { account, feed: stored, reported, isNew: !before, isAmbiguous: undecidedIds.length > 0 };
}

/** An account that rows name and no list: as it is, or a placeholder that the next account list completes. */
async function attachNamed(
  tx: WriteTx,
  connection: Bank,
  externalId: string,
  before: AccountsTable | undefined,
): Promise<AttachedAccount> {
  const feed = before && (await findFeed(tx, before.id));
  if (before && feed?.connection_id === connection.id) {
    return { account: before, feed, reported: null, isNew: false, isAmbiguous: false };
  }
  const unknown = { ...PLACEHOLDER, externalId };
  const account = before ?? (await make(tx, connection, unknown));
  const stored = feedOf(tx, connection, { account, before: before ?? null, feed, externalId });
  await putFeed(tx, stored);
  await putAccountAlias(tx, connection.provider, externalId, account.id);
  return { account, feed: stored, reported: null, isNew: !before, isAmbiguous: false };
}

const PLACEHOLDER = {
  persistentId: null,
  name: 'Account',
  officialName: null,
  type: 'other',
  subtype: null,
  mask: null,
  currency: null,
  isClosed: false,
  institution: null,
  balance: null,
} as const satisfies Omit<DeliveredAccount, 'externalId'>;

async function make(tx: WriteTx, connection: Bank, reported: DeliveredAccount): Promise<AccountsTable> {
  const { persistentId, officialName, externalId } = reported;
  const row = {
    connection_id: connection.id,
    provider: connection.provider,
    institution_name: reported.institution?.name ?? connection.institution_name,
    external_id: externalId,
    persistent_external_id: persistentId,
    name: reported.name === '' ? PLACEHOLDER.name : reported.name,
    official_name: officialName,
    type: reported.type,
    subtype: reported.subtype,
    mask: reported.mask,
    iso_currency_code: reported.currency,
    is_excluded: 0 as const,
    is_dependent_linked: 0 as const,
    is_dependent_by_hand: 0 as const,
  };
  return accounts.create(tx, row, { revertible: false });
}

/** What a known account takes over from the provider. A label, owner or exclusion that people gave it stays. */
function followed(
  tx: WriteTx,
  connection: Bank,
  reported: DeliveredAccount,
  before: AccountsTable,
  feed: AccountFeed | undefined,
) {
  const { externalId, officialName, persistentId } = reported;
  const isMoved = feed === undefined || feed.external_account_id !== externalId;
  const name = reported.name === '' ? before.name : reported.name;
  // A person who named the account for files should find it again under that name.
  const keepsName = before.provider === 'csv' && before.display_name === null && before.name !== name;
  return {
    connection_id: connection.id,
    provider: connection.provider,
    institution_name: reported.institution?.name ?? connection.institution_name ?? before.institution_name,
    external_id: externalId,
    persistent_external_id: persistentId ?? before.persistent_external_id,
    name,
    ...(keepsName ? { display_name: before.name } : {}),
    official_name: officialName ?? before.official_name,
    type: reported.type,
    subtype: reported.subtype ?? before.subtype,
    mask: reported.mask ?? before.mask,
    iso_currency_code: reported.currency ?? before.iso_currency_code,
    ...(isMoved ? { relinked_at: tx.now } : {}),
  };
}

interface Feeding {
  account: AccountsTable;
  /** The account before this sync; null if new. */
  before: AccountsTable | null;
  feed: AccountFeed | undefined;
  externalId: string;
}

/** The bank's side of an account. Data of another source is dropped with that source. */
function feedOf(tx: WriteTx, connection: Bank, { account, before, feed, externalId }: Feeding): AccountFeed {
  if (feed?.external_account_id === externalId) return { ...feed, connection_id: connection.id };
  return {
    account_id: account.id,
    connection_id: connection.id,
    external_account_id: externalId,
    position: null,
    wide_read_at: null,
    first_synced_at: tx.now,
    is_own: feed?.is_own ?? (before === null ? 1 : 0),
    compared_at: feed?.compared_at ?? null,
    last_open_at: tx.now,
    state: 'open',
    former_connection_id: feed?.former_connection_id ?? (before?.provider === 'csv' ? before.connection_id : null),
    anchor: null,
    differs_since: null,
    differs_count: 0,
    balance_check: null,
  };
}

/** What the provider says of the bank, where nothing was known. */
export function bankOf(
  { institution_id: id, institution_name: name }: Pick<ConnectionsTable, 'institution_id' | 'institution_name'>,
  { state }: FetchOutcome,
) {
  const item = state?.item;
  return { institution_id: id ?? item?.institutionId ?? null, institution_name: name ?? item?.institutionName ?? null };
}
