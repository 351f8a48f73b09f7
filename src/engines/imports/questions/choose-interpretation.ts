import { dayNumber } from '../../../kernel/dates.ts';
import type { BalanceProof, BalanceResult, Detection, Detections, ReadOptions, ReadWarning } from '../analysis.ts';
import { alternativeInterpretation, differences } from '../interpret/alternative-interpretation.ts';
import type { AmountMode } from './amount-mode.ts';
import { settleRows } from '../interpret/chosen-interpretation.ts';
import type { ChosenInterpretation } from '../interpret/chosen-interpretation.ts';
import type { ColumnStats } from '../columns/column-stats.ts';
import type { OutcomeCounts } from '../interpret/csv-summary.ts';
import type { DateOrder } from '../cells/date-cells.ts';
import { readerOf } from './dates.ts';
import { dayFirstEvidence, formatOf } from './date-order-by-content.ts';
import { settleFee } from './fee.ts';
import { proveGroups, resultOf } from '../proof/file-proof.ts';
import { combinations, provingInterpretations, readUnder } from '../interpret/interpretations.ts';
import type { Interpretation, OpenDimensions } from '../interpret/interpretations.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import { parseFile } from './parse-file.ts';
import type { MappedTable, ParsedFile } from './parse-file.ts';
import type { ParsedColumns } from '../columns/parsed-columns.ts';
import { closedByPreamble, readPreamble, recordsBelow } from '../table/preamble.ts';
import { withOthers } from '../profiles/profile-statement.ts';
import { settleOrder } from './tied-dates.ts';
import { settleDecimal } from '../columns/decimal.ts';
import { namesRate } from '../lexicon/synonyms.ts';
import { decideSignOf } from './sign.ts';
import type { SignChoice } from './sign.ts';
import { warningsOf } from './warnings.ts';

/** What makes balances add up that count money owed. */
const OWED = { parameter: 'account_type', value: 'credit' } as const;

/** The file under the interpretation that was chosen, with the evidence for each part of it. */
export interface InterpretationResult {
  readonly final: ChosenInterpretation;
  readonly mode: AmountMode;
  /** The options of the request, completed by those of the profile. */
  readonly stated: ReadOptions;
  readonly detection: Pick<Detections, 'date_format' | 'decimal_separator' | 'sign' | 'currency' | 'fee_mode'>;
  readonly currency: string | null;
  /** The account number in the lines above the header. */
  readonly accountNumber: string | null;
  readonly proof: BalanceProof;
  /** The balances add up if they count money owed, and nothing says which kind of account it is. */
  readonly provesOwed: boolean;
  readonly asksAccountType: boolean;
  warnings(counts: OutcomeCounts, today: number): ReadWarning[];
}

/** Tries the interpretations that the content leaves open and settles on one. */
export function chooseInterpretation(input: MappedTable): InterpretationResult {
  const file = parseFile(input);
  const { statement, mode, dates } = file;
  const open = openDimensions(file);
  const allProving = provingAmong(file, open);
  const proving =
    file.givenSign && mode.mode === 'signed' ? allProving.filter(({ sign }) => sign === file.givenSign) : allProving;

  const fitting = [...proving, ...provingAsOwed(file, open)];
  const { order, detection: dateFormat } = settleDates(file, onlyValue(fitting.map((one) => one.order)));
  const decimal = decimalOf(file, onlyValue(fitting.map((one) => one.decimal)));
  const fee = settleFee(
    file.feeColumn,
    input.options.fee_mode,
    onlyValue(fitting.map((one) => one.feeMode)),
    statement.feeMode,
  );
  const chosen = { order, decimal: decimal.value, feeMode: fee.value ?? 'included' };
  const fits = (one: Interpretation): boolean =>
    one.order === chosen.order && one.decimal === chosen.decimal && one.feeMode === chosen.feeMode;
  const sign = decideSignOf(file, chosen, onlyValue(allProving.filter(fits).map((one) => one.sign)));

  const final = interpret(file, { ...chosen, sign: sign.sign });
  const { proof, accountNumber, provesOwed } = prove(file, final, open);
  const currency = file.currency.detect(final);
  const { others } = statement;
  const isDateKnown = dates.orders.some((one) => others.orders.includes(one));
  return {
    final,
    mode: mode.mode,
    stated: file.stated,
    detection: {
      date_format: withOthers(dateFormat, isDateKnown),
      decimal_separator: withOthers(decimal, others.decimals.length > 0),
      sign: withOthers(sign.detection, others.signs.length > 0),
      currency: currency.detection,
      fee_mode: withOthers(fee, others.feeModes.length > 0),
    },
    currency: currency.main,
    accountNumber,
    proof,
    provesOwed,
    asksAccountType: sign.asksAccountType,
    warnings: (counts, today) =>
      warningsOf({
        final,
        counts,
        today,
        options: input.options,
        account: input.context.account,
        currency: currency.detection,
        sign: sign.detection,
        signWarnings: sign.contradicts,
        contradicted: contradictedBy(file, sign),
        proofStatus: proof.status,
      }),
  };
}

