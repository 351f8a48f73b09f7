import { dayNumber } from '../../../kernel/dates.ts';
import { AppError } from '../../../kernel/errors.ts';
import type {
  AccountInFile,
  AnalysedRow,
  BalanceProof,
  BalanceResult,
  Blocker,
  Detection,
  Detections,
  FileAnalysis,
  ReadContext,
  ReadOptions,
} from '../analysis.ts';
import { brokenProof, invalidRows, openQuestion } from '../questions/blockers.ts';
import { QUESTIONS } from '../questions/wording.ts';
import { refuseTooManyAccounts, refuseTooManyRecords } from '../size-limits.ts';
import { refuseTableOptions } from './statement.ts';
import { countsOwed, mayOwe, proveStatements, withAssumedKind } from '../proof/statement-proof.ts';
import type { ProofStatement } from '../proof/statement-proof.ts';
import { entryKey, sharedEntries } from './repeated-rows.ts';
import { accountValueOf, rowOf, rulesOf, statedAccounts, statementRows } from './statement-rows.ts';
import type { RowRules } from './statement-rows.ts';
import { signOf } from './statement-sign.ts';
import { StatementTally } from './statement-tally.ts';
import { statementWarnings } from '../questions/warnings.ts';
import type { Statement, StatementEntry, StatementFile } from './statement.ts';

const NONE = { value: null, confidence: 'none', evidence: [], candidates: [] } as const;

/**
 * Turns a statement file into the form that every import takes (36.5, 36.6, 36.14): rows with their outcomes,
 * the proof of its balances, and what would stop an import. Rows are built again on each pass and never kept.
 */
export function analyseStatements(file: StatementFile, options: ReadOptions, context: ReadContext): FileAnalysis {
  refuseTableOptions(file.format, options);
  const plain = rulesOf(file, options, context);
  const { identities, repeated } = sharedEntries(file, plain);
  const rules = { ...plain, isRepeated: (entry: StatementEntry) => repeated.has(entryKey(entry)) };
  const identityOf = (entry: StatementEntry): number | null => identities.get(entryKey(entry)) ?? null;
  const tally = new StatementTally(dayNumber(context.today), context.account?.iso_currency_code ?? null);
  const groups = new Map<string, { value: string | null; currency: string | null; statements: ProofStatement[] }>();
  for (const statement of file.statements) {
    for (const [currency, one] of readStatement(statement, rules, tally, identityOf)) {
      const value = accountValueOf(statement);
      const key = JSON.stringify([value, currency]);
      const group = groups.get(key);
      if (group) group.statements.push(one);
      else groups.set(key, { value, currency, statements: [one] });
    }
  }
  refuseSize(tally);
  const accounts = accountsOf(file, tally);
  const proof = proofOf([...groups.values()], accounts, file, options, context);
  const detection = detectionsOf(file, tally, options, rules);
  const source = file.format === 'qfx' ? 'ofx' : file.format;
  return {
    format: file.format,
    headers: [],
    header_signature: null,
    overruled_header: null,
    source,
    bank_id_namespace: file.bank_id_namespace,
    delimiter: null,
    total_rows: tally.total,
    row_count: tally.rows,
    skipped_count: tally.total - tally.rows - tally.invalid,
    invalid_count: tally.invalid,
    pending_count: tally.pending,
    date_format: file.date_format.confidence === 'ambiguous' ? null : file.date_format.value,
    positive_is_debit: null,
    has_debit_credit: false,
    detection,
    mapping: {},
    inferred_mapping: {},
    unmapped_columns: [],
    profile: null,
    accounts,
    iso_currency_code: tally.mainCurrency(),
    first_date: tally.first,
    last_date: tally.last,
    balance_proof: proof,
    problems: tally.problems,
    warnings: [...file.warnings, ...statementWarnings(tally, options, proof.status, detection.currency)],
    blockers: blockersOf(detection, tally, proof, options),
    settings: {},
    previewRows: () => [],
    rows: (): Iterable<AnalysedRow> => ({ [Symbol.iterator]: () => statementRows(file, rules) }),
  };
}

/** The statement as the proof sees it, one part for each currency of its rows. */
function readStatement(
  statement: Statement,
  rules: RowRules,
  tally: StatementTally,
  identityOf: (entry: StatementEntry) => number | null,
): Map<string | null, ProofStatement> {
  type Draft = { lines: number[]; days: number[]; amounts: number[]; identities: (number | null)[] };
  const byCurrency = new Map<string | null, Draft>();
  const draftOf = (currency: string | null): Draft => {
    let draft = byCurrency.get(currency);
    if (!draft) byCurrency.set(currency, (draft = { lines: [], days: [], amounts: [], identities: [] }));
    return draft;
  };
  const own = statement.iso_currency_code ?? rules.fallback.code;
  draftOf(own);
  const account = accountValueOf(statement);
  for (const entry of statement.entries) {
    const row = rowOf(entry, statement, account, rules);
    tally.add(row, entry.status === 'ignored', statement.iso_currency_code ?? entry.iso_currency_code);
    // The balances of a statement are those of all its rows.
    if ((row.outcome !== 'row' && row.reason !== 'REPEATED_ROW') || row.pending) continue;
    const draft = draftOf(row.iso_currency_code);
    draft.lines.push(row.line);
    draft.days.push(dayNumber(row.date as string));
    draft.amounts.push(row.amount_cents as number);
    draft.identities.push(identityOf(entry));
  }
  const proved = new Map<string | null, ProofStatement>();
  for (const [currency, draft] of byCurrency) {
    const { opening, closing, available } = currency === own ? statement : NO_BALANCES;
    const lastDay = draft.days.reduce<number | null>((a, b) => (a === null ? b : Math.max(a, b)), null);
    const stated = closing?.date ?? null;
    proved.set(currency, {
      opening: opening?.cents ?? null,
      closing: closing?.cents ?? null,
      available: available?.cents ?? null,
      day: stated === null ? lastDay : dayNumber(stated),
      ...draft,
    });
  }
  return proved;
}

