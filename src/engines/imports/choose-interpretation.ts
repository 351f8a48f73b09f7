import { dayNumber } from '../../kernel/dates.ts';
import { validationError } from '../../kernel/errors.ts';
import { alternativeInterpretation, differences } from './alternative-interpretation.ts';
import { decideMode, isSignedCredit, normalSign } from './amounts.ts';
import type { AmountMode } from './amounts.ts';
import type {
  BalanceProof,
  Detection,
  Detections,
  ReadContext,
  ReadOptions,
  ReadWarning,
  SignConvention,
} from './analysis.ts';
import { settleRows } from './chosen-interpretation.ts';
import type { ChosenInterpretation } from './chosen-interpretation.ts';
import type { TableStats } from './column-stats.ts';
import type { OutcomeCounts } from './csv-summary.ts';
import { decideCurrency } from './currency-choice.ts';
import type { DateOrder } from './date-cells.ts';
import { decideDates, readerOf } from './date-choice.ts';
import { dayFirstEvidence, formatOf } from './date-order.ts';
import { decideFee, settleFee } from './fee.ts';
import { proveGroups, resultOf } from './file-proof.ts';
import { combinations, provingInterpretations, readUnder } from './interpretations.ts';
import type { Interpretation, InterpretationContext } from './interpretations.ts';
import type { Mapping } from './mapping.ts';
import type { DecimalSeparator } from './numbers.ts';
import { parseColumns } from './parse-columns.ts';
import type { ColumnPlan, ParsedColumns } from './parsed-columns.ts';
import { closedByPreamble, readPreamble, recordsBelow } from './preamble.ts';
import type { ProfileMatch } from './profile-match.ts';
import { profileStatement, withOthers, withProfile } from './profile-statement.ts';
import { settleOrder } from './settle-date-order.ts';
import { decimalByVotes, settleDecimal } from './settle-decimal.ts';
import { decideSignOf } from './sign.ts';
import { PENDING } from './lexicon-statuses.ts';
import type { Field } from './synonyms.ts';
import type { Table } from './table.ts';
import { warningsOf } from './warnings.ts';

const FUTURE_DAYS = 31;

export interface ChoiceInput {
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
}

export interface InterpretationResult {
  readonly final: ChosenInterpretation;
  readonly mode: AmountMode;
  /** What the caller says, else the profile. */
  readonly stated: ReadOptions;
  readonly detection: Pick<Detections, 'date_format' | 'decimal_separator' | 'sign' | 'currency' | 'fee_mode'>;
  readonly currency: string | null;
  /** Of the account, as the lines above the header name it. */
  readonly accountNumber: string | null;
  readonly proof: BalanceProof;
  readonly asksAccountType: boolean;
  warnings(counts: OutcomeCounts, today: number): ReadWarning[];
}

