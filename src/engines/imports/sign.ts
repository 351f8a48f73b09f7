import type { AmountMode } from './amounts.ts';
import type { Detection, DetectionCandidate, SignConvention } from './analysis.ts';
import type { ChoiceInput } from './choose-interpretation.ts';
import { readUnder } from './interpretations.ts';
import type { Interpretation, InterpretationContext } from './interpretations.ts';
import { ledgerSign } from './ledger-overlap.ts';
import { IN, directionPair, isLoosePair } from './lexicon.ts';
import type { Mapping } from './mapping.ts';
import { KIND, PROBLEM } from './parsed-columns.ts';
import type { ColumnPlan, ParsedAmounts, ParsedColumns } from './parsed-columns.ts';
import type { profileStatement } from './profile-statement.ts';

/** Everything that speaks for one sign convention or the other (36.5.7). */
export interface SignEvidence {
  readonly given: SignConvention | null;
  /** The one convention under which the balances chain; null when none or both do. */
  readonly proved: SignConvention | null;
  readonly isAccountKnown: boolean;
  readonly isCreditAccount: boolean;
  readonly ledger: SignConvention | null;
  readonly profile: { readonly sign: SignConvention; readonly code: string } | null;
  /** Of other accounts whose files have this header. */
  readonly others: readonly SignConvention[];
  /** True when the file says the direction of each row, but in a way that was not read. Balances leave the first open. */
  readonly hasOwnDirections: boolean;
}

export interface SignDecision {
  readonly detection: Detection<SignConvention>;
  /** Codes of warnings that follow from the decision. */
  readonly contradicts: readonly ('SIGN_CONTRADICTS_BALANCE' | 'SIGN_CONTRADICTS_LEDGER')[];
  /** True when the account type would decide as well. */
  readonly asksAccountType: boolean;
}

const OUT_NEGATIVE = 'positive_is_in';
const OUT_POSITIVE = 'positive_is_out';

