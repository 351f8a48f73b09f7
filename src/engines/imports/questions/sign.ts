import type { Detection, DetectionCandidate, SignConvention } from '../analysis.ts';
import { readUnder } from '../interpret/interpretations.ts';
import type { Interpretation } from '../interpret/interpretations.ts';
import { ledgerSign } from '../proof/ledger-overlap.ts';
import { IN, directionPair, isLoosePair } from '../lexicon/lexicon.ts';
import type { ParsedFile } from '../interpret/parse-file.ts';
import { KIND, PROBLEM } from '../interpret/parsed-columns.ts';
import type { ParsedAmounts, ParsedColumns } from '../interpret/parsed-columns.ts';

const OUT_NEGATIVE = 'positive_is_in';
const OUT_POSITIVE = 'positive_is_out';

export interface SignChoice {
  readonly sign: SignConvention;
  readonly detection: Detection;
  /** Codes of warnings that follow from the decision. */
  readonly contradicts: readonly ('SIGN_CONTRADICTS_BALANCE' | 'SIGN_CONTRADICTS_LEDGER')[];
  /** True when the account type would decide as well. */
  readonly asksAccountType: boolean;
}

/** The sign of the file in whichever way it is written: by column, by word, or by a convention that is decided. */
export function decideSignOf(
  file: ParsedFile,
  chosen: Omit<Interpretation, 'sign'>,
  proved: SignConvention | null,
): SignChoice {
  const { parsed, plan, statement, mode } = file;
  if (mode.mode === 'direction')
    return settled(OUT_POSITIVE, { value: 'direction', confidence: 'certain', evidence: ['direction_words'] });
  const amounts = parsed.amounts.find((one) => one.decimal === chosen.decimal) as ParsedAmounts;
  if (mode.mode === 'pair') return signOfPair(file, amounts, proved);
  const trial = readUnder(file.interpretationContext, { ...chosen, sign: OUT_POSITIVE });
  const { account } = file.input.context;
  return decideSign(parsed, amounts, {
    given: file.givenSign,
    proved,
    isAccountKnown: statement.isAccountKnown,
    isCreditAccount: statement.isCreditAccount,
    ledger: account ? ledgerSign(plan, trial, account) : null,
    profile: statement.sign,
    others: statement.others.signs,
    hasOwnDirections: hasOwnDirections(file),
  });
}

function settled(sign: SignConvention, detection: Omit<Detection, 'candidates'>): SignChoice {
  return { sign, detection: { ...detection, candidates: [] }, contradicts: [], asksAccountType: false };
}

/** Two columns say out and in themselves, unless as many of their amounts have a minus as have none. */
function signOfPair(
  { parsed, isTied, givenSign }: ParsedFile,
  amounts: ParsedAmounts,
  proved: SignConvention | null,
): SignChoice {
  const value = 'debit_credit';
  if (!isTied) return settled(OUT_POSITIVE, { value, confidence: 'certain', evidence: ['header_names'] });
  if (proved) return settled(proved, { value, confidence: 'proved', evidence: ['balance_proof'] });
  if (givenSign) return settled(givenSign, { value, confidence: 'given', evidence: ['parameter'] });
  const candidates = candidatesOf(parsed, amounts, OUT_POSITIVE);
  const asked = settled(OUT_POSITIVE, { value, confidence: 'ambiguous', evidence: ['content'] });
  return { ...asked, detection: { ...asked.detection, candidates } };
}

/** Words in a column that is named as the direction, a pair of them in another, or suffixes of the amounts. */
function hasOwnDirections({ input: { stats, mapping }, plan }: ParsedFile): boolean {
  const { columns } = stats;
  const named = columns[mapping.get('direction')?.columns[0] ?? -1]?.words?.size ?? 0;
  if (named > 1 || (columns[plan.amount]?.withDirection ?? 0) > 0) return true;
  const taken = new Set([...mapping].flatMap(([field, { columns: its }]) => (field === 'type' ? [] : its)));
  return columns.some(({ words }, index) => {
    const pair = words?.size === 2 && !taken.has(index) ? directionPair(words.keys()) : undefined;
    return pair !== undefined && !isLoosePair(pair);
  });
}

/** All evidence for one sign convention or the other (36.5.7). */
interface SignEvidence {
  readonly given: SignConvention | null;
  /** The one convention under which the balances chain; null when none or both do. */
  readonly proved: SignConvention | null;
  readonly isAccountKnown: boolean;
  readonly isCreditAccount: boolean;
  readonly ledger: SignConvention | null;
  readonly profile: { readonly sign: SignConvention; readonly code: string } | null;
  /** The conventions of other accounts whose files have this header. */
  readonly others: readonly SignConvention[];
  /** True when the file shows directions in a way that we did not read; then balances do not settle the sign. */
  readonly hasOwnDirections: boolean;
}

