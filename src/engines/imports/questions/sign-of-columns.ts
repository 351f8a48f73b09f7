import type { SignConvention } from '../analysis.ts';
import type { MappedTable } from './parse-file.ts';
import { isNumberColumnByName } from '../columns/column-stats.ts';
import { NumberCell } from '../cells/numbers.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import type { RecordReader } from '../cells/records.ts';
import { openRecords } from '../cells/table.ts';
import { meaningsOf, namesNet } from '../lexicon/synonyms.ts';
import type { Meaning } from '../lexicon/synonyms.ts';

const OUT_NEGATIVE = 'positive_is_in';
const OUT_POSITIVE = 'positive_is_out';

const MOST_RECORDS = 2_000;

/** How many rows show each convention. */
type Shown = Record<SignConvention, number>;

/**
 * The convention that other columns of money show: money out or in that repeats the amounts without a sign, or an amount
 * before and after a fee, as a fee leaves less of what came in and adds to what was spent.
 */
export function signOfOtherColumns(
  { table, stats, mapping }: Pick<MappedTable, 'table' | 'stats' | 'mapping'>,
  decimal: DecimalSeparator,
): SignConvention | null {
  const amount = mapping.get('amount')?.columns[0];
  if (amount === undefined || table.headerLine === null) return null;
  const named = (meaning: Meaning): number[] =>
    [...table.headers.keys()].filter((i) => {
      const column = stats.columns[i];
      return i !== amount && column && meaningsOf(table.headers[i] ?? '').has(meaning) && isNumberColumnByName(column);
    });
  const read = (visit: (cents: (column: number) => number) => void): void =>
    eachRecord(() => openRecords(table), decimal, visit);
  const [debit] = named('debit');
  const [credit] = named('credit');
  if (debit !== undefined && credit !== undefined) return signOfHalves(read, amount, debit, credit);
  const net = namesNet(table.headers[amount] ?? '') ? amount : named('amount').find(isNet);
  const gross = net === amount ? named('amount').find((i) => !isNet(i)) : amount;
  const [fee] = named('fee');
  return net === undefined || gross === undefined || fee === undefined ? null : signOfFees(read, gross, fee, net);

  function isNet(column: number): boolean {
    return namesNet(table.headers[column] ?? '');
  }
}

type Read = (visit: (cents: (column: number) => number) => void) => void;

function eachRecord(open: () => RecordReader, decimal: DecimalSeparator, visit: Parameters<Read>[0]): void {
  const reader = open();
  const number = new NumberCell();
  const cents = (column: number): number => (number.read(reader.cell(column)) ? number.cents(decimal) : 0);
  for (let i = 0; i < MOST_RECORDS && reader.next(); i++) if (!reader.isBlank()) visit(cents);
}

function signOfHalves(read: Read, amount: number, debit: number, credit: number): SignConvention | null {
  const shown: Shown = { [OUT_NEGATIVE]: 0, [OUT_POSITIVE]: 0 };
  read((cents) => {
    const [value, out, into] = [cents(amount), Math.abs(cents(debit)), Math.abs(cents(credit))];
    if (value === 0 || out + into !== Math.abs(value) || (out > 0 && into > 0)) return;
    shown[value < 0 === out > 0 ? OUT_NEGATIVE : OUT_POSITIVE]++;
  });
  return clearly(shown);
}

/** Fees that most rows have are costs. Where the amount has no minus, that alone is clear; a refund may give a fee back. */
function signOfFees(read: Read, gross: number, fee: number, net: number): SignConvention | null {
  const rows: { before: number; cost: number; after: number }[] = [];
  read((cents) => {
    const row = { before: cents(gross), cost: cents(fee), after: cents(net) };
    if (row.cost !== 0 && Math.abs(row.after - row.before) === Math.abs(row.cost)) rows.push(row);
  });
  const most = rows.filter(({ cost }) => cost < 0).length * 2 > rows.length ? -1 : 1;
  const costs = rows.filter(({ cost }) => Math.sign(cost) === most);
  const plain = costs.filter(({ before }) => before > 0);
  const telling = plain.length > 0 || costs.length < 2 ? plain : costs;
  const shown: Shown = { [OUT_NEGATIVE]: 0, [OUT_POSITIVE]: 0 };
  for (const { before, after } of telling) shown[after < before ? OUT_NEGATIVE : OUT_POSITIVE]++;
  return clearly(shown);
}

function clearly(shown: Shown): SignConvention | null {
  const all = shown[OUT_NEGATIVE] + shown[OUT_POSITIVE];
  if (all === 0) return null;
  if (shown[OUT_NEGATIVE] >= all * 0.9) return OUT_NEGATIVE;
  return shown[OUT_POSITIVE] >= all * 0.9 ? OUT_POSITIVE : null;
}