/** Every value that neither the caller nor the content excludes. */
function openDimensions({ input: { options }, dates, decimals, mode, isTied, feeModes }: ParsedFile): OpenDimensions {
  return {
    orders: options.date_format ? dates.orders.slice(0, 1) : dates.orders,
    decimals: options.decimal_separator ? decimals.slice(0, 1) : decimals,
    signs: mode.mode === 'signed' || isTied ? ['positive_is_in', 'positive_is_out'] : ['positive_is_out'],
    feeModes,
  };
}

/** The open interpretations under which the balances chain; none where nothing is left to decide. */
function provingAmong({ plan, givenSign, interpretationContext }: ParsedFile, open: OpenDimensions): Interpretation[] {
  const all = combinations(open);
  const isOpen = all.length > 1 || givenSign !== null;
  return plan.balance >= 0 && isOpen ? provingInterpretations(interpretationContext, all) : [];
}

/** Those under which they chain as money owed, where nobody has said yet what kind of account it is. */
function provingAsOwed(file: ParsedFile, open: OpenDimensions): Interpretation[] {
  const { statement, interpretationContext: context } = file;
  if (statement.isAccountKnown || !context.isWayStated) return [];
  return provingAmong({ ...file, interpretationContext: { ...context, mayOwe: true } }, open);
}

function settleDates(file: ParsedFile, proved: DateOrder | null): { order: DateOrder; detection: Detection } {
  const { input, dates, statement, parsed, plan, votes } = file;
  const first = dates.orders[0] as DateOrder;
  const asFound = { order: first, detection: dates.detection };
  if (dates.detection.confidence !== 'ambiguous') return asFound;
  const { table, stats, context } = input;
  const trial: Interpretation = {
    order: first,
    decimal: file.decimals[0] as DecimalSeparator,
    sign: file.givenSign ?? 'positive_is_in',
    feeMode: 'included',
  };
  const { values, confidence, evidence } = settleOrder({
    parsed,
    orders: dates.orders,
    proved,
    profile: statement.order,
    today: dayNumber(context.today),
    dayFirst: dayFirstEvidence(stats.columns[plan.date], table.headers[plan.date] ?? '', votes.detection),
    amounts: readUnder(file.interpretationContext, trial).amounts,
    account: context.account,
  });
  const order = values[0] as DateOrder;
  if (confidence === 'ambiguous') return asFound;
  return { order, detection: { value: dates.formatFor(order), confidence, evidence, candidates: [] } };
}

function decimalOf(file: ParsedFile, proved: DecimalSeparator | null): Detection<DecimalSeparator> {
  const { input, votes, statement, currency, parsed, numberColumns } = file;
  return settleDecimal({
    columns: numberColumns,
    given: input.options.decimal_separator ?? null,
    proved: votes.open.length > 1 ? proved : null,
    profile: statement.decimal,
    onlyCurrency: onlyCurrency(parsed, currency.fallback),
    headers: input.table.headers,
    rates: input.stats.columns.filter((_, i) => namesRate(input.table.headers[i] ?? '')),
  });
}

