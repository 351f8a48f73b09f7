import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { InputOf } from '../../contract/operation.ts';
import { cutPage, fingerprintOf, positionAfter } from '../../kernel/cursor.ts';
import { AppError, unknownId } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleRead, handleWrite, type WriteContext } from '../handler.ts';
import { reconcileLink, selectMatches, selectMatchesById, selectUnmatched } from '../transaction-matches/index.ts';
import { findTransactionId, transactionExists, transactionsById } from '../transactions/index.ts';
import type { Transaction } from '../transactions/transaction-record.contract.ts';
import * as contract from './account-links.contract.ts';
import { accountLinks, getLink } from './account-links.entity.ts';
import { NO_MATCHES, selectLinks, tallyMatches } from './account-links.queries.ts';
import { toLink } from './account-links.table.ts';
import { changeLink } from './change-link.ts';
import { detailOf, namesOf, type LinkDetail } from './link-detail.ts';
import { refuseUnlike } from './resemblance.ts';

export const listAccountLinks = handleRead(contract.listAccountLinks, async ({ tx }) => {
  const tallies = await tallyMatches(tx);
  return (await selectLinks(tx)).map((link) => toLink(link, tallies.get(link.id) ?? NO_MATCHES));
});

export const getAccountLink = handleRead(contract.getAccountLink, async ({ tx }, { params }) =>
  detailOf(tx, await getLink(tx, params.id)),
);

export const updateAccountLink = handleWrite(contract.updateAccountLink, 'account_link.update', change);
export const replaceAccountLink = handleWrite(contract.replaceAccountLink, 'account_link.update', change);

/** PUT and PATCH of a link: absent fields keep their values; 50.1.3 says what each change causes. */
async function change(
  { tx }: WriteContext,
  { params, body }: InputOf<typeof contract.updateAccountLink>,
): Promise<LinkDetail> {
  const link = await getLink(tx, params.id);
  const { match_tolerance_days, attribute, enabled } = body;
  if (enabled === true && link.is_enabled === 0 && !body.force) await refuseUnlike(tx, link);
  const changed = await changeLink(tx, link, {
    match_tolerance_days,
    is_attributing: flagOf(attribute),
    is_enabled: flagOf(enabled),
  });
  tx.journal.summarise(`Changed the link of ${await namesOf(tx, link)}`);
  return detailOf(tx, changed);
}

function flagOf(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0;
}

export const deleteAccountLink = handleWrite(
  contract.deleteAccountLink,
  'account_link.delete',
  async ({ tx }, { params }) => {
    const link = await getLink(tx, params.id);
    const names = await namesOf(tx, link);
    await accountLinks.remove(tx, link);
    tx.journal.summarise(`Deleted the link of ${names}`);
    return null;
  },
);

export const reconcileAccountLink = handleWrite(
  contract.reconcileAccountLink,
  'account_link.reconcile',
  async ({ tx }, { params, body }) => {
    const link = await getLink(tx, params.id);
    if (link.is_enabled === 0) {
      throw new AppError(
        'CONFLICT',
        'The account link is disabled. Enable it first: that also matches its transactions.',
      );
    }
    tx.journal.refine({ source: 'link' });
    tx.journal.summarise(`Matched the transactions of ${await namesOf(tx, link)} again`);
    if (!body?.dry_run) return reconcileLink(tx, link);
    return { ...(await tx.rehearse(() => reconcileLink(tx, link))), dry_run: true as const };
  },
);

export const listLinkMatches = handleRead(contract.listLinkMatches, async ({ tx }, { params, query }) => {
  const link = await getLink(tx, params.id);
  const { confidence: confidences } = query;
  const transactionId = await transactionOf(tx, query.transaction_id);
  const filters = { link: link.id, confidences: [...confidences].sort(), transactionId };
  const findMatch = async (id: string) => (await selectMatchesById(tx, [id])).get(id);
  const { limit, fingerprint, after } = await paging(query, filters, findMatch);
  const matches = await selectMatches(tx, link.id, { confidences, transactionId, limit: limit + 1, after });
  const { shown, end } = cutPage(matches, limit, fingerprint, (last) => ({ key: last.primary.date, id: last.id }));
  return { matches: shown, ...end };
});

/** @throws INVALID_PARAMETER */
async function transactionOf(tx: ReadTx, anyId: string | undefined): Promise<string | null> {
  if (anyId === undefined) return null;
  const id = await findTransactionId(tx, anyId);
  if (id === undefined) throw unknownId('transaction_id', 'transaction', anyId);
  return id;
}

export const listUnmatched = handleRead(contract.listUnmatched, async ({ tx }, { params, query }) => {
  const link = await getLink(tx, params.id);
  const filters = { link: link.id, side: query.side };
  const { limit, fingerprint, after } = await paging(query, filters, (id) => transactionExists(tx, id));
  const found = await selectUnmatched(tx, link, query.side, { limit: limit + 1, after });
  const { shown, end } = cutPage(found, limit, fingerprint, (last) => ({ key: last.date, id: last.id }));
  const ids = shown.map(({ id }) => id);
  const records = await transactionsById(tx, ids);
  const transactions = ids.map((id) => records.get(id)) as z.input<typeof Transaction>[];
  return { transactions, ...end };
});

interface Paging {
  limit: number;
  fingerprint: string;
  /** The last row of the page before; null for the first page. */
  after: { date: string; id: string } | null;
}

/** @throws INVALID_CURSOR */
async function paging(
  query: { limit?: number | undefined; cursor?: string | undefined },
  filters: Readonly<Record<string, unknown>>,
  findRow: (id: string) => Promise<unknown>,
): Promise<Paging> {
  const limit = query.limit ?? LIMITS.pageDefault;
  const fingerprint = fingerprintOf(filters);
  const position = await positionAfter(query.cursor, fingerprint, findRow);
  return { limit, fingerprint, after: position && { date: position.key, id: position.id } };
}
