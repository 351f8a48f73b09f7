import { LIMITS } from '../../kernel/limits.ts';
import type { DeliveredAccount, DeliveredTransaction, UnreadableRow } from '../provider.ts';
import { isObject, membersOf, readEssentials, readText } from '../read-values.ts';

/** A row of an account (contract 35.6). Of every account but a credit one, Teller's sign is the opposite of ours. */
export function readTransaction(
  row: unknown,
  { externalId: accountId, type, currency }: Pick<DeliveredAccount, 'externalId' | 'type' | 'currency'>,
  latest: string,
): DeliveredTransaction | UnreadableRow {
  if (!isObject(row)) return { externalId: null, externalAccountId: accountId, problem: 'it is not an object' };
  const { id, account_id: named, date, amount } = row;
  const essentials = readEssentials(row, { id, accountId: named, date, amount }, latest);
  if ('problem' in essentials) return essentials;
  if (essentials.externalAccountId !== accountId) {
    return { externalId: essentials.externalId, externalAccountId: accountId, problem: 'it names another account' };
  }
  const details = membersOf(row['details']);
  const merchantName = readText(membersOf(details['counterparty'])['name'], LIMITS.merchantNameChars);
  return {
    ...essentials,
    amountCents: type === 'credit' || essentials.amountCents === 0 ? essentials.amountCents : -essentials.amountCents,
    currency,
    pendingExternalId: null,
    pending: row['status'] === 'pending',
    authorizedDate: null,
    datetime: null,
    authorizedDatetime: null,
    name: readText(row['description']) ?? merchantName ?? '(no description)',
    merchantName,
    categoryPrimary: readText(details['category']),
    categoryDetailed: readText(row['type']),
    categoryConfidence: null,
    paymentChannel: row['type'] === 'card_payment' ? 'in_store' : 'other',
  };
}