const NO_BALANCES = { opening: null, closing: null, available: null };

function refuseSize(tally: StatementTally): void {
  if (tally.total === 0)
    throw new AppError('NO_ROWS', 'The statements in the file have no entries. There is nothing to import.');
  refuseTooManyRecords(tally.total);
  refuseTooManyAccounts(tally.accounts.size);
}

/** The accounts that have entries; a statement without entries creates no account. */
function accountsOf(file: StatementFile, tally: StatementTally): AccountInFile[] {
  const stated = statedAccounts(file.statements);
  return [...tally.accounts].map(([value, seen]) => ({
    file_value: value,
    iso_currency_code: seen.currency(),
    row_count: seen.rows,
    first_date: seen.first,
    last_date: seen.last,
    stated: stated.get(value) ?? null,
  }));
}

interface Group {
  readonly value: string | null;
  readonly currency: string | null;
  readonly statements: readonly ProofStatement[];
}

function proofOf(
  groups: readonly Group[],
  accounts: readonly AccountInFile[],
  file: StatementFile,
  options: ReadOptions,
  context: ReadContext,
): BalanceProof {
  // Balances of CAMT and MT940 are marked as debit or credit, so their sign needs no guess.
  const isMarked = file.format === 'camt053' || file.format === 'mt940';
  const known = groups.flatMap((group) => {
    const account = accounts.find((one) => one.file_value === group.value);
    if (!account) return [];
    const type = context.account?.type ?? options.account_type ?? account.stated?.type ?? null;
    return [{ ...group, mayOwe: mayOwe(type) }];
  });
  const isOwed = !isMarked && countsOwed(known.filter((one) => one.mayOwe));
  const results = known.map(({ value, currency, statements, mayOwe }): BalanceResult => {
    const identity = { file_value: value, iso_currency_code: currency };
    const result = proveStatements(statements, identity, { mayOwe, countsOwed: isOwed });
    return mayOwe && !isMarked ? withAssumedKind(result) : result;
  });
  const has = (status: BalanceResult['status']): boolean => results.some((result) => result.status === status);
  const status = has('broken') ? 'broken' : has('proved') ? 'proved' : 'not_available';
  return { status, proves_with: [], results };
}

function detectionsOf(file: StatementFile, tally: StatementTally, options: ReadOptions, rules: RowRules): Detections {
  const decimal = { camt053: '.', mt940: ',', ofx: null, qfx: null, qif: null }[file.format];
  const hasStatus = file.format === 'camt053' || file.format === 'ofx' || file.format === 'qfx';
  const isPendingGiven = options.pending !== undefined;
  return {
    encoding: file.encoding,
    delimiter: NONE,
    header: NONE,
    date_format: file.date_format,
    decimal_separator: file.decimal_separator ?? (decimal === null ? NONE : fixedDecimal(decimal)),
    sign: signOf(file, options),
    currency: currencyDetection(tally, rules),
    fee_mode: NONE,
    pending: {
      value: { pending: tally.pending, ignored: tally.ignored },
      confidence: isPendingGiven ? 'given' : hasStatus ? 'certain' : 'none',
      evidence: isPendingGiven ? ['parameter'] : hasStatus ? ['content'] : [],
      candidates: [],
    },
  };
}

function fixedDecimal(value: string): Detection {
  return { value, confidence: 'certain', evidence: ['content'], candidates: [] };
}

function currencyDetection(tally: StatementTally, { fallback }: RowRules): Detection {
  const codes = [...tally.currencies.keys()];
  const value = codes.length > 1 ? 'per_row' : (codes[0] ?? null);
  if (value === null) return NONE;
  if (tally.statesCurrency) return { value, confidence: 'certain', evidence: ['declared'], candidates: [] };
  const confidence = fallback.source === 'parameter' ? 'given' : 'likely';
  return { value, confidence, evidence: [fallback.source ?? 'default'], candidates: [] };
}

/** What an import would be refused for, in the order of 36.15. */
function blockersOf(
  detection: Detections,
  tally: StatementTally,
  proof: BalanceProof,
  options: ReadOptions,
): Blocker[] {
  const open = (['encoding', 'date_format', 'decimal_separator', 'sign'] as const).flatMap((key) => {
    const { confidence } = detection[key];
    const isRefused = confidence === 'assumed' && options.refuse_assumptions === true;
    return confidence === 'ambiguous' || isRefused ? [openQuestion(key, detection[key], QUESTIONS[key])] : [];
  });
  const { rows, invalid, problems } = tally;
  const unread = invalidRows(
    { counts: { rows, invalid }, options, problems },
    ' Download the file from the bank again.',
  );
  return [...open, ...unread, ...brokenProof({ proof, options })];
}