/** Decides the sign convention of a signed amount column, strongest evidence first. */
export function decideSign(parsed: ParsedColumns, amounts: ParsedAmounts, evidence: SignEvidence): SignDecision {
  const counts = countSigns(parsed, amounts);
  const words = wordEvidence(parsed, amounts);
  // Where no amount has a sign, a few words say nothing of the rows without them.
  const isUnsigned = counts.negative === 0;
  const extra = counts.negative > 0 ? ['negative_values'] : [];
  const decided = (
    value: SignConvention,
    confidence: Detection['confidence'],
    codes: readonly string[],
  ): SignDecision => ({
    detection: { value, confidence, evidence: [...codes, ...extra], candidates: [] },
    contradicts: [],
    asksAccountType: false,
  });
  const open = (first: SignConvention, codes: readonly string[], asksAccountType = false): SignDecision => ({
    detection: {
      value: first,
      confidence: 'ambiguous',
      evidence: codes,
      candidates: candidatesOf(parsed, amounts, first),
    },
    contradicts: [],
    asksAccountType,
  });
  if (evidence.given) {
    const decision = decided(evidence.given, 'given', ['parameter']);
    const contradicts: SignDecision['contradicts'][number][] = [];
    if (evidence.isAccountKnown && evidence.proved && evidence.proved !== evidence.given)
      contradicts.push('SIGN_CONTRADICTS_BALANCE');
    if (evidence.ledger && evidence.ledger !== evidence.given) contradicts.push('SIGN_CONTRADICTS_LEDGER');
    return { ...decision, contradicts };
  }
  if (isUnsigned && evidence.hasOwnDirections && !evidence.profile) return open(OUT_POSITIVE, ['content']);
  if (evidence.proved && evidence.isAccountKnown) return decided(evidence.proved, 'proved', ['balance_proof']);
  const other = otherEvidence(evidence, counts, words);
  if (evidence.proved) {
    if (other.values.length === 0) return decided(evidence.proved, 'assumed', ['balance_proof', 'default']);
    if (evidence.profile?.sign === evidence.proved)
      return decided(evidence.proved, 'proved', ['balance_proof', evidence.profile.code]);
    if (other.values.every((value) => value === evidence.proved))
      return decided(evidence.proved, 'proved', ['balance_proof', ...other.codes]);
    return open(evidence.proved, ['balance_proof', ...other.codes], true);
  }
  if (evidence.ledger) return decided(evidence.ledger, 'certain', ['ledger_overlap']);
  if (evidence.profile) {
    const spoken = words.type ?? words.text;
    if (spoken && spoken.sign !== evidence.profile.sign)
      return open(evidence.profile.sign, [evidence.profile.code, spoken.code]);
    return decided(evidence.profile.sign, 'profile', [evidence.profile.code]);
  }
  if (words.isTypeMixed) return open(isUnsigned ? OUT_POSITIVE : OUT_NEGATIVE, ['type_words']);
  const spoken = [words.type, words.text].find((one) => one && (!isUnsigned || one.rows >= counts.positive * 0.9));
  if (spoken) return decided(spoken.sign, 'likely', [spoken.code]);
  const byAccount = accountEvidence(evidence, counts);
  if (byAccount) return decided(byAccount, 'likely', ['account_type']);
  // What files with this header mean for another account is no evidence, but enough not to assume the opposite.
  if (counts.negative > 0 && evidence.others.includes(OUT_POSITIVE)) return open(OUT_NEGATIVE, ['negative_values']);
  if (counts.negative > 0) return decided(OUT_NEGATIVE, 'assumed', ['default']);
  if (counts.positive === 0) return decided(OUT_POSITIVE, 'assumed', ['default']);
  // A list of purchases and a list of deposits look alike.
  return open(OUT_POSITIVE, ['content']);
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

function otherEvidence(
  evidence: SignEvidence,
  counts: Counts,
  words: WordEvidence,
): { values: SignConvention[]; codes: string[] } {
  const values: SignConvention[] = [];
  const codes: string[] = [];
  const add = (value: SignConvention | null | undefined, code: string): void => {
    if (!value) return;
    values.push(value);
    codes.push(code);
  };
  if (evidence.ledger) return { values: [evidence.ledger], codes: ['ledger_overlap'] };
  add(evidence.profile?.sign, evidence.profile?.code ?? '');
  add(words.type?.sign, 'type_words');
  add(words.text?.sign, 'description_words');
  add(accountEvidence(evidence, counts), 'account_type');
  return { values, codes };
}

function accountEvidence(evidence: SignEvidence, { positive, negative }: Counts): SignConvention | null {
  const all = positive + negative;
  if (!evidence.isCreditAccount || all < 3) return null;
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
export function candidatesOf(
  parsed: ParsedColumns,
  amounts: ParsedAmounts,
  first: SignConvention,
): DetectionCandidate[] {
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

interface SignInput {
  readonly input: ChoiceInput;
  readonly mode: AmountMode;
  readonly isTied: boolean;
  readonly parsed: ParsedColumns;
  readonly plan: ColumnPlan;
  readonly interpretationContext: InterpretationContext;
  readonly statement: ReturnType<typeof profileStatement>;
  readonly givenSign: SignConvention | null;
  readonly chosen: Omit<Interpretation, 'sign'>;
  readonly provedSign: SignConvention | null;
  readonly claimed: Mapping;
}

/** Words in a column that is named as the direction, a pair of them in another, or suffixes of the amounts. */
function hasOwnDirections({ claimed, input, plan }: SignInput): boolean {
  const { columns } = input.stats;
  const named = columns[claimed.get('direction')?.columns[0] ?? -1]?.words?.size ?? 0;
  if (named > 1 || (columns[plan.amount]?.stated ?? 0) > 0) return true;
  const taken = new Set([...claimed].flatMap(([field, { columns: its }]) => (field === 'type' ? [] : its)));
  return columns.some(({ words }, index) => {
    const pair = words?.size === 2 && !taken.has(index) ? directionPair(words.keys()) : undefined;
    return pair !== undefined && !isLoosePair(pair);
  });
}

type SignChoice = { sign: SignConvention; detection: Detection } & Pick<
  SignDecision,
  'contradicts' | 'asksAccountType'
>;

/** The sign of the file in whichever way it is written: by column, by word, or by a convention that is decided. */
export function decideSignOf(at: SignInput): SignChoice {
  const { mode, parsed, statement } = at;
  const plain = (detection: Detection, sign: SignConvention): SignChoice => ({
    sign,
    detection,
    contradicts: [],
    asksAccountType: false,
  });
  if (mode === 'direction')
    return plain(
      { value: 'direction', confidence: 'certain', evidence: ['direction_words'], candidates: [] },
      'positive_is_out',
    );
  const amounts = parsed.amounts.find((one) => one.decimal === at.chosen.decimal) as ParsedAmounts;
  if (mode === 'pair') {
    if (!at.isTied)
      return plain(
        { value: 'debit_credit', confidence: 'certain', evidence: ['header_names'], candidates: [] },
        'positive_is_out',
      );
    if (at.provedSign)
      return plain(
        { value: 'debit_credit', confidence: 'proved', evidence: ['balance_proof'], candidates: [] },
        at.provedSign,
      );
    if (at.givenSign)
      return plain(
        { value: 'debit_credit', confidence: 'given', evidence: ['parameter'], candidates: [] },
        at.givenSign,
      );
    return plain(
      {
        value: 'debit_credit',
        confidence: 'ambiguous',
        evidence: ['content'],
        candidates: candidatesOf(parsed, amounts, 'positive_is_out'),
      },
      'positive_is_out',
    );
  }
  const trial = readUnder(at.interpretationContext, { ...at.chosen, sign: 'positive_is_out' });
  const decision = decideSign(parsed, amounts, {
    given: at.givenSign,
    proved: at.provedSign,
    isAccountKnown: statement.isAccountKnown,
    isCreditAccount: statement.isCreditAccount,
    ledger: at.input.context.account ? ledgerSign(at.plan, trial, at.input.context.account) : null,
    profile: statement.sign,
    others: statement.others.signs,
    hasOwnDirections: hasOwnDirections(at),
  });
  return {
    sign: decision.detection.value,
    detection: decision.detection,
    contradicts: decision.contradicts,
    asksAccountType: decision.asksAccountType,
  };
}