/** All evidence, including the amounts themselves and the words of their rows. */
interface Seen extends SignEvidence {
  readonly parsed: ParsedColumns;
  readonly amounts: ParsedAmounts;
  readonly counts: Counts;
  readonly words: WordEvidence;
  /** True when no amount has a minus. */
  readonly isUnsigned: boolean;
}

/** The tests that may decide the convention of a signed amount column, the strongest first. */
const TESTS: readonly ((seen: Seen) => SignChoice | null)[] = [
  byCaller,
  byUnreadDirections,
  byBalances,
  byLedger,
  byProfile,
  byWords,
  byAccountType,
];

function decideSign(parsed: ParsedColumns, amounts: ParsedAmounts, evidence: SignEvidence): SignChoice {
  const counts = countSigns(parsed, amounts);
  const words = wordEvidence(parsed, amounts);
  const seen = { ...evidence, parsed, amounts, counts, words, isUnsigned: counts.negative === 0 };
  for (const test of TESTS) {
    const choice = test(seen);
    if (choice) return choice;
  }
  return byDefault(seen);
}

function decided(
  { counts }: Seen,
  sign: SignConvention,
  confidence: Detection['confidence'],
  codes: readonly string[],
): SignChoice {
  const evidence = counts.negative > 0 ? [...codes, 'negative_values'] : codes;
  return settled(sign, { value: sign, confidence, evidence });
}

/** Leaves the convention to a person; `first` is the more likely one. */
function asked({ parsed, amounts }: Seen, first: SignConvention, evidence: readonly string[]): SignChoice {
  const candidates = candidatesOf(parsed, amounts, first);
  const detection = { value: first, confidence: 'ambiguous', evidence, candidates } as const;
  return { sign: first, detection, contradicts: [], asksAccountType: false };
}

function byCaller(seen: Seen): SignChoice | null {
  const { given, proved, ledger, isAccountKnown } = seen;
  if (!given) return null;
  const contradicts: SignChoice['contradicts'][number][] = [];
  if (isAccountKnown && proved && proved !== given) contradicts.push('SIGN_CONTRADICTS_BALANCE');
  if (ledger && ledger !== given) contradicts.push('SIGN_CONTRADICTS_LEDGER');
  return { ...decided(seen, given, 'given', ['parameter']), contradicts };
}

function byUnreadDirections(seen: Seen): SignChoice | null {
  const isOpen = seen.isUnsigned && seen.hasOwnDirections && !seen.profile;
  return isOpen ? asked(seen, OUT_POSITIVE, ['content']) : null;
}

/** Balances alone prove a convention only where it is known whether they count money owned or owed. */
function byBalances(seen: Seen): SignChoice | null {
  const { proved, profile, isAccountKnown } = seen;
  if (!proved) return null;
  if (isAccountKnown) return decided(seen, proved, 'proved', ['balance_proof']);
  const other = otherEvidence(seen);
  if (other.values.length === 0) return decided(seen, proved, 'assumed', ['balance_proof', 'default']);
  if (profile?.sign === proved) return decided(seen, proved, 'proved', ['balance_proof', profile.code]);
  if (other.values.every((value) => value === proved))
    return decided(seen, proved, 'proved', ['balance_proof', ...other.codes]);
  return { ...asked(seen, proved, ['balance_proof', ...other.codes]), asksAccountType: true };
}

function byLedger(seen: Seen): SignChoice | null {
  return seen.ledger && decided(seen, seen.ledger, 'certain', ['ledger_overlap']);
}

function byProfile(seen: Seen): SignChoice | null {
  const { profile, words } = seen;
  if (!profile) return null;
  const found = words.type ?? words.text;
  return found && found.sign !== profile.sign
    ? asked(seen, profile.sign, [profile.code, found.code])
    : decided(seen, profile.sign, 'profile', [profile.code]);
}

/** If no amount has a sign, the words must cover nearly all rows: a few say nothing about the rest. */
function byWords(seen: Seen): SignChoice | null {
  const { words, counts, isUnsigned } = seen;
  if (words.isTypeMixed) return asked(seen, isUnsigned ? OUT_POSITIVE : OUT_NEGATIVE, ['type_words']);
  const found = [words.type, words.text].find((one) => one && (!isUnsigned || one.rows >= counts.positive * 0.9));
  return found ? decided(seen, found.sign, 'likely', [found.code]) : null;
}

function byAccountType(seen: Seen): SignChoice | null {
  const sign = signOfAccount(seen);
  return sign && decided(seen, sign, 'likely', ['account_type']);
}

