import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { messageOf } from '../../api/client.ts';
import { queryClient, queryOptions } from '../../api/queries.ts';
import { showToast } from '../../components/toast-store.ts';
import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { queryOf, within } from './filters.ts';
import { change, grid, setSelected, type Place } from './grid-store.ts';
import { AS_READ } from './list-queries.ts';
import { firstDayOf, lastDayOf } from './months.ts';
import { placesBetween, rowAt, shown } from './sections.ts';

export function toggleRow(row: TransactionRecord, place: Place): void {
  const { selected, isEverything } = grid.get();
  setSelected([row], isEverything || !selected.has(row.id));
  change({ anchor: place });
}

/** Ticks everything from where the last tick was to here, also what is not in the page. */
export async function selectTo(place: Place): Promise<void> {
  const anchor = grid.get().anchor ?? place;
  const places = placesBetween(shown.sections, anchor, place, LIMITS.bulkTransactions + 1);
  if (places.length > LIMITS.bulkTransactions) {
    const most = inDigits(LIMITS.bulkTransactions);
    showToast(`At most ${most} rows can be ticked. Press e to select everything that matches.`);
    return;
  }
  try {
    const rows = await rowsOf(places);
    setSelected(rows, true);
    change({ anchor });
    if (rows.length > 1) showToast(`${counted(rows.length, 'row')} ticked.`);
  } catch (error) {
    showToast(messageOf(error));
  }
}

async function rowsOf(places: readonly Place[]): Promise<TransactionRecord[]> {
  const rows = places.map((place) => rowAt(shown.sections, place));
  const missing = new Set(places.filter((_, at) => rows[at] === undefined).map(({ section }) => section));
  const read = new Map<string, readonly TransactionRecord[]>();
  for (const section of missing) {
    const last = Math.max(...places.filter((place) => place.section === section).map(({ index }) => index));
    read.set(section, await readMonth(section, last + 1));
  }
  const found = places.map((place, at) => rows[at] ?? read.get(place.section)?.[place.index]);
  return found.filter((row) => row !== undefined);
}

/** The first rows of a month, in their order. */
async function readMonth(month: string, count: number): Promise<TransactionRecord[]> {
  const here = within(shown.filters, firstDayOf(month), lastDayOf(month));
  const rows: TransactionRecord[] = [];
  for (let cursor: string | undefined = ''; rows.length < count && cursor !== undefined;) {
    const query = queryOf(here, { limit: String(LIMITS.pageMax), cursor: cursor === '' ? undefined : cursor });
    const page = await queryClient.fetchQuery({ ...queryOptions(listTransactions, { query }), ...AS_READ });
    rows.push(...page.transactions);
    cursor = page.next_cursor === '' ? undefined : page.next_cursor;
  }
  return rows;
}
