import { LIMITS } from '../../kernel/limits.ts';
import { badResponse } from '../http/transport-failure.ts';
import type { DeliveredAccount, ItemState, ReportedBalance } from '../provider.ts';
import { isObject, membersOf, readAmount, readId, readText, type JsonObject } from '../read-values.ts';

/** An account with what the API offers for it. */
export interface TellerAccount {
  readonly account: DeliveredAccount;
  readonly enrollmentId: string | null;
  readonly institution: { id: string | null; name: string | null };
  readonly hasTransactions: boolean;
  readonly hasBalances: boolean;
}

/** @throws ProviderFailure PROVIDER_BAD_RESPONSE */
export function readAccounts(answer: unknown): TellerAccount[] {
  if (!Array.isArray(answer)) throw badResponse();
  return answer.filter(isObject).flatMap((row) => readAccount(row) ?? []);
}

/** The item and its accounts. An account of another enrollment shows in the id of the item. */
export function stateOf(listed: readonly TellerAccount[], itemId: string): ItemState {
  const foreign = listed.find(({ enrollmentId }) => enrollmentId !== itemId);
  const named = listed.find(({ institution }) => institution.name !== null)?.institution;
  const item = {
    id: foreign ? (foreign.enrollmentId ?? '') : itemId,
    institutionId: named?.id ?? null,
    institutionName: named?.name ?? null,
    consentExpiresAt: undefined,
  };
  return { item, accounts: listed.map(({ account }) => account), problems: [] };
}

function readAccount(row: JsonObject): TellerAccount | undefined {
  const externalId = readId(row['id']);
  if (externalId === null) return undefined;
  const [institution, links] = [membersOf(row['institution']), membersOf(row['links'])];
  const type = row['type'];
  const account: DeliveredAccount = {
    externalId,
    persistentId: null,
    name: readText(row['name'], LIMITS.nameChars) ?? 'Account',
    officialName: null,
    type: type === 'depository' || type === 'credit' ? type : 'other',
    subtype: readText(row['subtype'], LIMITS.accountTypeChars),
    mask: readText(row['last_four'], LIMITS.accountTypeChars),
    currency: readCurrency(row['currency']),
    isClosed: row['status'] === 'closed',
    institution: null,
    balance: null,
  };
  return {
    account,
    enrollmentId: readId(row['enrollment_id']),
    institution: { id: readId(institution['id']), name: readText(institution['name'], LIMITS.nameChars) },
    hasTransactions: typeof links['transactions'] === 'string',
    hasBalances: typeof links['balances'] === 'string',
  };
}

function readCurrency(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : null;
}

/** undefined if an amount cannot be read, or there is none. */
export function readBalance(answer: unknown, currency: string | null): ReportedBalance | undefined {
  const { ledger, available } = membersOf(answer);
  const [currentCents, availableCents] = [readCents(ledger), readCents(available)];
  if (currentCents === undefined || availableCents === undefined) return undefined;
  if (currentCents === null && availableCents === null) return undefined;
  return { currentCents, availableCents, limitCents: null, currency, asOf: null };
}

function readCents(value: unknown): number | null | undefined {
  return value === null || value === undefined ? null : readAmount(value)?.cents;
}
