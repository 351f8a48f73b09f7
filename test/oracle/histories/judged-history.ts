import {
  contentKey,
  type ImportedRow,
  type LedgerCandidate,
  type Span,
} from '../../../src/engines/matching/identity.ts';
import { bankIdKey } from '../../../src/engines/matching/identity.ts';
import { matchImportedRows } from '../../../src/engines/matching/match-imported-rows.ts';
import { dateOfDayNumber, dayNumber } from '../../../src/kernel/dates.ts';
import type { BankFile, BankHistory } from './bank-history.ts';

/** What became of a history: a silent fault is one that no warning named. */
export interface Judged {
  readonly rows: number;
  readonly files: number;
  readonly overwritten: number;
  readonly silent: number;
  /** Doubled where the days of neither file cover the other row: nothing but a guess could tell. */
  readonly apart: number;
  readonly named: number;
  /** Files of which some row was named. */
  readonly namedFiles: number;
  /** Rows that changed when all files came once more. */
  readonly restless: number;
}

interface Known extends LedgerCandidate {
  readonly uid: number;
}

interface Imported extends Span {
  readonly listed: ReadonlySet<string>;
}

interface State {
  ledger: Known[];
  readonly imports: Imported[];
  readonly balances: Map<string, number>;
  /** Amounts that a warning was about. */
  readonly namedCents: Set<number>;
  /** Amounts of rows that were added although the ledger had them, where neither file covers the other's day. */
  readonly apartCents: Set<number>;
  /** For each file, the ledger row that each of its lines was. */
  readonly lines: (readonly string[])[];
  overwritten: number;
}

const NAMESPACE = 'csv:id';
const AROUND_DAYS = 31;

/** Imports the files of a history one after another, then all once more, and compares the ledger with what is true. */
export function judgedHistory({ files }: BankHistory): Judged {
  const state: State = {
    ledger: [],
    imports: [],
    balances: new Map(),
    namedCents: new Set(),
    apartCents: new Set(),
    lines: [],
    overwritten: 0,
  };
  let namedFiles = 0;
  for (const file of files) if (importFile(state, file, null).named > 0) namedFiles += 1;
  const { named, silent, apart } = compared(state, files);
  let restless = 0;
  for (const [at, file] of files.entries()) restless += importFile(state, file, state.lines[at] ?? null).changed;
  const rows = new Set(files.flatMap((file) => file.rows.map(({ uid }) => uid))).size;
  return { rows, files: files.length, overwritten: state.overwritten, silent, apart, named, namedFiles, restless };
}

function importFile(state: State, file: BankFile, lines: readonly string[] | null): { named: number; changed: number } {
  const rows = importedRows(file);
  const days: Span = { first: rows[0]?.date as string, last: rows.at(-1)?.date as string };
  const [from, to] = [dayNumber(days.first) - AROUND_DAYS, dayNumber(days.last) + AROUND_DAYS];
  const candidates = state.ledger
    .filter(({ date }) => dayNumber(date) >= from && dayNumber(date) <= to)
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : Number(a.id) - Number(b.id)));
  const places = new Map(candidates.map(({ id }, place) => [id, place]));
  const known = rows.map((row, at) => ({
    ...row,
    knownPlace: lines ? (places.get(lines[at] as string) ?? -1) + 1 : 0,
  }));
  const later = state.imports.filter(({ last }) => last > days.last);
  const closing = file.rows.at(-1)?.balanceCents ?? null;
  const opening = file.openingCents;
  const isBalanced = opening !== null && closing !== null;
  const { matches, areIdsIgnored, movedDays } = matchImportedRows(known, candidates, {
    sourceKey: file.source,
    namespace: rows.some(({ bankId }) => bankId !== null) ? NAMESPACE : null,
    includeLines: new Set(),
    listedPending: [],
    days,
    covered: state.imports,
    isProved: isBalanced,
    sums: isBalanced ? [{ currency: 'EUR', cents: BigInt(opening - closing) }] : null,
    goesOn: isBalanced && goesOn(state, days.first, opening),
    listedLater: new Set(later.flatMap(({ listed }) => [...listed])),
  });
  let [named, changed] = [0, 0];
  const listed: string[] = [];
  for (const [at, row] of rows.entries()) {
    const { outcome, match, ledger, beside } = matches.at(at);
    const uid = file.rows[at]?.uid as number;
    if (match === 'probable') {
      named += 1;
      for (const one of [row, ledger, beside]) if (one) state.namedCents.add(one.amountCents);
    }
    if (outcome !== 'duplicate') changed += 1;
    if (!ledger) noteApart(state, days, row, uid);
    if (ledger && outcome === 'updated' && ledger.uid !== uid && !isTwin(file, ledger.uid, uid)) state.overwritten += 1;
    listed.push(
      stored(state, { row, uid, ledger, isUpdated: outcome === 'updated', source: file.source, areIdsIgnored }),
    );
  }
  const span = { first: movedDate(days.first, movedDays), last: movedDate(days.last, movedDays) };
  state.imports.push({ ...span, listed: new Set(listed) });
  for (const { day, balanceCents } of file.rows)
    if (balanceCents !== null) state.balances.set(dateOfDayNumber(day), balanceCents);
  if (!lines) state.lines.push(listed);
  return { named, changed };
}

