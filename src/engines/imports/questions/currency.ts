import type { Detection, ReadContext, ReadOptions, StoredProfile } from '../analysis.ts';
import type { BuiltInProfile } from '../profiles/built-in-profiles.ts';
import { normalisedName } from '../text/cell-text.ts';
import type { MappedTable } from './parse-file.ts';
import type { ChosenInterpretation } from '../interpret/chosen-interpretation.ts';
import { currenciesInName, currencyInName, currencyOf } from '../lexicon/currency.ts';
import { balanceLabel } from '../lexicon/balances.ts';
import { NumberCell } from '../cells/numbers.ts';
import { currencyAtHome } from '../columns/foreign-price.ts';
import { currencyAt, NO_CURRENCY, OUTCOME } from '../columns/parsed-columns.ts';
import { meaningsOf } from '../lexicon/synonyms.ts';
import { settle } from '../question.ts';
import type { Question } from '../question.ts';

export interface CurrencyChoice {
  /** Currency of rows whose currency column is silent: from a column name or the preamble. */
  readonly code: string | null;
  /** Currency of rows for which the file states none. */
  readonly fallback: string | null;
  /** What the symbol in the name of the amount column can mean, if that is more than one currency. */
  readonly symbolInHeader: ReadonlySet<string> | undefined;
  detect(final: ChosenInterpretation): { detection: Detection; main: string | null };
}

interface CurrencyFacts {
  /** The currency of most rows. */
  readonly main: string;
  /** True when the file says it of at least one row. */
  readonly isStated: boolean;
  readonly hasColumn: boolean;
  readonly inHeader: boolean;
  readonly inPreamble: boolean;
  readonly source: CurrencyFallback['source'];
}

/** Where the currency of the rows comes from (36.5.9). No currency is ever a default of ours. */
export const CURRENCY: Question<string, CurrencyFacts> = {
  name: 'currency',
  asks: 'In which currency are the amounts?',
  explains:
    'Here, what the file says comes before what you chose. Homeledger has no currency of its own to fall back on.',
  tests: [
    {
      code: 'currency_column',
      confidence: 'certain',
      means: 'A column holds currency codes, such as EUR.',
      says: (facts) => (facts.isStated && facts.hasColumn ? facts.main : null),
    },
    {
      code: 'header_currency',
      confidence: 'certain',
      means: 'The name of the amount column includes it, as in “Amount (EUR)”.',
      says: (facts) => (facts.isStated && facts.inHeader ? facts.main : null),
    },
    {
      code: 'preamble',
      confidence: 'certain',
      means: 'A line above the rows states it.',
      says: (facts) => (facts.isStated && facts.inPreamble ? facts.main : null),
    },
    {
      code: 'symbol',
      confidence: 'certain',
      means: 'The amounts have a symbol that only one currency has, such as € or £. A $ alone decides nothing.',
      says: (facts) => (facts.isStated ? facts.main : null),
    },
    {
      code: 'parameter',
      confidence: 'given',
      means: 'You chose it when you sent the file.',
      says: (facts) => (facts.source === 'parameter' ? facts.main : null),
    },
    {
      code: 'stored_profile',
      confidence: 'profile',
      means: 'You chose it for an earlier file of this account, and it is the one currency of this bank.',
      says: (facts) => (facts.source === 'stored_profile' ? facts.main : null),
    },
    {
      code: 'account_currency',
      confidence: 'likely',
      means: 'It is the currency of the account.',
      says: (facts) => (facts.source === 'account_currency' ? facts.main : null),
    },
    {
      code: 'built_in_profile',
      confidence: 'likely',
      means: 'This bank is known to use one currency. The import warns that it was assumed.',
      says: (facts) => (facts.source === 'built_in_profile' ? facts.main : null),
    },
    {
      code: 'default',
      confidence: 'likely',
      means:
        'It is the currency set for the household. The import warns that it was assumed. If none is set, the currency stays unknown.',
      says: (facts) => facts.main,
    },
  ],
};