/** Tries the readings that the content leaves open and settles on one, with the evidence for each part. */
export function chooseInterpretation(input: ChoiceInput): InterpretationResult {
  const { table, stats, mapping, options, context, latestYear } = input;
  const statement = profileStatement(input.profile, options, context, latestYear);
  const { others } = statement;
  const stated = withProfile(options, input.profile, mapping);
  const mode = decideMode(mapping, stats, stated, table.headers);
  const column = (field: Field): number => mapping.get(field)?.columns[0] ?? -1;
  const isPair = mode.mode === 'pair';
  const feeColumn = mapping.has('fee') ? stats.columns[column('fee')] : undefined;
  const numberColumns = (isPair ? ['debit', 'credit', 'fee', 'balance'] : ['amount', 'fee', 'balance']).flatMap(
    (field) => {
      const found = stats.columns[column(field as Field)];
      return found ? [found] : [];
    },
  );
  const dates = decideDates({ stats, mapping, options, statement, latestYear });
  const votes = decimalByVotes(numberColumns);
  const decimals: readonly DecimalSeparator[] = options.decimal_separator
    ? [
        options.decimal_separator,
        ...votes.open.filter((other) => other !== options.decimal_separator && votes.open.length > 1),
      ]
    : votes.open;
  const header = decideCurrency(input);
  const plan: ColumnPlan = {
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
    balance: column('balance'),
    direction: mode.directionColumn >= 0 ? mode.directionColumn : column('direction'),
    directionWords: mode.words,
    isStated: mode.isStated,
    unmarked: mode.unmarked,
    currency: column('currency'),
    currencyInHeader: header.code,
    status: column('status'),
    isWiseStatus: statement.builtIn?.status === 'wise',
    isRevolutStatus: statement.builtIn?.status === 'revolut',
    ignoredWhenFilled: statement.builtIn?.ignoredWhenFilled
      ? table.headers.indexOf(statement.builtIn.ignoredWhenFilled)
      : -1,
    moneyInType: statement.builtIn?.moneyInType ?? null,
    account: mapping.get('account')?.columns ?? [],
    description: mapping.get('description')?.columns ?? [],
    type: column('type'),
    wantsWords: mode.mode === 'signed',
    isCreditAccount: statement.isCreditAccount,
  };
  const parsed = parseColumns(plan);
  if (statement.builtIn?.pendingWithoutBalance) markPending(parsed);
  const latestDay = dayNumber(context.today) + FUTURE_DAYS;
  const interpretationContext: InterpretationContext = {
    parsed,
    mode: mode.mode,
    orders: dates.orders,
    mayOwe: statement.mayOwe,
    latestDay,
  };
  const fee = decideFee(feeColumn, options);
  const givenSign = givenSignOf(options);
  const isTied =
    isPair &&
    parsed.amounts.some(
      (amounts) =>
        normalSign(parsed, amounts, amounts.debit, 'positive_is_out').isTied ||
        (!isSignedCredit(parsed, amounts) && normalSign(parsed, amounts, amounts.credit, 'positive_is_out').isTied),
    );
  const signs: readonly SignConvention[] =
    mode.mode === 'signed' || isTied ? ['positive_is_in', 'positive_is_out'] : ['positive_is_out'];
  const open = {
    orders: options.date_format ? dates.orders.slice(0, 1) : dates.orders,
    decimals: options.decimal_separator ? decimals.slice(0, 1) : decimals,
    signs,
    feeModes: fee.open,
  };
  const hasBalances = plan.balance >= 0;
  const allProving =
    hasBalances && (combinations(open).length > 1 || givenSign)
      ? provingInterpretations(interpretationContext, combinations(open))
      : [];
  const proving =
    givenSign && mode.mode === 'signed'
      ? allProving.filter((interpretation) => interpretation.sign === givenSign)
      : allProving;

  const provedOrder = onlyValue(proving.map((interpretation) => interpretation.order));
  let dateDetection = dates.detection;
  let order: DateOrder = dates.orders[0] as DateOrder;
  if (dateDetection.confidence === 'ambiguous') {
    const remaining = provedOrder ? [provedOrder] : dates.orders;
    const trial = readUnder(interpretationContext, {
      order,
      decimal: decimals[0] as DecimalSeparator,
      sign: givenSign ?? 'positive_is_in',
      feeMode: 'included',
    });
    const settled = provedOrder
      ? { order: provedOrder, confidence: 'proved' as const, evidence: ['balance_proof'] }
      : settleOrder({
          parsed,
          orders: dates.orders,
          profile: statement.order,
          today: dayNumber(context.today),
          dayFirst: dayFirstEvidence(stats.columns[plan.date], table.headers[plan.date] ?? '', votes.detection),
          amounts: trial.amounts,
          account: context.account,
        });
    if (settled && remaining.includes(settled.order)) {
      order = settled.order;
      dateDetection = {
        value: dates.formatFor(order),
        confidence: settled.confidence,
        evidence: settled.evidence,
        candidates: [],
      };
    }
  }
  const provedDecimal = onlyValue(proving.map((interpretation) => interpretation.decimal));
  let decimalDetection: Detection<DecimalSeparator> = options.decimal_separator
    ? { value: options.decimal_separator, confidence: 'given', evidence: ['parameter'], candidates: [] }
    : votes.detection;
  if (decimalDetection.confidence === 'ambiguous' && votes.open.length > 1) {
    decimalDetection = provedDecimal
      ? { value: provedDecimal, confidence: 'proved', evidence: ['balance_proof'], candidates: [] }
      : settleDecimal(
          decimalDetection,
          statement.decimal,
          onlyCurrency(parsed, header.fallback),
          numberColumns,
          table.headers,
        );
  }
  const feeDetection = settleFee(
    fee,
    onlyValue(proving.map((interpretation) => interpretation.feeMode)),
    statement.feeMode,
    feeColumn,
  );
  const chosen = { order, decimal: decimalDetection.value, feeMode: feeDetection.value ?? 'included' };
  const fits = (interpretation: Interpretation): boolean =>
    interpretation.order === chosen.order &&
    interpretation.decimal === chosen.decimal &&
    interpretation.feeMode === chosen.feeMode;
  const signed = decideSignOf({
    input,
    mode: mode.mode,
    isTied,
    parsed,
    plan,
    interpretationContext,
    statement,
    givenSign,
    chosen,
    provedSign: onlyValue(allProving.filter(fits).map((interpretation) => interpretation.sign)),
    claimed: mapping,
  });
  const interpretation: Interpretation = { ...chosen, sign: signed.sign };
  const read = readUnder(interpretationContext, interpretation);
  const settled = settleRows(parsed, read, plan, stated.pending ?? 'skip', latestDay);
  const groups = proveGroups(read, statement.mayOwe);
  const around = [input.preamble, recordsBelow(table, settled.outcomes)];
  const above = readPreamble(around, { ...interpretation, latestYear });
  const results = closedByPreamble(
    groups.map((group) => resultOf(group, parsed, header.fallback)),
    groups,
    above,
    { mayOwe: statement.mayOwe, countsOwed: statement.mayOwe && (above.closing?.cents ?? 0) > 0 },
  );
  const status = results.some((result) => result.status === 'broken')
    ? 'broken'
    : results.some((result) => result.status === 'proved')
      ? 'proved'
      : 'not_available';
  const provesWith =
    status === 'broken'
      ? alternativeInterpretation(interpretationContext, interpretation, {
          ...open,
          orders: dates.orders,
          decimals,
          signs,
        })
      : null;
  const proof: BalanceProof = {
    status,
    results,
    proves_with: provesWith
      ? differences(provesWith, interpretation, (other) =>
          formatOf(stats.columns[plan.date] as TableStats['columns'][number], other, latestYear),
        )
      : [],
  };
  const final: ChosenInterpretation = {
    plan,
    parsed,
    mapping,
    interpretation,
    read,
    ...settled,
    fallbackCurrency: header.fallback,
    builtIn: statement.builtIn,
    readAuthorized: dates.authorizedReader(order) ?? readerOf(order, latestYear),
  };
  const currency = header.detect(final);
  const contradicted = [...input.dropped.map((field) => `column ${field}`), ...dates.contradicted];
  if (statement.sign && !givenSign && mode.mode === 'signed' && signed.sign !== statement.sign.sign)
    contradicted.push('sign');
  return {
    final,
    mode: mode.mode,
    stated,
    detection: {
      date_format: withOthers(
        dateDetection,
        dates.orders.some((one) => others.orders.includes(one)),
      ),
      decimal_separator: withOthers(decimalDetection, others.decimals.length > 0),
      sign: withOthers(signed.detection, others.signs.length > 0),
      currency: currency.detection,
      fee_mode: withOthers(feeDetection, others.feeModes.length > 0),
    },
    currency: currency.main,
    accountNumber: above.accountNumber,
    proof,
    asksAccountType: signed.asksAccountType,
    warnings: (counts, today) =>
      warningsOf({
        final,
        counts,
        today,
        options,
        account: context.account,
        currency: currency.detection,
        sign: signed.detection,
        signWarnings: signed.contradicts,
        contradicted,
        proofStatus: status,
      }),
  };
}

function onlyValue<T>(values: readonly T[]): T | null {
  const first = values[0];
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

function onlyCurrency(parsed: ParsedColumns, fallback: string | null): string | null {
  if (parsed.currencies.length > 1) return null;
  return parsed.currencies[0] ?? fallback;
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
      `positive_is_debit: ${options.positive_is_debit} says ${short}, but sign says ${options.sign}.`,
    );
  }
  return options.sign ?? short ?? null;
}

/** A bank that leaves the balance of unbooked rows empty marks them as pending that way. */
function markPending(parsed: ParsedColumns): void {
  const balances = parsed.amounts[0]?.balance;
  if (!balances || balances.length === 0) return;
  let stated = 0;
  for (let row = 0; row < parsed.count; row++) if (!Number.isNaN(balances[row])) stated++;
  if (stated === 0) return;
  for (let row = 0; row < parsed.count; row++)
    if (Number.isNaN(balances[row]) && parsed.statuses[row] === 0) parsed.statuses[row] = PENDING;
}