function interpret(file: ParsedFile, interpretation: Interpretation): ChosenInterpretation {
  const { plan, parsed, dates, stated, interpretationContext: context } = file;
  const { mapping, latestYear } = file.input;
  const read = readUnder(context, interpretation);
  return {
    plan,
    parsed,
    mapping,
    interpretation,
    read,
    ...settleRows(parsed, read, plan, stated.pending ?? 'skip', context.latestDay),
    fallbackCurrency: file.currency.fallback,
    builtIn: file.statement.builtIn,
    readAuthorized: dates.authorizedReader(interpretation.order) ?? readerOf(interpretation.order, latestYear),
  };
}

/** The balance proof (36.6), and the account's number from the lines around the rows. */
function prove(
  file: ParsedFile,
  { read, interpretation, outcomes, fallbackCurrency }: ChosenInterpretation,
  open: OpenDimensions,
): { proof: BalanceProof; accountNumber: string | null; provesOwed: boolean } {
  const { input, parsed, plan, dates, decimals, statement, mode } = file;
  const { table, stats, preamble, latestYear } = input;
  const around = readPreamble([preamble, recordsBelow(table, outcomes)], { ...interpretation, latestYear });
  const isWayStated = mode.mode !== 'signed' || (file.givenSign !== null && !input.context.account);
  const resultsFor = (mayOwe: boolean, rows = read): BalanceResult[] => {
    const groups = proveGroups(rows, mayOwe, isWayStated);
    return closedByPreamble(
      groups.map((group) => resultOf(group, parsed, fallbackCurrency)),
      groups,
      around,
      { mayOwe, countsOwed: mayOwe && (around.closing?.cents ?? 0) > 0 },
    );
  };
  const results = resultsFor(statement.mayOwe);
  const status = statusOf(results);
  const isBroken = status === 'broken';
  const provesOwed = isBroken && !statement.isAccountKnown && statusOf(resultsFor(true)) === 'proved';
  const formatFor = (order: DateOrder): string => formatOf(stats.columns[plan.date] as ColumnStats, order, latestYear);
  const nearest = isBroken
    ? alternativeInterpretation(file.interpretationContext, interpretation, {
        ...open,
        orders: dates.orders,
        decimals,
      })
    : null;
  const others = nearest ? differences(nearest, interpretation, formatFor) : [];
  const isSignNamed = others[0]?.parameter === 'sign';
  const flipped: Interpretation = { ...interpretation, sign: otherSign(interpretation.sign) };
  // Opening and closing balances that fit as money owed may fit as money owned with the other sign: then both are named.
  const isFlipped =
    provesOwed &&
    !isSignNamed &&
    mode.mode === 'signed' &&
    statusOf(resultsFor(false, readUnder(file.interpretationContext, flipped))) === 'proved';
  const proves_with =
    !provesOwed || isSignNamed ? others : isFlipped ? [{ parameter: 'sign', value: flipped.sign }] : [OWED];
  return { proof: { status, results, proves_with }, accountNumber: around.accountNumber, provesOwed };
}

function otherSign(sign: Interpretation['sign']): Interpretation['sign'] {
  return sign === 'positive_is_in' ? 'positive_is_out' : 'positive_is_in';
}

function statusOf(results: readonly BalanceResult[]): BalanceProof['status'] {
  const decisive = (['broken', 'proved'] as const).find((one) => results.some(({ status }) => status === one));
  return decisive ?? 'not_available';
}

/** What a profile says and the file contradicts, in words for a warning. */
function contradictedBy({ input, dates, statement, givenSign, mode }: ParsedFile, { sign }: SignChoice): string[] {
  const isSignContradicted =
    statement.sign !== null && !givenSign && mode.mode === 'signed' && sign !== statement.sign.sign;
  return [
    ...input.dropped.map((field) => `column ${field}`),
    ...dates.contradicted,
    ...(isSignContradicted ? ['the sign of the amounts'] : []),
  ];
}

function onlyValue<T>(values: readonly T[]): T | null {
  const first = values[0];
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

function onlyCurrency({ currencies }: ParsedColumns, fallback: string | null): string | null {
  if (currencies.length > 1) return null;
  return currencies[0] ?? fallback;
}
