import { parseInstant } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { badResponse } from '../http/transport-failure.ts';
import type { DeliveredAccount, ItemState, ProviderItem, ProviderProblem, ReportedBalance } from '../provider.ts';
import { isObject, membersOf, readAmount, readId, readText, type JsonObject } from '../read-values.ts';
import { itemErrorOf } from './plaid-failure.ts';
import { readIsoCode } from './read-transaction.ts';

/** An item and its accounts as the account list tells them, and whose balance could not be read. */
export interface PlaidState extends ItemState {
  readonly withoutBalance: readonly string[];
}

/** @throws ProviderFailure PROVIDER_BAD_RESPONSE */
export function readState(answer: JsonObject, itemId: string, secrets: readonly string[]): PlaidState {
  const { accounts: listed, item } = answer;
  if (!Array.isArray(listed) || !isObject(item)) throw badResponse();
  const accounts = listed.filter(isObject).flatMap((one) => readAccount(one) ?? []);
  return {
    item: readItem(item, itemId),
    accounts: accounts.map(({ account }) => account),
    problems: problemsOf(item, secrets),
    withoutBalance: accounts.filter(({ isBalanceUnread }) => isBalanceUnread).map(({ account }) => account.externalId),
  };
}

function readItem(item: JsonObject, itemId: string): ProviderItem {
  return {
    id: readId(item['item_id']) ?? itemId,
    institutionId: readId(item['institution_id']),
    institutionName: readText(item['institution_name'], LIMITS.nameChars),
    consentExpiresAt: readConsent(item['consent_expiration_time']),
    ...(item['webhook'] !== undefined && { webhookUrl: readText(item['webhook'], LIMITS.urlChars) }),
  };
}

function readConsent(value: unknown): string | null | undefined {
  return typeof value === 'string' ? parseInstant(value) : value === null ? null : undefined;
}

function problemsOf(item: JsonObject, secrets: readonly string[]): ProviderProblem[] {
  const error = itemErrorOf(item['error'], secrets);
  return error === null ? [] : [{ scope: 'item', externalAccountId: null, ...error }];
}

const TYPES: ReadonlySet<string> = new Set(['depository', 'credit', 'loan', 'investment', 'brokerage']);

function readAccount(row: JsonObject): { account: DeliveredAccount; isBalanceUnread: boolean } | undefined {
  const externalId = readId(row['account_id']);
  if (externalId === null) return undefined;
  const officialName = readText(row['official_name'], LIMITS.nameChars);
  const type = row['type'];
  const balance = readBalance(row['balances']);
  const account: DeliveredAccount = {
    externalId,
    persistentId: readId(row['persistent_account_id']),
    name: readText(row['name'], LIMITS.nameChars) ?? officialName ?? 'Account',
    officialName,
    type: typeof type === 'string' && TYPES.has(type) ? (type as DeliveredAccount['type']) : 'other',
    subtype: readText(row['subtype'], LIMITS.accountTypeChars),
    mask: readText(row['mask'], LIMITS.accountTypeChars),
    currency: readIsoCode(membersOf(row['balances'])['iso_currency_code']),
    isClosed: false,
    institution: null,
    balance: balance ?? null,
  };
  return { account, isBalanceUnread: balance === undefined };
}

/** undefined if one of its amounts cannot be read: half a balance is useless. */
function readBalance(value: unknown): ReportedBalance | undefined {
  if (!isObject(value)) return undefined;
  const [currentCents, availableCents, limitCents] = [value['current'], value['available'], value['limit']].map(
    readCents,
  );
  if (currentCents === undefined || availableCents === undefined || limitCents === undefined) return undefined;
  return { currentCents, availableCents, limitCents, currency: readIsoCode(value['iso_currency_code']), asOf: null };
}

/** null is "not reported"; undefined cannot be read. */
function readCents(value: unknown): number | null | undefined {
  return value === null || value === undefined ? null : readAmount(value)?.cents;
}
