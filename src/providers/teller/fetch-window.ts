import { instantNow } from '../../kernel/clock.ts';
import { addDays, parseInstant } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { badResponse } from '../http/transport-failure.ts';
import type {
  AccountPosition,
  AccountRead,
  DeliveredTransaction,
  FetchedPart,
  FetchOutcome,
  FetchRequest,
  Outside,
  ProviderProblem,
  UnreadableRow,
} from '../provider.ts';
import { ProviderFailure } from '../provider-failure.ts';
import { isObject, latestDate, readId } from '../read-values.ts';
import { readBalance, stateOf, type TellerAccount } from './read-account.ts';
import { readTransaction } from './read-transaction.ts';
import { reachOf, TellerFailure } from './teller-failure.ts';

type Rows = Extract<FetchedPart, { kind: 'rows' }>;

export interface WindowSource {
  readAccounts(signal: AbortSignal): Promise<TellerAccount[]>;
  /** One page, newest first: the rows older than the one with this id. */
  readPage(accountId: string, window: Window, fromId: string | null, signal: AbortSignal): Promise<unknown>;
  readBalance(accountId: string, signal: AbortSignal): Promise<unknown>;
}

/** Both dates inclusive. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

/** What reading one account came to. */
interface AccountResult {
  account: TellerAccount['account'];
  read: AccountRead | null;
  failure: ProviderFailure | null;
  isBalanceMissing: boolean;
}

/** Each open account in turn: its rows, once all of them are there, then its balance (contract 30.7.2, 35.6). */
export async function* fetchWindow(
  source: WindowSource,
  itemId: string,
  request: FetchRequest,
  outside: Outside,
): AsyncGenerator<FetchedPart, FetchOutcome> {
  const listed = await source.readAccounts(request.signal);
  // Whose accounts these are, nobody has agreed to.
  if (stateOf(listed, itemId).item.id !== itemId) throw badResponse();
  const results: AccountResult[] = [];
  for (const one of listed) {
    if (one.account.isClosed) results.push(untouched(one.account));
    else results.push(yield* readAccount(source, one, request, outside));
  }
  const failed = results.flatMap(({ failure }) => failure ?? []);
  const open = results.filter(({ account }) => !account.isClosed);
  if (failed[0] && failed.length === open.length) throw failed[0];
  const reads = results.flatMap(({ read }) => read ?? []);
  return {
    state: { ...stateOf(listed, itemId), accounts: results.map(({ account }) => account) },
    position: null,
    isPositionReset: false,
    isCompleteRead: failed.length === 0 && reads.every(({ from }) => from === firstDate(today(outside))),
    history: 'complete',
    reads,
    problems: results.flatMap(({ account, failure }) => (failure ? problemOf(account.externalId, failure) : [])),
    withoutBalance: results.flatMap(({ account, isBalanceMissing }) => (isBalanceMissing ? account.externalId : [])),
  };
}

function untouched(account: TellerAccount['account']): AccountResult {
  return { account, read: null, failure: null, isBalanceMissing: false };
}

function problemOf(accountId: string, { failureClass, code, providerError }: ProviderFailure): ProviderProblem {
  return { scope: 'account', externalAccountId: accountId, failureClass, code, providerError };
}

async function* readAccount(
  source: WindowSource,
  one: TellerAccount,
  request: FetchRequest,
  outside: Outside,
): AsyncGenerator<Rows, AccountResult> {
  const { account } = one;
  const position = request.accounts.find(({ externalAccountId }) => externalAccountId === account.externalId);
  const began = instantNow(outside);
  const from = windowStart(request.isFull ? undefined : position, began.slice(0, 10));
  let read: AccountRead | null = null;
  try {
    if (one.hasTransactions) {
      const window = { from, to: addDays(began.slice(0, 10), 1) };
      // Of an account that fails half-way nothing counts: what it did not list might seem to be gone.
      yield* await readPages(source, account, window, request.signal, latestDate(outside));
      const isWideRead = from <= addDays(began.slice(0, 10), -LIMITS.tellerWideDays);
      read = { externalAccountId: account.externalId, ...window, position: began, isWideRead };
    }
  } catch (error) {
    const failure = ofAccount(error);
    if (reachOf(failure) === 'closed') return untouched({ ...account, isClosed: true });
    return { ...untouched(account), failure };
  }
  return { ...(await readBalanceOf(source, one, request.signal)), read };
}

