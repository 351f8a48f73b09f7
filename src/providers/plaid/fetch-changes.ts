import { LIMITS } from '../../kernel/limits.ts';
import { badResponse } from '../http/transport-failure.ts';
import type {
  DeliveredTransaction,
  FetchedPart,
  FetchOutcome,
  FetchRequest,
  Outside,
  ProviderProblem,
  RemovedRow,
  UnreadableRow,
} from '../provider.ts';
import { ProviderFailure } from '../provider-failure.ts';
import { latestDate, membersOf, readId, type JsonObject } from '../read-values.ts';
import { PlaidFailure } from './plaid-failure.ts';
import type { PlaidState } from './read-item.ts';
import { readRemoved, readTransaction } from './read-transaction.ts';

type Rows = Extract<FetchedPart, { kind: 'rows' }>;
type History = FetchOutcome['history'];

export interface ChangesSource {
  /** One page of /transactions/sync; null asks from the beginning. */
  readPage(cursor: string | null, signal: AbortSignal): Promise<JsonObject>;
  readState(signal: AbortSignal): Promise<PlaidState>;
}

/** All that changed since the stored position, page by page, then the accounts (contract 30.7.2, 35.2). */
export async function* fetchChanges(
  source: ChangesSource,
  { position, isFull, signal }: FetchRequest,
  outside: Outside,
): AsyncGenerator<FetchedPart, FetchOutcome> {
  let from = isFull ? null : position;
  let isPositionReset = false;
  for (let restarts = 0; ;) {
    try {
      const { next, history } = yield* readPages(source, from, signal, outside);
      return {
        ...(await readAccounts(source, signal)),
        position: next,
        isPositionReset,
        isCompleteRead: from === null && next !== null && history === 'complete',
        history,
        reads: [],
      };
    } catch (error) {
      const remedy = error instanceof PlaidFailure ? error.remedy : null;
      if (remedy === 'restart' && restarts < LIMITS.providerRestarts) {
        await outside.pause(1_000 * 2 ** restarts, signal);
        restarts += 1;
      } else if (remedy === 'no_transactions') {
        return withoutTransactions(await source.readState(signal));
      } else if (remedy === 'drop_position' && from !== null) {
        [from, isPositionReset] = [null, true];
      } else {
        throw error;
      }
      yield { kind: 'restart', isFromBeginning: from === null };
    }
  }
}

/** What a login without any account that has transactions brings: accounts and balances. */
function withoutTransactions({ withoutBalance, ...state }: PlaidState): FetchOutcome {
  const nothing = {
    position: null,
    isPositionReset: false,
    isCompleteRead: false,
    history: 'complete',
    reads: [],
  } as const;
  return { ...nothing, state, problems: state.problems, withoutBalance, hasNoTransactions: true };
}

async function* readPages(
  source: ChangesSource,
  from: string | null,
  signal: AbortSignal,
  outside: Outside,
): AsyncGenerator<Rows, { next: string | null; history: History }> {
  const seen = new Set<string | null>([from]);
  const latest = latestDate(outside);
  let cursor = from;
  let emptyInARow = 0;
  for (let pages = 0; pages < LIMITS.providerPages; pages++) {
    const page = readPage(await source.readPage(cursor, signal), latest);
    const { next, hasMore, history, rows } = page;
    if (!isEmpty(rows)) yield rows;
    if (!hasMore) return { next: next === '' ? null : next, history };
    emptyInARow = isEmpty(rows) ? emptyInARow + 1 : 0;
    if (next === '' || seen.has(next) || emptyInARow > LIMITS.providerEmptyPages) throw badResponse();
    seen.add(next);
    cursor = next;
  }
  throw badResponse();
}

interface Page {
  rows: Rows;
  next: string;
  hasMore: boolean;
  history: History;
}

/** @throws ProviderFailure PROVIDER_BAD_RESPONSE: a page that lacks a list must not pass for one without changes */
function readPage(page: JsonObject, latest: string): Page {
  const { added, modified, removed, next_cursor: next, has_more: hasMore, transactions_update_status: status } = page;
  if (!Array.isArray(added) || !Array.isArray(modified) || !Array.isArray(removed)) throw badResponse();
  if (typeof next !== 'string' || typeof hasMore !== 'boolean') throw badResponse();
  // What databases refuse could not be stored as the position.
  if (next.includes('\0') || !next.isWellFormed()) throw badResponse();
  const rows: DeliveredTransaction[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const list of [added, modified]) {
    for (const sent of list) {
      const row = readTransaction(sent, latest);
      if ('problem' in row) unreadable.push(row);
      else rows.push(row);
    }
  }
  const gone = removed.flatMap((one) => readRemoved(one) ?? []);
  const returned = returnedIds(added, gone);
  const parts: Rows = { kind: 'rows', rows, unreadable, removed: gone, ...(returned.length > 0 && { returned }) };
  return { rows: parts, next, hasMore, history: historyOf(status, next) };
}

/** Ids that the page both adds and removes, in no particular order. */
function returnedIds(added: readonly unknown[], removed: readonly RemovedRow[]): string[] {
  if (removed.length === 0) return [];
  const ids = new Set(added.map((row) => readId(membersOf(row)['transaction_id'])));
  return removed.flatMap(({ externalId }) => (ids.has(externalId) ? externalId : []));
}

function isEmpty({ rows, unreadable, removed }: Rows): boolean {
  return rows.length + unreadable.length + removed.length === 0;
}

function historyOf(status: unknown, next: string): History {
  if (status === 'NOT_READY' || next === '') return 'not_ready';
  return status === 'INITIAL_UPDATE_COMPLETE' ? 'loading' : 'complete';
}

/** Rows that were read are worth keeping without the accounts; problems of the item are still reported. */
async function readAccounts(
  source: ChangesSource,
  signal: AbortSignal,
): Promise<Pick<FetchOutcome, 'state' | 'problems' | 'withoutBalance'>> {
  try {
    const { withoutBalance, ...state } = await source.readState(signal);
    return { state, problems: state.problems, withoutBalance };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { failureClass, code, providerError } = error;
    const problem: ProviderProblem = { scope: 'item', externalAccountId: null, failureClass, code, providerError };
    return { state: null, problems: [problem], withoutBalance: [] };
  }
}
