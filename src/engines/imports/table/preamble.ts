import { OUTCOME } from '../columns/parsed-columns.ts';
import { dateOfDayNumber, dayNumber } from '../../../kernel/dates.ts';
import { accountNumberOf, validIbanIn } from '../cells/account-number.ts';
import type { BalanceResult } from '../analysis.ts';
import { balanceLabel } from '../lexicon/balances.ts';
import { normalisedName } from '../text/cell-text.ts';
import { DateCell, NO_DAY } from '../cells/date-cells.ts';
import type { DateOrder } from '../cells/date-cells.ts';
import type { GroupProof } from '../proof/file-proof.ts';
import { NumberCell, VOTE } from '../cells/numbers.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import { proveStatements } from '../proof/statement-proof.ts';
import type { StatementSense } from '../proof/statement-proof.ts';
import { meaningsOf } from '../lexicon/synonyms.ts';
import { openRecords } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';

const READ_RECORDS = 30;

type Records = readonly (readonly string[])[];

/** What the lines above the header and below the last row say about the account (36.5.4). */
interface PreambleFacts {
  readonly accountNumber: string | null;
  readonly opening: number | null;
  readonly closing: { readonly day: number; readonly cents: number } | null;
}

/** Labels of an account number besides the names of account columns. */
const NUMBER_LABELS = new Set(
  [
    'account|account number|account no|acct|acct no|a/c no|konto|kontonummer|konto nr|kontonr|auftragskonto|girokonto',
    'iban|iban/bban|compte|numero de compte|compte numero|n° de compte|n° compte|cuenta|numero de cuenta|conto|numero conto',
    'conto corrente|rapporto|rekening|rekeningnummer|conta|numero da conta|numero de conta|numer rachunku|rachunek|nr rachunku',
    'kontonumero|tilinumero|tili|cislo uctu|szamlaszam|racun|broj racuna|cont|numar cont|hesap no|hesap numarasi|счет|номер счета',
    'рахунок|номер рахунку|λογαριασμος|account id|no. rekening|no rekening|nomor rekening|norek|口座番号|账号|帐号|계좌번호',
  ]
    .join('|')
    .split('|')
    .map(normalisedName),
);
const LONGEST_CELL = 200;
const VOTES: ReadonlyMap<number, DecimalSeparator> = new Map([
  [VOTE.point, '.'],
  [VOTE.comma, ','],
]);

interface HowRead {
  readonly order: DateOrder;
  readonly decimal: DecimalSeparator;
  readonly latestYear: number;
}

/**
 * Reads labels with their values, in the file's own order and separator where a value leaves them open. Lines above the
 * header come before those below the last row; of two closing balances the later one counts.
 */
export function readPreamble(around: readonly Records[], file: HowRead): PreambleFacts {
  const read = around.map((records) => readLines(records, file));
  const closings = read.flatMap(({ closing }) => closing ?? []).sort((a, b) => b.day - a.day);
  return {
    accountNumber: read.map(({ accountNumber }) => accountNumber).find(isFound) ?? null,
    opening: read.map(({ opening }) => opening).find(isFound) ?? null,
    closing: closings[0] ?? null,
  };
}

function readLines(records: Records, file: HowRead): PreambleFacts {
  const ibans = new Set<string>();
  const numbers = new Set<string>();
  let opening: number | null = null;
  let closing: PreambleFacts['closing'] = null;
  for (const cells of records) {
    const parts = cells.flatMap(labelled).filter((part) => part !== '' && part.length <= LONGEST_CELL);
    for (const part of parts) {
      const iban = validIbanIn(part);
      if (iban !== null) ibans.add(iban);
    }
    const [label = '', ...values] = parts;
    const number = isNumberLabel(label) ? values.map(accountNumberOf).find((value) => value !== null) : undefined;
    if (number) numbers.add(number);
    const meaning = balanceLabel(label);
    const cents = meaning === '' ? null : (values.map((value) => centsOf(value, file.decimal)).find(isFound) ?? null);
    if (cents === null) continue;
    if (meaning === 'opening') opening ??= cents;
    else {
      const day = [label, ...values].map((text) => dayIn(text, file)).find(isFound);
      if (day !== undefined && (closing === null || day > closing.day)) closing = { day, cents };
    }
  }
  return { accountNumber: onlyOf(ibans) ?? (ibans.size === 0 ? onlyOf(numbers) : null), opening, closing };
}

