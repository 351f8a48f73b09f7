import { dayNumber } from '../../../kernel/dates.ts';
import { validationError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { FeeMode, ReadContext, ReadOptions, SignConvention } from '../analysis.ts';
import { isLoneFee, isSignedCredit, normalSign } from '../interpret/amounts.ts';
import { decideMode } from './amount-mode.ts';
import type { ModeDecision } from './amount-mode.ts';
import { isEscaped, isNumberColumnByName } from '../columns/column-stats.ts';
import type { ColumnStats, TableStats } from '../columns/column-stats.ts';
import { decideCurrency } from './currency.ts';
import type { CurrencyChoice } from './currency.ts';
import { decideDates } from './dates.ts';
import type { DateChoice } from './dates.ts';
import { openFeeModes } from './fee.ts';
import type { FeeColumn } from './fee.ts';
import type { InterpretationContext } from '../interpret/interpretations.ts';
import { wordDirection } from '../lexicon/lexicon.ts';
import { MERE_NOTE, PENDING } from '../lexicon/statuses.ts';
import { normalisedName, normalisedText } from '../text/cell-text.ts';
import type { Mapping } from '../columns/mapping.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import { parseColumns } from '../interpret/parse-columns.ts';
import { KIND } from '../columns/parsed-columns.ts';
import type { ColumnPlan, ParsedColumns } from '../columns/parsed-columns.ts';
import type { ProfileMatch } from '../profiles/profile-match.ts';
import { profileStatement, withProfile } from '../profiles/profile-statement.ts';
import type { ProfileStatement } from '../profiles/profile-statement.ts';
import { decimalByVotes } from '../columns/decimal.ts';
import type { DecimalVotes } from '../columns/decimal.ts';
import { namesTax } from '../lexicon/synonyms.ts';
import type { Field } from '../lexicon/synonyms.ts';
import type { Table } from '../cells/table.ts';
import { headingIn } from '../table/sections.ts';

/** A table whose columns are known. */
export interface MappedTable {
  readonly table: Table;
  readonly stats: TableStats;
  readonly mapping: Mapping;
  readonly options: ReadOptions;
  readonly context: ReadContext;
  readonly profile: ProfileMatch | null;
  readonly preamble: readonly (readonly string[])[];
  readonly latestYear: number;
  /** Fields whose columns the stored profile names but the file lacks. */
  readonly dropped: readonly string[];
  /** The currency of the amounts, where the file has the price of each purchase beside them. */
  readonly bookedCurrency: string | null;
}

/** The file parsed once, under every date order and decimal separator that its columns leave open. */
export interface ParsedFile {
  readonly input: MappedTable;
  readonly statement: ProfileStatement;
  /** What the caller says, else the profile. */
  readonly stated: ReadOptions;
  readonly mode: ModeDecision;
  readonly dates: DateChoice;
  readonly votes: DecimalVotes;
  /** The separators that were parsed: the caller's first, then those that the content leaves open. */
  readonly decimals: readonly DecimalSeparator[];
  /** Every column of money that is parsed, fee and balance included. */
  readonly numberColumns: readonly ColumnStats[];
  readonly feeColumn: FeeColumn | undefined;
  readonly feeModes: readonly FeeMode[];
  readonly currency: CurrencyChoice;
  readonly plan: ColumnPlan;
  readonly parsed: ParsedColumns;
  readonly interpretationContext: InterpretationContext;
  readonly givenSign: SignConvention | null;
  /** True when a pair of columns holds as many amounts with a minus as without. */
  readonly isTied: boolean;
}

/** @throws VALIDATION_ERROR for options that contradict each other or do not fit, INVALID_FILE for too many accounts */
export function parseFile(input: MappedTable): ParsedFile {
  const { table, stats, mapping, options, context, latestYear } = input;
  const statement = profileStatement(input.profile, options, context, latestYear);
  const stated = withProfile(options, input.profile, mapping);
  const mode = decideMode(mapping, stats, stated, table.headers, statement.builtIn);
  const isPair = mode.mode === 'pair';
  const columnOf = (field: Field): ColumnStats | undefined => stats.columns[firstColumn(mapping, field)];
  const moneyFields: readonly Field[] = isPair ? ['debit', 'credit', 'fee', 'balance'] : ['amount', 'fee', 'balance'];
  const numberColumns = moneyFields.map(columnOf).filter((column) => column !== undefined);
  const dates = decideDates({
    stats,
    headers: table.headers,
    mapping,
    options,
    statement,
    latestYear,
    digitFormats: table.digitFormats,
  });
  const votes = decimalByVotes(numberColumns);
  const decimals = decimalsToParse(votes, options);
  const currency = decideCurrency(input);
  const plan = planColumns(input, { statement, mode, dates, decimals, currency });
  const parsed = parseColumns(plan);
  if (statement.builtIn?.pendingWithoutBalance) markPending(parsed);
  const latestDay = dayNumber(context.today) + LIMITS.importFutureDays;
  const feeStats = columnOf('fee');
  const feeColumn = feeStats && { stats: feeStats, isUsed: hasFees(parsed, stated.pending ?? 'skip') };
  return {
    input,
    statement,
    stated,
    mode,
    dates,
    votes,
    decimals,
    numberColumns,
    feeColumn,
    feeModes: openFeeModes(feeColumn, options.fee_mode),
    currency,
    plan,
    parsed,
    interpretationContext: {
      parsed,
      mode: mode.mode,
      orders: dates.orders,
      mayOwe: statement.mayOwe,
      isWayStated: mode.mode !== 'signed',
      latestDay,
    },
    givenSign: givenSignOf(options),
    isTied: isPair && isTied(parsed),
  };
}

function firstColumn(mapping: Mapping, field: Field): number {
  return mapping.get(field)?.columns[0] ?? -1;
}

function decimalsToParse({ open }: DecimalVotes, { decimal_separator: given }: ReadOptions): DecimalSeparator[] {
  if (!given) return [...open];
  return [given, ...open.filter((other) => other !== given && open.length > 1)];
}

function planColumns(
  { table, stats, mapping, preamble }: MappedTable,
  {
    statement,
    mode,
    dates,
    decimals,
    currency,
  }: Pick<ParsedFile, 'statement' | 'mode' | 'dates' | 'decimals' | 'currency'>,
): ColumnPlan {
  const { builtIn } = statement;
  const isPair = mode.mode === 'pair';
  const column = (field: Field): number => firstColumn(mapping, field);
  return {
    table,
    capacity: stats.records,
    date: column('date'),
    authorizedDate: dates.otherColumn,
    readers: dates.readers,
    readAuthorized: dates.readOther,
    decimals,
    amount: isPair ? -1 : column('amount'),
    debit: isPair ? column('debit') : -1,
    credit: isPair ? column('credit') : -1,
    fee: column('fee'),
    tax: taxBeside(table, stats, column('fee')),
    balance: column('balance'),
    direction: mode.directionColumn >= 0 ? mode.directionColumn : column('direction'),
    directionWords: mode.words,
    isStated: mode.isStated,
    unmarked: mode.unmarked,
    currency: column('currency'),
    currencyInHeader: currency.code,
    currenciesInHeader: currency.symbolInHeader,
    fallbackCurrency: currency.fallback,
    status: column('status'),
    beginsPending: preamble.map(headingIn).findLast((found) => found !== undefined) === PENDING,
    isWiseStatus: builtIn?.status === 'wise',
    isRevolutStatus: builtIn?.status === 'revolut',
    ignoredWhenFilled: table.headers.findIndex((name) => normalisedName(name) === builtIn?.ignoredWhenFilled),
    effect: stats.columns.findIndex(tellsEffects),
    moneyInType: builtIn?.moneyInType ?? null,
    account: mapping.get('account')?.columns ?? [],
    description: mapping.get('description')?.columns ?? [],
    merchant: column('merchant_name'),
    escaped: new Set(stats.columns.flatMap((one, i) => (isEscaped(one) ? [i] : []))),
    type: column('type'),
    wantsWords: mode.mode === 'signed',
    isCreditAccount: statement.isCreditAccount,
  };
}

/** True for a column of nothing but money out, money in and mere notes, as PayPal writes what becomes of the balance. */
function tellsEffects({ words }: ColumnStats): boolean {
  if (words === null || words.size < 2 || words.size > 3) return false;
  const moves = [...words.keys()].filter((word) => normalisedText(word) !== MERE_NOTE);
  return moves.length === words.size - 1 && moves.every((word) => wordDirection(normalisedText(word), 'cell') !== 0);
}

/** Brokers state the fee of a sale and the tax on it side by side. */
function taxBeside({ headers }: Table, { columns }: TableStats, fee: number): number {
  const tax = columns[fee + 1];
  return fee >= 0 && tax && namesTax(headers[fee + 1] ?? '') && isNumberColumnByName(tax) ? fee + 1 : -1;
}

/** Banks that leave the balance of unbooked rows empty mark them as pending that way. */
function markPending({ count, amounts, statuses }: ParsedColumns): void {
  const balances = amounts[0]?.balance;
  if (!balances || balances.length === 0) return;
  let stated = 0;
  for (let row = 0; row < count; row++) if (!Number.isNaN(balances[row])) stated++;
  if (stated === 0) return;
  for (let row = 0; row < count; row++) if (Number.isNaN(balances[row]) && statuses[row] === 0) statuses[row] = PENDING;
}

/** Whether a row that is read has a fee beside its amount. */
function hasFees({ count, amounts, kinds, statuses }: ParsedColumns, pending: 'skip' | 'import'): boolean {
  for (let row = 0; row < count; row++) {
    const isRead = kinds[row] === KIND.row && (statuses[row] !== PENDING || pending === 'import');
    if (isRead && amounts.some((parsed) => parsed.fee[row] !== 0 && !isLoneFee(parsed, row))) return true;
  }
  return false;
}

/** The sign the caller sent, in either form; the two forms must not contradict each other. */
function givenSignOf(options: ReadOptions): SignConvention | null {
  const short =
    options.positive_is_debit === undefined
      ? undefined
      : options.positive_is_debit
        ? 'positive_is_out'
        : 'positive_is_in';
  if (short !== undefined && options.sign !== undefined && short !== options.sign) {
    throw validationError(
      'positive_is_debit',
      `positive_is_debit: ${options.positive_is_debit} means ${short}, but sign is ${options.sign}. Send only one of them.`,
    );
  }
  return options.sign ?? short ?? null;
}

function isTied(parsed: ParsedColumns): boolean {
  return parsed.amounts.some(
    (amounts) =>
      normalSign(parsed, amounts, amounts.debit, 'positive_is_out').isTied ||
      (!isSignedCredit(parsed, amounts) && normalSign(parsed, amounts, amounts.credit, 'positive_is_out').isTied),
  );
}
