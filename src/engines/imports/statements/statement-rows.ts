import { addDays } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { MAX_CENTS } from '../../../kernel/money.ts';
import type { AnalysedRow, ReadContext, ReadOptions, StatedAccount } from '../analysis.ts';
import { bankIdOf, said } from '../text/cell-text.ts';
import { currencyFallback } from '../questions/currency.ts';
import type { CurrencyFallback } from '../questions/currency.ts';
import { isReceived, isUnsigned } from './statement-sign.ts';
import type { Statement, StatementBalance, StatementEntry, StatementFile } from './statement.ts';

const EARLIEST = '1970-01-01';

/** How the entries of a file become rows. */
export interface RowRules {
  readonly takesPending: boolean;
  /** The caller says that positive amounts of the file are money out. */
  readonly flips: boolean;
  /** No amount of the file has a minus, so that what its types call received stays money in. */
  readonly isUnsigned: boolean;
  readonly latestDate: string;
  /** The currency of entries for which the file states none. */
  readonly fallback: CurrencyFallback;
  /** Whether an earlier statement of the file lists the entry too. */
  readonly isRepeated?: (entry: StatementEntry) => boolean;
}

export function rulesOf(file: StatementFile, options: ReadOptions, context: ReadContext): RowRules {
  const flips = options.sign === undefined ? options.positive_is_debit === true : options.sign === 'positive_is_out';
  return {
    takesPending: options.pending === 'import',
    flips,
    isUnsigned: flips && isUnsigned(file),
    latestDate: addDays(context.today, LIMITS.importFutureDays),
    fallback: currencyFallback(options, context, null),
  };
}

/** The name by which the file tells this account from its others. */
export function accountValueOf(statement: Statement): string | null {
  return statement.account_identifier ?? statement.account_label ?? statement.account_name;
}

/** The rows of all statements in file order. */
export function* statementRows(file: StatementFile, rules: RowRules): Generator<AnalysedRow, void, undefined> {
  for (const statement of file.statements) {
    const account = accountValueOf(statement);
    for (const entry of statement.entries) yield rowOf(entry, statement, account, rules);
  }
}

export function rowOf(
  entry: StatementEntry,
  statement: Statement,
  account: string | null,
  rules: RowRules,
): AnalysedRow {
  const { outcome, reason, message } = judge(entry, rules);
  const merchant = textOrNull(entry.merchant_name);
  const type = textOrNull(entry.type);
  const counterparty = textOrNull(entry.counterparty_account);
  const amount = entry.amount_cents;
  const text = said(entry.description);
  const flips = rules.flips && !(rules.isUnsigned && isReceived(entry));
  return {
    line: entry.line,
    part: entry.part,
    outcome,
    reason,
    message,
    raw: outcome === 'row' ? null : rawOf(entry),
    date: entry.date,
    authorized_date: entry.authorized_date,
    datetime: entry.datetime,
    time: null,
    symbol_currencies: null,
    amount_cents: amount !== null && flips ? 0 - amount : amount,
    iso_currency_code: entry.iso_currency_code ?? statement.iso_currency_code ?? rules.fallback.code,
    description: text === '' ? (merchant ?? type ?? counterparty ?? '(no description)') : text,
    merchant_name: merchant,
    category: textOrNull(entry.category),
    type,
    pending: entry.status === 'pending',
    balance_cents: null,
    bank_id: entry.bank_id === null ? null : bankIdOf(entry.bank_id),
    account_value: account,
    check_number: textOrNull(entry.check_number),
    counterparty_account: counterparty,
    tags: null,
    notes: null,
    cells: [],
    fields: entry.fields,
    correction: entry.correction,
  };
}

type Judgement = Pick<AnalysedRow, 'outcome' | 'reason' | 'message'>;

function judge(entry: StatementEntry, rules: RowRules): Judgement {
  if (entry.outcome === 'skipped') return { outcome: 'skipped', reason: entry.reason, message: entry.message };
  // Skipped entries need not be readable: expected ones often have no date.
  if (entry.status === 'ignored') return skipped('STATUS_IGNORED');
  if (entry.status === 'pending' && !rules.takesPending) return skipped('PENDING');
  if (entry.outcome === 'invalid') return { outcome: 'invalid', reason: entry.reason, message: entry.message };
  const { date, amount_cents: amount } = entry;
  if (date === null) return invalid('DATE_MISSING', 'there is no date');
  if (date < EARLIEST || date > rules.latestDate)
    return invalid('DATE_OUT_OF_RANGE', `${date} is before 1970 or more than 31 days in the future`);
  if (amount === null) return invalid('AMOUNT_MISSING', 'there is no amount');
  if (Math.abs(amount) > MAX_CENTS)
    return invalid('AMOUNT_OUT_OF_RANGE', 'the amount is too large; the limit is 9,999,999,999.99');
  if (rules.isRepeated?.(entry) === true) return skipped('REPEATED_ROW');
  return { outcome: 'row', reason: null, message: null };
}

function skipped(reason: string): Judgement {
  return { outcome: 'skipped', reason, message: null };
}

function invalid(reason: string, message: string): Judgement {
  return { outcome: 'invalid', reason, message };
}

function rawOf({ fields }: StatementEntry): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${value}`)
    .join(' ')
    .slice(0, LIMITS.importRawChars);
}

function textOrNull(text: string | null): string | null {
  const one = text === null ? '' : said(text);
  return one === '' ? null : one;
}

/** What the statements of a file say about their accounts; balances come from the newest statement of each. */
export function statedAccounts(statements: readonly Statement[]): Map<string | null, StatedAccount> {
  const accounts = new Map<string | null, StatedAccount>();
  for (const one of statements) {
    const value = accountValueOf(one);
    const known = accounts.get(value);
    accounts.set(value, {
      identifier: known?.identifier ?? one.account_identifier,
      name: known?.name ?? one.account_name,
      institution_name: known?.institution_name ?? one.institution_name,
      institution_id: known?.institution_id ?? one.institution_id,
      mask: known?.mask ?? one.mask,
      type: known?.type ?? one.account_type,
      subtype: known?.subtype ?? one.account_subtype,
      closing: newer(known?.closing ?? null, one.closing),
      available: newer(known?.available ?? null, one.available),
    });
  }
  return accounts;
}

function newer(known: StatementBalance | null, other: StatementBalance | null): StatementBalance | null {
  if (known === null || other === null) return known ?? other;
  return (other.date ?? '') >= (known.date ?? '') ? other : known;
}
