import { Choices } from '../known-ledger.ts';

/** Movements of a household at one bank, and the files that it downloads of them over the months. */

export type KindOfIds = 'none' | 'stable' | 'restarting' | 'anew' | 'by_day' | 'shared';
export type Change = 'nothing' | 'texts' | 'dates' | 'format' | 'late' | 'moved' | 'corrected';

/** How the bank writes its files. */
export interface Bank {
  readonly ids: KindOfIds;
  readonly change: Change;
  readonly hasBalances: boolean;
}

/** A movement as it is, once for all files. */
export interface TrueRow {
  readonly uid: number;
  readonly day: number;
  /** Positive = money out. */
  readonly cents: number;
  readonly text: string;
  /** From this day on, the bank lists it. */
  readonly visibleFrom: number;
  /** From this day on, it has another amount or another date. */
  readonly changesAt: number;
  readonly changedCents: number;
  readonly changedDay: number;
}

export interface FileRow {
  readonly uid: number;
  readonly day: number;
  readonly cents: number;
  readonly text: string;
  readonly bankId: string | null;
  readonly balanceCents: number | null;
}

export interface BankFile {
  readonly source: string;
  readonly rows: readonly FileRow[];
  readonly openingCents: number | null;
}

export interface BankHistory {
  readonly bank: Bank;
  readonly files: readonly BankFile[];
}

const FIRST_DAY = 20_500;
const SHOPS = [
  'COFFEE CORNER',
  'REWE MARKT',
  'CITY BAKERY',
  'ESSO STATION',
  'METRO TICKET',
  'BOOKSHOP LANE',
  'PHARMACY',
];
const REPEATED_CENTS = [350, 350, 1000, 150, 2990];

/** A history is always the same for one number. */
export function bankHistory(number: number): BankHistory {
  const choices = new Choices(number);
  const bank: Bank = {
    ids: choices.of(['none', 'stable', 'restarting', 'anew', 'by_day', 'shared']),
    change: choices.of(['nothing', 'nothing', 'texts', 'dates', 'format', 'late', 'moved', 'corrected']),
    hasBalances: choices.oneIn(2),
  };
  const length = 60 + choices.below(60);
  const rows = trueRows(choices, bank, length);
  const changesFrom = FIRST_DAY + 20 + choices.below(length - 30);
  const files = windowsOf(choices, length).map((window, at) =>
    fileOf(choices, bank, rows, { ...window, at, changesFrom }),
  );
  return { bank, files: files.filter((file) => file.rows.length > 0) };
}

function trueRows(choices: Choices, { change }: Bank, length: number): TrueRow[] {
  const rows: TrueRow[] = [];
  const perDay = choices.of([1, 2, 3]);
  for (let day = FIRST_DAY; day < FIRST_DAY + length; day++) {
    for (let n = choices.below(perDay + 1); n > 0; n--) {
      const isRepeated = choices.oneIn(3);
      const cents = isRepeated ? choices.of(REPEATED_CENTS) : (1 + choices.below(20_000)) * (choices.oneIn(8) ? -1 : 1);
      const isOdd = choices.oneIn(15);
      const movedDays = change === 'moved' && isOdd ? 1 + choices.below(2) : 0;
      rows.push({
        uid: rows.length,
        day,
        cents,
        text: `${choices.of(SHOPS)} ${isRepeated ? '' : choices.below(900)}`.trim(),
        visibleFrom: day + (change === 'late' && isOdd ? 1 + choices.below(5) : 0),
        changesAt: day + 2 + choices.below(10),
        changedCents: change === 'corrected' && isOdd ? cents + 1 + choices.below(500) : cents,
        changedDay: day + movedDays,
      });
      if (choices.oneIn(25)) rows.push({ ...(rows.at(-1) as TrueRow), uid: rows.length });
    }
  }
  return rows;
}

