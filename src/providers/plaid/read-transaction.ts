import { isDateOnly, parseInstant } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { DeliveredTransaction, RemovedRow, UnreadableRow } from '../provider.ts';
import {
  EARLIEST_DATE,
  isObject,
  membersOf,
  readEssentials,
  readId,
  readText,
  type JsonObject,
} from '../read-values.ts';

/** A row of `added` or `modified` (contract 35.2). Its amount already has our sign. */
export function readTransaction(row: unknown, latest: string): DeliveredTransaction | UnreadableRow {
  if (!isObject(row)) return { externalId: null, externalAccountId: null, problem: 'it is not an object' };
  const { transaction_id: id, account_id: accountId, date, amount } = row;
  const essentials = readEssentials(row, { id, accountId, date, amount }, latest);
  if ('problem' in essentials) return essentials;
  const category = membersOf(row['personal_finance_category']);
  const merchantName = readText(row['merchant_name'], LIMITS.merchantNameChars);
  return {
    ...essentials,
    ...readCurrency(row),
    pendingExternalId: readId(row['pending_transaction_id']),
    pending: row['pending'] === true,
    authorizedDate: readDate(row['authorized_date'], latest),
    datetime: readInstant(row['datetime']),
    authorizedDatetime: readInstant(row['authorized_datetime']),
    name: readText(row['name']) ?? merchantName ?? '(no description)',
    merchantName,
    categoryPrimary: readText(category['primary']),
    categoryDetailed: readText(category['detailed']),
    categoryConfidence: readText(category['confidence_level']),
    paymentChannel: readChannel(row['payment_channel']),
  };
}

/** An entry of `removed`; one without an id removes nothing. */
export function readRemoved(row: unknown): RemovedRow | undefined {
  const { transaction_id: id, account_id: accountId } = membersOf(row);
  const externalId = readId(id);
  return externalId === null ? undefined : { externalId, externalAccountId: readId(accountId) };
}

/** The ISO code of a row, an account or a balance; null where there is none. */
export function readIsoCode(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : null;
}

function readCurrency(row: JsonObject): Pick<DeliveredTransaction, 'currency' | 'hasUnofficialCurrency'> {
  const currency = readIsoCode(row['iso_currency_code']);
  const isUnofficial = currency === null && readText(row['unofficial_currency_code']) !== null;
  return isUnofficial ? { currency, hasUnofficialCurrency: true } : { currency };
}

/** The date of authorization lies within the same limits as that of the row. */
function readDate(value: unknown, latest: string): string | null {
  return typeof value === 'string' && isDateOnly(value) && EARLIEST_DATE <= value && value <= latest ? value : null;
}

function readInstant(value: unknown): string | null {
  return typeof value === 'string' ? (parseInstant(value) ?? null) : null;
}

function readChannel(value: unknown): DeliveredTransaction['paymentChannel'] {
  if (typeof value !== 'string') return null;
  if (value === 'in store') return 'in_store';
  return value === 'online' ? 'online' : 'other';
}
