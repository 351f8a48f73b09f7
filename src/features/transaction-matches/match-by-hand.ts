import type { AccountLinksTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { unknownId, validationError } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { getMatchRecord } from './match-records.queries.ts';
import { findLinkBetween, findLinkByAnyId, findRows, type MatchedRow } from './matched-rows.queries.ts';
import { selectMatchesOfRows } from './stored-matches.queries.ts';
import { matchByHand as operation } from './transaction-matches.contract.ts';
import { transactionMatches, type MatchRow } from './transaction-matches.entity.ts';
import { confirmedElsewhere, makeConfirmed, takenByAnother } from './transaction-matches.handlers.ts';

export const matchByHand = handleWrite(operation, 'transaction_match.manual', async ({ tx }, { body }) => {
  const pair = await getPair(tx, body);
  const link = await getLink(tx, pair, body.account_link_id);
  refuseUnequal(pair);
  const ids = [pair.primary.id, pair.dependent.id];
  const isSame = (match: MatchRow): boolean =>
    match.primary_transaction_id === pair.primary.id && match.dependent_transaction_id === pair.dependent.id;
  const known = (await selectMatchesOfRows(tx, ids)).find(isSame);
  if (known?.confidence === 'confirmed') return getMatchRecord(tx, known.id);
  if ((await confirmedElsewhere(tx, ids)).length > 0) throw takenByAnother();
  const match = await makeConfirmed(tx, { primary: pair.primary.id, dependent: pair.dependent.id }, () =>
    known ? transactionMatches.change(tx, known, { confidence: 'confirmed' }) : createMatch(tx, link, pair),
  );
  tx.journal.summarise('Matched two transactions by hand');
  return getMatchRecord(tx, match.id);
});

interface RowPair {
  primary: MatchedRow;
  dependent: MatchedRow;
}

/** @throws INVALID_PARAMETER for an id that no live transaction has */
async function getPair(
  tx: WriteTx,
  body: { primary_transaction_id: string; dependent_transaction_id: string },
): Promise<RowPair> {
  const rows = await findRows(tx, [body.primary_transaction_id, body.dependent_transaction_id]);
  const get = (field: keyof typeof body): MatchedRow => {
    const row = rows.get(body[field]);
    if (!row || row.deletedAt !== null) throw unknownId(field, 'transaction', body[field]);
    return row;
  };
  return { primary: get('primary_transaction_id'), dependent: get('dependent_transaction_id') };
}

/** @throws INVALID_PARAMETER, VALIDATION_ERROR */
async function getLink(
  tx: WriteTx,
  { primary, dependent }: RowPair,
  anyId: string | undefined,
): Promise<AccountLinksTable> {
  const given = anyId === undefined ? undefined : await findLinkByAnyId(tx, anyId);
  if (anyId !== undefined && !given) throw unknownId('account_link_id', 'account link', anyId);
  const link = given ?? (await findLinkBetween(tx, primary.accountId, dependent.accountId));
  const joins = link?.primary_account_id === primary.accountId && link.dependent_account_id === dependent.accountId;
  if (link && joins) return link;
  throw validationError(
    'primary_transaction_id',
    given
      ? 'The link does not join the accounts in this direction: the primary transaction must be in its primary account, the dependent one in its dependent account.'
      : 'No account link joins the accounts of the two transactions in this direction. Link the accounts first, or swap the transactions.',
  );
}

/** @throws VALIDATION_ERROR */
function refuseUnequal({ primary, dependent }: RowPair): void {
  const pending = primary.isPending ? 'primary_transaction_id' : 'dependent_transaction_id';
  if (primary.isPending || dependent.isPending) {
    throw validationError(pending, `${pending}: the transaction is pending. Match it once it is posted.`);
  }
  if (primary.currency !== dependent.currency) {
    throw validationError('dependent_transaction_id', 'The two transactions have different currencies.');
  }
}

async function createMatch(tx: WriteTx, link: AccountLinksTable, pair: RowPair): Promise<MatchRow> {
  return transactionMatches.create(tx, {
    account_link_id: link.id,
    primary_transaction_id: pair.primary.id,
    dependent_transaction_id: pair.dependent.id,
    confidence: 'confirmed',
    matched_on: JSON.stringify(['manual']),
  });
}
