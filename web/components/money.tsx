interface MoneyProps {
  /** As the API has it: positive is money out. */
  amount: string;
  currency: string | null;
  /** `flow`: an amount that moved, with a plus for money in. `balance`: a state, with its own sign. */
  kind?: 'flow' | 'balance';
}

/** Two digits, the currency, and a plus with words for money in; never colour alone. */
export function Money({ amount, currency, kind = 'flow' }: MoneyProps) {
  const isNegative = amount.startsWith('-');
  const digits = format(amount.replace(/^-/, ''), currency);
  if (kind === 'balance') return <span className="tabular-nums">{isNegative ? `−${digits}` : digits}</span>;
  const isIn = isNegative && !/^-0+(\.0+)?$/.test(amount);
  return (
    <span className={`tabular-nums ${isIn ? 'text-success' : ''}`}>
      <span className="sr-only">{isIn ? 'money in ' : 'money out '}</span>
      {isIn ? '+' : ''}
      {digits}
    </span>
  );
}

const formats = new Map<string, Intl.NumberFormat>();

/** Formats the decimal text itself: as a number, an amount could lose its last digits. */
function format(amount: string, currency: string | null): string {
  const name = currency ?? '';
  let known = formats.get(name);
  if (!known) {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    known = new Intl.NumberFormat(undefined, currency === null ? digits : { style: 'currency', currency, ...digits });
    formats.set(name, known);
  }
  return known.format(amount as `${number}`);
}