async function readBalanceOf(
  source: WindowSource,
  { account, hasBalances }: TellerAccount,
  signal: AbortSignal,
): Promise<AccountResult> {
  if (!hasBalances) return untouched(account);
  try {
    const balance = readBalance(await source.readBalance(account.externalId, signal), account.currency);
    return { ...untouched({ ...account, balance: balance ?? null }), isBalanceMissing: balance === undefined };
  } catch (error) {
    if (reachOf(ofAccount(error)) === 'closed') return untouched({ ...account, isClosed: true });
    return { ...untouched(account), isBalanceMissing: true };
  }
}

/** The failure of one account. @throws whatever concerns the whole item */
function ofAccount(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure && reachOf(error) !== 'item') return error;
  throw error;
}

/** All rows of the window. Only an empty page ends it: Teller's pages may be shorter than what was asked for. @throws ProviderFailure PROVIDER_BAD_RESPONSE of the whole sync if pages repeat themselves */
async function readPages(
  source: WindowSource,
  account: TellerAccount['account'],
  window: Window,
  signal: AbortSignal,
  latest: string,
): Promise<Rows[]> {
  const seen = new Set<string>();
  const pages: Rows[] = [];
  let fromId: string | null = null;
  while (pages.length < LIMITS.providerPages) {
    const sent = await source.readPage(account.externalId, window, fromId, signal);
    if (!Array.isArray(sent)) throw badResponse();
    const fresh = sent.filter((row) => !seen.has(idOf(row) ?? ''));
    for (const row of fresh) seen.add(idOf(row) ?? '');
    seen.delete('');
    if (sent.length === 0) return pages;
    if (!fresh.some((row) => idOf(row) !== null)) throw repeatedPages();
    pages.push(toPage(fresh, account, latest));
    fromId = sent.map(idOf).findLast((id) => id !== null) ?? null;
  }
  throw repeatedPages();
}

/** Ends the whole sync: what else such a server says of the enrollment is not to be believed either. */
function repeatedPages(): TellerFailure {
  return new TellerFailure({ failureClass: 'transient', code: 'PROVIDER_BAD_RESPONSE' }, 'item');
}

function idOf(row: unknown): string | null {
  return isObject(row) ? readId(row['id']) : null;
}

function toPage(sent: readonly unknown[], account: TellerAccount['account'], latest: string): Rows {
  const rows: DeliveredTransaction[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const one of sent) {
    const row = readTransaction(one, account, latest);
    if ('problem' in row) unreadable.push(row);
    else rows.push(row);
  }
  return { kind: 'rows', rows, unreadable, removed: [] };
}

function today(outside: Outside): string {
  return instantNow(outside).slice(0, 10);
}

function firstDate(day: string): string {
  return addDays(day, -LIMITS.providerHistoryDays);
}

/** Where the window begins (contract 30.8.4): so far back that every open pending row is seen again. */
export function windowStart(known: Omit<AccountPosition, 'externalAccountId'> | undefined, day: string): string {
  const position = parseInstant(known?.position ?? '');
  if (known === undefined || position === undefined) return firstDate(day);
  const starts = [addDays(position.slice(0, 10), -LIMITS.tellerLateDays)];
  if (known.oldestPendingDate !== null) {
    const [wanted, earliest] = [addDays(known.oldestPendingDate, -1), addDays(day, -LIMITS.tellerPendingDays)];
    starts.push(wanted < earliest ? earliest : wanted);
  }
  if (known.isWideReadDue) starts.push(addDays(day, -LIMITS.tellerWideDays));
  const start = starts.reduce((a, b) => (a < b ? a : b));
  if (start > day) return day;
  return start < firstDate(day) ? firstDate(day) : start;
}