/**
 * The convention of another account with this header is not evidence, but a reason not to assume the opposite. Without
 * any minus, nothing is assumed, because a list of purchases and a list of deposits look alike.
 */
function byDefault(seen: Seen): SignChoice {
  const { counts, others } = seen;
  if (counts.negative > 0 && others.includes(OUT_POSITIVE)) return asked(seen, OUT_NEGATIVE, ['negative_values']);
  if (counts.negative > 0) return decided(seen, OUT_NEGATIVE, 'assumed', ['default']);
  if (counts.positive === 0) return decided(seen, OUT_POSITIVE, 'assumed', ['default']);
  return asked(seen, OUT_POSITIVE, ['content']);
}

interface Counts {
  readonly positive: number;
  readonly negative: number;
}

function countSigns(parsed: ParsedColumns, amounts: ParsedAmounts): Counts {
  let positive = 0;
  let negative = 0;
  for (let row = 0; row < parsed.count; row++) {
    if (parsed.kinds[row] !== KIND.row || parsed.problems[row] !== PROBLEM.none) continue;
    const value = amounts.amount[row] as number;
    if (value > 0) positive++;
    else if (value < 0) negative++;
  }
  return { positive, negative };
}

/** Evidence for a convention besides the balances. */
function otherEvidence(seen: Seen): { values: SignConvention[]; codes: string[] } {
  const { ledger, profile, words } = seen;
  if (ledger) return { values: [ledger], codes: ['ledger_overlap'] };
  const found = [
    { value: profile?.sign, code: profile?.code ?? '' },
    { value: words.type?.sign, code: 'type_words' },
    { value: words.text?.sign, code: 'description_words' },
    { value: signOfAccount(seen), code: 'account_type' },
  ].flatMap(({ value, code }) => (value ? [{ value, code }] : []));
  return { values: found.map(({ value }) => value), codes: found.map(({ code }) => code) };
}

/** A card's file holds more spending than anything else. */
function signOfAccount({ isCreditAccount, counts: { positive, negative } }: Seen): SignConvention | null {
  const all = positive + negative;
  if (!isCreditAccount || all < 3) return null;
  if (positive * 3 >= all * 2) return OUT_POSITIVE;
  return negative * 3 >= all * 2 ? OUT_NEGATIVE : null;
}

interface Spoken {
  readonly sign: SignConvention;
  readonly code: string;
  readonly rows: number;
}

interface WordEvidence {
  readonly type: Spoken | null;
  readonly text: Spoken | null;
  /** True when the type words of the rows contradict each other: neither convention is taken from them. */
  readonly isTypeMixed: boolean;
}

function wordEvidence(parsed: ParsedColumns, amounts: ParsedAmounts): WordEvidence {
  const tally = (words: Uint8Array, code: string): Spoken | 'mixed' | null => {
    let outNegative = 0;
    let outPositive = 0;
    for (let row = 0; row < words.length && row < parsed.count; row++) {
      const word = words[row];
      if (word === 0 || parsed.kinds[row] !== KIND.row || parsed.problems[row] !== PROBLEM.none) continue;
      const value = amounts.amount[row] as number;
      if (value === 0 || Number.isNaN(value)) continue;
      if (value > 0 === (word === IN)) outNegative++;
      else outPositive++;
    }
    const all = outNegative + outPositive;
    const needed = all < 3 ? all : all * 0.9;
    if (all === 0) return null;
    if (outNegative >= needed) return { sign: OUT_NEGATIVE, code, rows: all };
    return outPositive >= needed ? { sign: OUT_POSITIVE, code, rows: all } : 'mixed';
  };
  const type = tally(parsed.typeWords, 'type_words');
  const text = tally(parsed.textWords, 'description_words');
  return {
    type: type === 'mixed' ? null : type,
    text: text === 'mixed' ? null : text,
    isTypeMixed: type === 'mixed',
  };
}

/** Both conventions shown on the first row with an amount. */
function candidatesOf(parsed: ParsedColumns, amounts: ParsedAmounts, first: SignConvention): DetectionCandidate[] {
  const values: Float64Array = amounts.amount.length > 0 ? amounts.amount : amounts.debit;
  let row = 0;
  while (row < parsed.count && !(parsed.kinds[row] === KIND.row && Math.abs(values[row] as number) > 0)) row++;
  if (row === parsed.count) return [];
  const cents = values[row] as number;
  const raw = (cents / 100).toFixed(2);
  const shown = (value: SignConvention): DetectionCandidate => ({
    value,
    line: parsed.lines[row] as number,
    raw,
    read_as: (value === OUT_POSITIVE ? cents > 0 : cents < 0) ? 'money out' : 'money in',
  });
  return [shown(first), shown(first === OUT_POSITIVE ? OUT_NEGATIVE : OUT_POSITIVE)];
}