interface Window {
  readonly from: number;
  readonly to: number;
  /** The day of the download. */
  readonly asOf: number;
}

/** Downloads one after another: adjacent, overlapping, repeated, or of days long ago. */
function windowsOf(choices: Choices, length: number): Window[] {
  const windows: Window[] = [];
  const last = FIRST_DAY + length - 1;
  let from = FIRST_DAY;
  let asOf = FIRST_DAY;
  while (from <= last) {
    const to = Math.min(last, from + 6 + choices.below(30));
    asOf = Math.max(asOf, to + choices.below(3));
    windows.push({ from, to, asOf });
    if (choices.oneIn(4))
      windows.push({ from: Math.max(FIRST_DAY, from - choices.below(5)), to, asOf: (asOf += choices.below(4)) });
    const overlap = choices.oneIn(2) ? 0 : choices.below(12);
    from = to === last ? to + 1 : Math.max(from + 1, to + 1 - overlap);
  }
  if (choices.oneIn(3)) windows.push({ from: FIRST_DAY + 10, to: last - choices.below(20), asOf: asOf + 5 });
  return windows;
}

interface Download extends Window {
  readonly at: number;
  readonly changesFrom: number;
}

function fileOf(choices: Choices, bank: Bank, all: readonly TrueRow[], download: Download): BankFile {
  const { from, to, asOf, at, changesFrom } = download;
  const isChanged = asOf >= changesFrom;
  const visible = all
    .filter(({ visibleFrom }) => visibleFrom <= asOf)
    .map((row) => (asOf >= row.changesAt ? { ...row, day: row.changedDay, cents: row.changedCents } : row))
    .map((row) => ({ ...row, day: row.day + (isChanged && bank.change === 'dates' ? 1 : 0) }))
    .sort((a, b) => a.day - b.day || a.uid - b.uid);
  const style = choices.of(['longer', 'cut', 'prefixed', 'replaced'] as const);
  let balance = 0;
  let opening: number | null = null;
  const rows: FileRow[] = [];
  const ofDay = new Map<number, number>();
  for (const row of visible) {
    const position = (ofDay.get(row.day) ?? 0) + 1;
    ofDay.set(row.day, position);
    const isIn = row.day >= from && row.day <= to;
    if (isIn) opening ??= balance;
    balance -= row.cents;
    if (!isIn) continue;
    const bankId = idOf(bank, row, { position, place: rows.length + 1, file: at });
    const text =
      isChanged && (bank.change === 'texts' || bank.change === 'format') ? inOtherWords(row.text, style) : row.text;
    rows.push({ ...pick(row), text, bankId, balanceCents: bank.hasBalances ? balance : null });
  }
  const source = isChanged && bank.change === 'format' ? 'other' : 'own';
  return { source, rows, openingCents: bank.hasBalances ? opening : null };
}

function pick({ uid, day, cents }: TrueRow): Pick<FileRow, 'uid' | 'day' | 'cents'> {
  return { uid, day, cents };
}

function idOf(
  { ids }: Bank,
  { uid, day }: TrueRow,
  { position, place, file }: { position: number; place: number; file: number },
): string | null {
  if (ids === 'none') return null;
  if (ids === 'stable') return `S${uid}`;
  if (ids === 'shared') return `S${uid - (uid % 7 === 1 ? 1 : 0)}`;
  if (ids === 'restarting') return String(place);
  if (ids === 'anew') return `${file}-${place}`;
  return `${day}-${position}`;
}

/** Each bank rewrites in one way: what a text becomes depends on it alone. */
function inOtherWords(text: string, style: 'longer' | 'cut' | 'prefixed' | 'replaced'): string {
  if (style === 'longer') return `${text} BERLIN DE 0423`;
  if (style === 'cut') return text.slice(0, 9).trim();
  if (style === 'prefixed') return `VISA DEBIT ${text}`;
  return `BOOKING ${[...text].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 7)} REF`;
}
