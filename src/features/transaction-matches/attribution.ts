import { sql } from 'kysely';

import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { loadFacets, writeFacets, type FacetEdit, type Facets } from '../facets/index.ts';

/**
 * Whom links attribute primary rows to (contract 50.1.7). A row remembers the link that set its member, and is in one
 * live match at most, so the row and its match say everything.
 */

const AT_ONCE = 5_000;

/** What the live match of a row makes of it. */
interface Attributing {
  readonly linkId: string;
  readonly ownerId: string;
}

/**
 * Gives primary rows the member that their match says, and takes back what a match that is gone had set. Rows that a
 * person or agent attributed stay as they are. Links in `ended` attribute nothing any more.
 */
export async function settleAttribution(
  tx: WriteTx,
  primaryIds: Iterable<string>,
  { ended }: { ended?: string } = {},
): Promise<void> {
  // Neighbours in the table are written together.
  const ids = [...new Set(primaryIds)].sort();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const matches = await selectAttributing(tx, some, ended ?? null);
    const facets = await loadFacets(
      tx,
      [...new Set([...matches.keys(), ...(await selectAttributed(tx, some))])].sort(),
    );
    const edits = [...facets.values()].flatMap((before) => editOf(before, matches.get(before.id)) ?? []);
    await writeFacets(tx, edits);
  }
}

function editOf(before: Facets, match: Attributing | undefined): FacetEdit | undefined {
  const { attributedUserId: member, attributedByLinkId: setBy, locks } = before;
  if (locks.has('attribution')) return undefined;
  if (!match) return setBy === null ? undefined : edited(before, null, null, setBy);
  const isOpen = member === null || setBy !== null;
  const isSame = member === match.ownerId && setBy === match.linkId;
  return isOpen && !isSame ? edited(before, match.ownerId, match.linkId, match.linkId) : undefined;
}

/** `by`: the link that the timeline names. */
function edited(before: Facets, memberId: string | null, linkId: string | null, by: string): FacetEdit {
  return {
    before,
    after: { ...before, attributedUserId: memberId, attributedByLinkId: linkId },
    more: { before: {}, after: {}, internal: { account_link_id: by } },
  };
}

/** By primary row: the link of its live match and the member whom it attributes to; rows without are left out. */
async function selectAttributing(
  tx: ReadTx,
  primaryIds: readonly string[],
  ended: string | null,
): Promise<Map<string, Attributing>> {
  const { rows } = await sql<{ id: string; linkId: string; ownerId: string }>`
    select m.primary_transaction_id as id, m.account_link_id as "linkId",
      coalesce(a.owner_user_id, c.user_id) as "ownerId"
    from transaction_matches m
    join account_links l on l.id = m.account_link_id
    join accounts a on a.id = l.dependent_account_id
    left join connections c on c.id = a.connection_id
    where m.confidence <> 'rejected' and l.is_enabled = 1 and l.is_attributing = 1
      and coalesce(a.owner_user_id, c.user_id) is not null and l.id <> ${ended ?? ''}
      and ${tx.portable.inList(sql.ref('m.primary_transaction_id'), primaryIds)}`.execute(tx.q);
  return new Map(rows.map(({ id, ...match }) => [id, match]));
}

/** Those of these rows that a link attributed. */
async function selectAttributed(tx: ReadTx, primaryIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from transactions
    where attributed_by_link_id is not null and ${tx.portable.inList(sql.ref('id'), primaryIds)}`.execute(tx.q);
  return rows.map(({ id }) => id);
}

/** Brings the attributions of all live matches of a link in line with the link and the owner of its dependent account. */
export async function refreshAttribution(tx: WriteTx, link: Pick<AccountLinksTable, 'id'>): Promise<void> {
  await settleAttribution(tx, await selectUnsettled(tx, link.id));
}

/** Primary rows of a link's live matches that are not attributed as the link says. */
export async function selectUnsettled(tx: ReadTx, linkId: string): Promise<string[]> {
  const owner = await findOwner(tx, linkId);
  const isUnsettled =
    owner === null
      ? sql`t.attributed_by_link_id is not null`
      : sql`(t.attributed_user_id is null or (t.attributed_by_link_id is not null
          and (t.attributed_by_link_id <> ${linkId} or t.attributed_user_id <> ${owner})))`;
  const { rows } = await sql<{ id: string }>`
    select t.id from transaction_matches m join transactions t on t.id = m.primary_transaction_id
    where m.account_link_id = ${linkId} and m.confidence <> 'rejected' and ${isUnsettled}`.execute(tx.q);
  return rows.map(({ id }) => id);
}

/** UUID of the member whom the link attributes to; null for nobody. */
async function findOwner(tx: ReadTx, linkId: string): Promise<string | null> {
  const { rows } = await sql<{ owner: string | null }>`
    select coalesce(a.owner_user_id, c.user_id) as owner from account_links l
    join accounts a on a.id = l.dependent_account_id left join connections c on c.id = a.connection_id
    where l.id = ${linkId} and l.is_enabled = 1 and l.is_attributing = 1`.execute(tx.q);
  return rows[0]?.owner ?? null;
}