/** `Label: value` in one cell is two; quotes around a cell that the delimiter did not split are dropped. */
function labelled(cell: string): string[] {
  const text = cell.trim().replace(/^"|"$/g, '').trim();
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function isNumberLabel(label: string): boolean {
  const name = normalisedName(label);
  return NUMBER_LABELS.has(name) || meaningsOf(name).has('account');
}

function onlyOf(found: ReadonlySet<string>): string | null {
  const [only] = found;
  return only !== undefined && found.size === 1 ? only : null;
}

function isFound<T>(value: T | null): value is T {
  return value !== null;
}

function centsOf(text: string, decimal: DecimalSeparator): number | null {
  const number = new NumberCell();
  if (!/\d/.test(text) || new DateCell(9999).read(text) || !number.read(text)) return null;
  const cents = number.cents(VOTES.get(number.vote()) ?? decimal);
  return Number.isNaN(cents) ? null : cents;
}

/** The day that a text names; one that two orders read differently only counts in the order of the file. */
function dayIn(text: string, { order, latestYear }: HowRead): number | null {
  const words = text.split(/\s+/);
  for (const at of words.keys()) {
    const date = new DateCell(latestYear);
    if (!/\d|^\p{L}{3}/u.test(words[at] as string) || !date.read(words.slice(at).join(' '))) continue;
    const days = new Set((['DMY', 'MDY', 'YMD'] as const).map((one) => date.day(one)).filter((day) => day !== NO_DAY));
    const own = date.day(order);
    if (days.size > 1 && own === NO_DAY && date.separator !== '.') return null;
    const day = days.size === 1 ? ([...days][0] as number) : own === NO_DAY ? date.day('DMY') : own;
    if (day >= dayNumber('1970-01-01')) return day;
  }
  return null;
}

/** The records after the last row (36.5.4), where some banks print totals, balances and the account's number. */
export function recordsBelow(table: Table, outcomes: Uint8Array): string[][] {
  const isBelow = (outcome: number | undefined): boolean => outcome === OUTCOME.notARow || outcome === OUTCOME.stated;
  let first = outcomes.length;
  while (first > 0 && isBelow(outcomes[first - 1])) first -= 1;
  const below: string[][] = [];
  if (first === outcomes.length) return below;
  const reader = openRecords(table);
  for (let row = 0; row < outcomes.length && below.length < READ_RECORDS && reader.next();) {
    if (reader.isBlank()) continue;
    if (row >= first) below.push(reader.cells());
    row += 1;
  }
  return below;
}

/** The opening balance of the rows; with the sign of the line above them if both state the same size. */
function signedLike(above: number | null, ofRows: number | null): number | null {
  return ofRows === null || (above !== null && Math.abs(above) === Math.abs(ofRows)) ? above : ofRows;
}

/**
 * The proof of a file of one account without running balances, whose preamble states how it opens or closes (36.6.1).
 * If the closing balance is later than the last row, rows may be missing in between: it can prove, but not refute.
 */
export function closedByPreamble(
  results: readonly BalanceResult[],
  groups: readonly GroupProof[],
  { opening, closing }: PreambleFacts,
  sense: StatementSense,
): BalanceResult[] {
  const [result] = results;
  const [group] = groups;
  if (!result || !group || results.length > 1 || result.status !== 'not_available' || !closing) return [...results];
  const { rows, kind } = group;
  const factor = kind === 'debt' ? 1 : -1;
  const statement = {
    opening: signedLike(opening, result.opening_cents),
    closing: closing.cents,
    available: null,
    day: closing.day,
    lines: [...rows.lines],
    days: [...rows.days],
    amounts: Array.from(rows.effects, (effect) => factor * effect + 0),
  };
  const { file_value, iso_currency_code } = result;
  const isLater = result.last_date !== null && closing.day > dayNumber(result.last_date);
  const proved = proveStatements([statement], { file_value, iso_currency_code }, sense);
  if (!isLater || proved.status === 'proved') return [{ ...proved, closesLater: isLater }];
  const balance = { date: dateOfDayNumber(closing.day), balance_cents: closing.cents };
  return [{ ...result, kind: proved.kind, closing_cents: closing.cents, closings: [balance], closesLater: true }];
}
