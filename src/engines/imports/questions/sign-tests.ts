import type { SignConvention } from '../analysis.ts';
import { IN } from '../lexicon/lexicon.ts';
import { KIND, PROBLEM } from '../columns/parsed-columns.ts';
import type { ParsedAmounts, ParsedColumns } from '../columns/parsed-columns.ts';
import type { Question } from '../question.ts';

const OUT_NEGATIVE = 'positive_is_in';
const OUT_POSITIVE = 'positive_is_out';
const EITHER: readonly SignConvention[] = [OUT_POSITIVE, OUT_NEGATIVE];

/** All that may tell which amounts of a signed column are money out (36.5.7). */
export interface SignFacts {
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
  readonly counts: SignCounts;
  readonly words: WordEvidence;
  /** Whether some rows are refunds by their types, whatever their texts say. */
  readonly hasRefunds: boolean;
}

/** Evidence that balances need where nobody knows whether they count money owned or owed. */
const BESIDE_BALANCES = [
  'ledger_overlap',
  'stored_profile',
  'built_in_profile',
  'type_words',
  'description_words',
  'account_type',
];

/** The convention of a signed amount column (36.5.7). */
export const SIGN: Question<SignConvention, SignFacts> = {
  name: 'sign',
  asks: 'Are amounts without a minus sign money spent or money received?',
  tests: [
    {
      code: 'parameter',
      confidence: 'given',
      means: 'Whoever sent the file said so.',
      says: ({ given }) => given,
    },
    {
      code: 'content',
      confidence: 'ambiguous',
      means:
        'No amount has a minus, and the file shows the direction in words that are not known: only a person can tell.',
      says: ({ counts, hasOwnDirections, profile }) =>
        counts.negative === 0 && hasOwnDirections && !profile ? EITHER : null,
    },
    {
      code: 'balance_proof',
      confidence: 'proved',
      means: 'The balances add up one way only, and the kind of account is known.',
      says: ({ proved, isAccountKnown }) => (isAccountKnown ? proved : null),
    },
    {
      code: 'balance_proof',
      confidence: 'proved',
      means:
        'The balances add up one way if they count money owned, the other way if they count money owed. Without other evidence, money owned is assumed; if other evidence disagrees, Homeledger asks. If no amount has a minus, the types must not contradict each other.',
      says: ({ proved, words, counts }) => (counts.negative === 0 && words.isTypeMixed ? null : proved),
      supportedBy: { codes: BESIDE_BALANCES, alone: 'assumed' },
    },
    {
      code: 'ledger_overlap',
      confidence: 'certain',
      means:
        'Three rows or more are in the account already, on the same day and with a similar text, all with this sign.',
      says: ({ ledger }) => ledger,
    },
    {
      code: 'stored_profile',
      confidence: 'profile',
      means: 'Files with these columns were read this way before.',
      says: (facts) => signOfProfile(facts, 'stored_profile'),
      opposedBy: ['type_words', 'description_words'],
    },
    {
      code: 'built_in_profile',
      confidence: 'profile',
      means: 'The bank is known to write its files this way.',
      says: (facts) => signOfProfile(facts, 'built_in_profile'),
      opposedBy: ['type_words', 'description_words'],
    },
    {
      code: 'type_words',
      confidence: 'likely',
      means:
        'Types such as “purchase” or “refund” fit the signs of nine rows in ten. If they fit neither way, Homeledger asks. If no amount has a minus, every row must have such a word.',
      says: ({ words, counts }) => (words.isTypeMixed ? likelierFirst(counts) : settledBy(words.type, counts)),
      hints: ({ words }) => words.type?.sign ?? null,
    },
    {
      code: 'description_words',
      confidence: 'likely',
      means:
        'Texts such as “salary” or “card purchase” fit the signs of nine rows in ten. If no amount has a minus, every row must have such a text, and none may be a refund by its type.',
      says: ({ words, counts, hasRefunds }) =>
        hasRefunds && counts.negative === 0 ? null : settledBy(words.text, counts),
      hints: ({ words }) => words.text?.sign ?? null,
    },
    {
      code: 'account_type',
      confidence: 'likely',
      means:
        'The account is a card, and two rows in three have the same sign: a card has more spending than anything else.',
      says: signOfCard,
    },
    {
      code: 'negative_values',
      confidence: 'ambiguous',
      means: 'Files with these columns that went to another account had spending without a minus: Homeledger asks.',
      says: ({ counts, others }) =>
        counts.negative > 0 && others.includes(OUT_POSITIVE) ? [OUT_NEGATIVE, OUT_POSITIVE] : null,
    },
    {
      code: 'default',
      confidence: 'assumed',
      means: 'Some amounts have a minus, and nothing else is known: a minus is taken for money spent, with a warning.',
      says: ({ counts }) => (counts.negative > 0 ? OUT_NEGATIVE : counts.positive === 0 ? OUT_POSITIVE : null),
    },
    {
      code: 'content',
      confidence: 'ambiguous',
      means: 'No amount has a minus: a list of purchases and a list of deposits look alike, so Homeledger asks.',
      says: () => EITHER,
    },
  ],
};

function likelierFirst({ negative }: SignCounts): readonly SignConvention[] {
  return negative > 0 ? [OUT_NEGATIVE, OUT_POSITIVE] : EITHER;
}

function signOfProfile({ profile }: SignFacts, code: string): SignConvention | null {
  return profile?.code === code ? profile.sign : null;
}

/** If no amount has a sign, every row must have a word, and all the same way: the others may be refunds. */
function settledBy(words: Spoken | null, { positive, negative }: SignCounts): SignConvention | null {
  return words && (negative > 0 || (words.rows === positive && words.against === 0)) ? words.sign : null;
}

function signOfCard({ isCreditAccount, counts: { positive, negative } }: SignFacts): SignConvention | null {
  const all = positive + negative;
  if (!isCreditAccount || all < 3) return null;
  if (positive * 3 >= all * 2) return OUT_POSITIVE;
  return negative * 3 >= all * 2 ? OUT_NEGATIVE : null;
}

interface SignCounts {
  readonly positive: number;
  readonly negative: number;
}

export function countSigns(parsed: ParsedColumns, amounts: ParsedAmounts): SignCounts {
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

interface Spoken {
  readonly sign: SignConvention;
  readonly rows: number;
  /** How many of the rows say the opposite. */
  readonly against: number;
}

interface WordEvidence {
  readonly type: Spoken | null;
  readonly text: Spoken | null;
  /** True when the type words of the rows contradict each other: neither convention is taken from them. */
  readonly isTypeMixed: boolean;
}

export function wordEvidence(parsed: ParsedColumns, amounts: ParsedAmounts): WordEvidence {
  const tally = (words: Uint8Array): Spoken | 'mixed' | null => {
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
    if (outNegative >= needed) return { sign: OUT_NEGATIVE, rows: all, against: outPositive };
    return outPositive >= needed ? { sign: OUT_POSITIVE, rows: all, against: outNegative } : 'mixed';
  };
  const type = tally(parsed.typeWords);
  const text = tally(parsed.textWords);
  return {
    type: type === 'mixed' ? null : type,
    text: text === 'mixed' ? null : text,
    isTypeMixed: type === 'mixed',
  };
}
