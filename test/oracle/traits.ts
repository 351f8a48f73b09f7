import type { RenderedFile } from './render.ts';

/** What a delimited file is like, for counts by trait. */
export function traitsOf({ dialect, ledger }: RenderedFile): string[] {
  const { amounts, hasHeader, balances, dates, numbers, encoding, opening, footer, fees, words } = dialect;
  const [account] = ledger.accounts;
  const count = account?.rows.length ?? 0;
  return [
    `language ${words.code}`,
    `amounts ${amounts}`,
    `header ${hasHeader ? 'yes' : 'no'}`,
    `balances ${balances}`,
    `dates ${dates.order} ${dates.month === 'digits' ? '' : 'named '}${dates.year}`,
    `decimal ${numbers.decimal} grouped by ${JSON.stringify(numbers.grouping)}`,
    `minus ${numbers.minus}`,
    `digits ${numbers.digits}`,
    `symbol ${numbers.symbol || 'none'}`,
    `encoding ${encoding}`,
    `opening ${opening}`,
    `footer ${footer}`,
    `fees ${fees}`,
    `delimiter ${JSON.stringify(dialect.delimiter)}`,
    `accounts ${ledger.accounts.length} ${account?.kind ?? ''}`,
    `rows ${count < 4 ? 'up to 3' : count < 30 ? 'up to 29' : '30 or more'}`,
    `order ${dialect.newestFirst ? 'newest first' : 'oldest first'}`,
    `statuses ${dialect.columns.includes('status') ? 'yes' : 'no'}`,
    `preamble ${dialect.preamble > 0 ? 'yes' : 'no'}`,
  ];
}

/** What a statement file is like: its habits that are a word or a number. */
export function traitsOfStatement(dialect: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(dialect)
    .filter(([, habit]) => typeof habit === 'string' || typeof habit === 'boolean')
    .map(([name, habit]) => `${name} ${JSON.stringify(habit)}`);
}