function noteApart({ ledger, imports, apartCents }: State, days: Span, row: ImportedRow, uid: number): void {
  const has = ({ first, last }: Span, date: string): boolean => date >= first && date <= last;
  const before = ledger.filter((one) => one.uid === uid);
  const isCovered = imports.some((span) => has(span, row.date)) || before.some(({ date }) => has(days, date));
  if (before.length > 0 && !isCovered) apartCents.add(row.amountCents);
}

function importedRows({ rows, source }: BankFile): ImportedRow[] {
  const times = Map.groupBy(rows, ({ bankId }) => bankId);
  return rows.map(({ day, cents, text, bankId, balanceCents }, at) => ({
    line: at + 2,
    date: dateOfDayNumber(day),
    authorizedDate: null,
    amountCents: cents,
    currency: 'EUR',
    name: text,
    merchantName: null,
    contentKey: contentKey(dateOfDayNumber(day), cents, text.toLowerCase()),
    bankId: bankId === null || (times.get(bankId)?.length ?? 0) > 1 ? null : `${source === 'own' ? '' : 'x'}${bankId}`,
    pending: false,
    balanceCents,
  }));
}

function goesOn({ balances, imports, ledger }: State, first: string, opening: number): boolean {
  if (balances.get(first) !== opening || imports.some(({ last }) => last > first)) return false;
  const ofDay = ledger.filter(({ date }) => date === first);
  return ofDay.reduce((sum, { amountCents }) => sum + amountCents, 0) !== 0;
}

interface Stored {
  readonly row: ImportedRow;
  readonly uid: number;
  readonly ledger: Known | null;
  readonly isUpdated: boolean;
  readonly source: string;
  readonly areIdsIgnored: boolean;
}

/** What an import leaves of a row; answers the ledger row that it is. */
function stored(state: State, { row, uid, ledger, isUpdated, source, areIdsIgnored }: Stored): string {
  const id = row.bankId === null ? [] : [bankIdKey(NAMESPACE, row.bankId)];
  if (ledger === null) {
    const { date, authorizedDate, amountCents, currency, name, merchantName, pending, contentKey: key } = row;
    const values = { date, authorizedDate, amountCents, currency, name, merchantName, pending, contentKey: key };
    const flags = { state: 'live', isStale: false, isProvider: false, isEntered: false, changedAt: '' } as const;
    const lists = { otherSourceKeys: [], otherContentKeys: [], otherBalances: [], formerBankIds: [] };
    const own = { id: String(state.ledger.length), uid, sourceKey: source, bankIds: id };
    state.ledger.push({ ...values, ...flags, ...lists, ...own, balanceCents: row.balanceCents ?? null });
    return String(state.ledger.length - 1);
  }
  const at = state.ledger.findIndex((one) => one.id === ledger.id);
  const { date, amountCents, name } = isUpdated ? row : ledger;
  state.ledger[at] = {
    ...(state.ledger[at] as Known),
    date,
    amountCents,
    name,
    otherContentKeys: [...new Set([...ledger.otherContentKeys, row.contentKey])],
    otherSourceKeys: [...new Set([...ledger.otherSourceKeys, source])],
    otherBalances: [...new Set([...ledger.otherBalances, ...(row.balanceCents == null ? [] : [row.balanceCents])])],
    bankIds: areIdsIgnored ? ledger.bankIds : [...new Set([...ledger.bankIds, ...id])],
  };
  return ledger.id;
}

function movedDate(date: string, days: number): string {
  return dateOfDayNumber(dayNumber(date) + days);
}

function isTwin({ rows }: BankFile, one: number, other: number): boolean {
  const [a, b] = [rows.find(({ uid }) => uid === one), rows.find(({ uid }) => uid === other)];
  return a !== undefined && b !== undefined && a.day === b.day && a.cents === b.cents;
}

/** Rows of each amount too many or too few: named where some warning was about the amount. */
function compared(
  { ledger, namedCents, apartCents }: State,
  files: readonly BankFile[],
): Pick<Judged, 'named' | 'silent' | 'apart'> {
  const last = new Map<number, number>();
  for (const { rows } of files) for (const { uid, cents } of rows) last.set(uid, cents);
  const difference = new Map<number, number>();
  const add = (cents: number, count: number): void => void difference.set(cents, (difference.get(cents) ?? 0) + count);
  for (const cents of last.values()) add(cents, -1);
  for (const { amountCents } of ledger) add(amountCents, 1);
  let [named, silent, apart] = [0, 0, 0];
  for (const [cents, count] of difference) {
    if (namedCents.has(cents)) named += Math.abs(count);
    else if (apartCents.has(cents)) apart += Math.abs(count);
    else silent += Math.abs(count);
  }
  return { named, silent, apart };
}
