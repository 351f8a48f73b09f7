import { LANGUAGE } from '../lib/language.ts';
import { isPrivate, usePrivacy } from '../lib/privacy.ts';
import type { Column } from './data-table.tsx';

interface MoneyProps {
  /** As the API has it: positive is money out. */
  amount: string;
  currency: string | null;
  /** `flow`: an amount that moved, with a plus for money in. `balance`: a state, with its own sign. */
  kind?: 'flow' | 'balance';
}

/** Two decimals, the currency, and a plus with words for money in; never colour alone. A sign stays with its digits. */
export function Money({ amount, currency, kind = 'flow' }: MoneyProps) {
  const isHidden = usePrivacy();
  const isNegative = amount.startsWith('-');
  if (isHidden) return <Hidden digits={format(amount.replace(/^-/, ''), currency)} />;
  if (kind === 'balance') {
    return <span className="whitespace-nowrap tabular-nums">{formatMoney(amount, currency)}</span>;
  }
  const digits = format(amount.replace(/^-/, ''), currency);
  const isIn = isNegative && !/^-0+(\.0+)?$/.test(amount);
  return (
    <span className={`whitespace-nowrap tabular-nums ${isIn ? 'text-success' : ''}`}>
      <span className="sr-only">{isIn ? 'money in ' : 'money out '}</span>
      {isIn ? '+' : ''}
      {digits}
    </span>
  );
}

/** As wide as the amount, so that nothing moves, and without a sign: whether money came in is hidden too. */
function Hidden({ digits }: { digits: string }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span aria-hidden className="blur-sm select-none">
        {digits.replace(/\d/g, '8')}
      </span>
      <span className="sr-only">hidden</span>
    </span>
  );
}

const AMOUNT = /((?:\p{Sc}\s?)?[-+−]?\d[\d.,'’\u00a0\u202f]*[.,]\d{2}(?!\d)(?:\s?\p{Sc})?)/u;

/** Text from outside, whose amounts can be hidden like all others. */
export function AmountsInText({ text }: { text: string }) {
  if (!usePrivacy()) return text;
  return text.split(AMOUNT).map((part, index) => (index % 2 === 1 ? <Hidden key={index} digits={part} /> : part));
}

/**
 * A state, such as a balance, with its own sign: for texts, where a component cannot stand. While amounts are hidden it says
 * so; whoever shows it calls `usePrivacy`.
 */
export function formatMoney(amount: string, currency: string | null): string {
  if (isPrivate.get()) return 'hidden';
  const digits = format(amount.replace(/^-/, ''), currency);
  return amount.startsWith('-') ? `−${digits}` : digits;
}

/** A round value beside an axis: "€25K", with the sign of other balances. */
export function formatCompact(value: number, currency: string | null): string {
  if (isPrivate.get()) return '···';
  const short = { notation: 'compact', maximumFractionDigits: 1 } as const;
  const money = currency === null ? {} : ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const);
  const digits = new Intl.NumberFormat(LANGUAGE, { ...short, ...money }).format(Math.abs(value));
  return value < 0 ? `−${digits}` : digits;
}

/** A column of balances in one currency; a row without one has a dash. */
export function moneyColumn<Row>(
  title: string,
  currency: string | null,
  amountOf: (row: Row) => string | undefined,
): Column<Row> {
  return {
    title,
    align: 'end',
    cell: (row) => {
      const amount = amountOf(row);
      if (amount === undefined) return <span className="text-muted">–</span>;
      return <Money amount={amount} currency={currency} kind="balance" />;
    },
  };
}

const formats = new Map<string, Intl.NumberFormat>();

/** Formats the decimal text itself: as a number, an amount could lose its last digits. */
function format(amount: string, currency: string | null): string {
  const name = currency ?? '';
  let known = formats.get(name);
  if (!known) {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    known = new Intl.NumberFormat(LANGUAGE, currency === null ? digits : { style: 'currency', currency, ...digits });
    formats.set(name, known);
  }
  return known.format(amount as `${number}`);
}