/** The currency that the file states, and what stands in where it states none. */
export function decideCurrency(input: MappedTable): CurrencyChoice {
  const { table, mapping, options, context, preamble, profile, bookedCurrency } = input;
  const amountColumns = (['amount', 'debit', 'credit'] as const).flatMap((field) => mapping.get(field)?.columns ?? []);
  const inHeader =
    table.headerLine === null
      ? undefined
      : amountColumns.map((index) => currencyInName(table.headers[index] ?? '')).find((code) => code !== undefined);
  const symbolInHeader =
    table.headerLine === null
      ? undefined
      : amountColumns.map((index) => currenciesInName(table.headers[index] ?? '')).find((found) => found !== undefined);
  const inPreamble = inHeader === undefined ? (preambleCurrency(preamble) ?? balanceCurrency(preamble)) : undefined;
  const atHome = mapping.has('currency')
    ? undefined
    : (bookedCurrency ?? currencyAtHome(table, amountColumns[0] ?? -1));
  const { code: fallback, source } = currencyFallback(options, context, profile?.builtIn ?? null, profile?.stored);
  return {
    code: inHeader ?? atHome ?? inPreamble ?? null,
    fallback,
    symbolInHeader,
    detect: (final) => {
      const counts = new Map<number, number>();
      const { parsed } = final;
      for (let row = 0; row < parsed.count; row++) {
        if (final.outcomes[row] !== OUTCOME.row) continue;
        const id = parsed.currencyIds[row] as number;
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      let best = NO_CURRENCY;
      let most = 0;
      for (const [id, times] of counts) if (times > most) [best, most] = [id, times];
      const main = currencyAt(parsed, best, fallback);
      const codes = new Set([...counts.keys()].map((id) => currencyAt(parsed, id, fallback)));
      if (main === null) return { main, detection: { value: null, confidence: 'none', evidence: [], candidates: [] } };
      const { confidence, evidence } = settle(CURRENCY, {
        main,
        isStated: [...counts.keys()].some((id) => id >= 0),
        hasColumn: mapping.has('currency') || (atHome !== undefined && inHeader === undefined),
        inHeader: inHeader !== undefined,
        inPreamble: inPreamble !== undefined,
        source,
      });
      return { main, detection: { value: codes.size > 1 ? 'per_row' : main, confidence, evidence, candidates: [] } };
    },
  };
}

/** A currency that the lines above the header name with a label: `Währung;EUR`, or `EUR` below `Währung`. */
function preambleCurrency(preamble: readonly (readonly string[])[]): string | undefined {
  for (const [line, cells] of preamble.entries()) {
    for (let i = 0; i < cells.length; i++) {
      const [label, value] =
        /[:：]/.test(cells[i] as string) && cells.length === 1
          ? ((cells[i] as string).split(/[:：]/, 2) as [string, string])
          : [cells[i] as string, cells[i + 1] ?? ''];
      if (!meaningsOf(normalisedName(label).replace(/:$/u, '')).has('currency')) continue;
      const code = currencyOf(value) ?? currencyOf(preamble[line + 1]?.[i] ?? '');
      if (code !== undefined) return code;
    }
  }
  return undefined;
}

/** The one currency of the balances that the lines above the header state: `Saldo: CHF 30593.02`. */
function balanceCurrency(preamble: readonly (readonly string[])[]): string | undefined {
  const found = new Set<string>();
  const number = new NumberCell();
  for (const cells of preamble) {
    const [label = '', ...values] = cells.flatMap((cell) => cell.split(/[:：]/));
    if (balanceLabel(label) === '' && !meaningsOf(normalisedName(label)).has('balance')) continue;
    for (const value of values) if (number.read(value) && number.currency !== undefined) found.add(number.currency);
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/** The currency of rows for which the file states none, and where it comes from (36.5.9). */
export interface CurrencyFallback {
  readonly code: string | null;
  readonly source: 'parameter' | 'stored_profile' | 'account_currency' | 'built_in_profile' | 'default' | null;
}

/** The caller's currency, also of an earlier file if the bank has no other, else the account's, the bank's, the household's. */
export function currencyFallback(
  options: ReadOptions,
  context: ReadContext,
  bank: BuiltInProfile | null,
  stored: StoredProfile | null = null,
): CurrencyFallback {
  if (options.iso_currency_code) return { code: options.iso_currency_code.toUpperCase(), source: 'parameter' };
  const chosen = stored?.account_id === context.account?.account_id ? stored?.settings.iso_currency_code : undefined;
  const ofBank = bank?.strength === 'strong' ? bank.currency : undefined;
  if (chosen !== undefined && chosen === ofBank) return { code: chosen, source: 'stored_profile' };
  const ofAccount = context.account?.iso_currency_code ?? null;
  if (ofAccount !== null) return { code: ofAccount, source: 'account_currency' };
  if (ofBank !== undefined) return { code: ofBank, source: 'built_in_profile' };
  const ofHousehold = context.default_currency ?? null;
  return { code: ofHousehold, source: ofHousehold === null ? null : 'default' };
}

/** Whether neither the file, nor the caller, nor the account states the currency. */
export function isCurrencyAssumed({ value, evidence }: Detection): boolean {
  return value !== null && (evidence.includes('built_in_profile') || evidence.includes('default'));
}

/** Whether the file or the caller states the currency. */
export function isCurrencyStated(currency: Detection): boolean {
  return currency.value !== null && !isCurrencyAssumed(currency) && !currency.evidence.includes('account_currency');
}
