import { LANGUAGE } from './language.ts';

/** Money of models is in US dollars, and mostly a fraction of one. */
const formats = {
  usual: dollarsWith({}),
  small: dollarsWith({ maximumFractionDigits: 4 }),
  tiny: dollarsWith({ maximumSignificantDigits: 2 }),
};

/** "$1.50", "$0.0184": whatever was spent never reads as nothing. */
export function inDollars(value: number): string {
  const format = value === 0 || value >= 1 ? 'usual' : value < 0.01 ? 'tiny' : 'small';
  return formats[format].format(value);
}

function dollarsWith(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD', ...options });
}
