import type { Detection, SignConvention } from './analysis.ts';
import type { AmountMode } from './amounts.ts';
import type { ParsedAmounts, ColumnPlan, ParsedColumns } from './parsed-columns.ts';
import { ledgerSign } from './hidden-direction.ts';
import type { Mapping } from './mapping.ts';
import type { profileStatement } from './profile-statement.ts';
import type { ChoiceInput } from './choose-interpretation.ts';
import { readUnder } from './interpretations.ts';
import type { Interpretation, InterpretationContext } from './interpretations.ts';
import { candidatesOf, decideSign } from './sign.ts';
import type { SignDecision } from './sign.ts';
import { directionPair, isLoosePair } from './lexicon.ts';

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
