import type { SignConvention } from '../analysis.ts';
import { DIRECT_DEBIT, IN } from '../lexicon/lexicon.ts';
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
  /** The rows name a card or its holder: they are what was paid with it. */
  readonly isOfCards: boolean;
  readonly ledger: SignConvention | null;
  /** What other columns of money show, such as the amount before and after a fee. */
  readonly columns: SignConvention | null;
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
  'header_names',
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
  explains:
    'Most files put a minus sign before money spent. Some, often those of credit cards, put it before money received. This is asked only if the signs show whether money went out or came in.',
  tests: [
    {
      code: 'parameter',
      confidence: 'given',
      means: 'You chose it when you sent the file.',
      says: ({ given }) => given,
    },
    {
      code: 'content',
      confidence: 'ambiguous',
      means:
        'No amount has a minus sign, and the file shows money out and money in by words that Homeledger cannot use. Neither an earlier file nor a known bank settles it. Homeledger asks.',
      says: ({ counts, hasOwnDirections, profile }) =>
        counts.negative === 0 && hasOwnDirections && !profile ? EITHER : null,
    },
    {
      code: 'balance_proof',
      confidence: 'proved',
      means: 'The amounts add up to the balances in one reading only, and the kind of account is known.',
      says: ({ proved, isAccountKnown }) => (isAccountKnown ? proved : null),
    },
    {
      code: 'balance_proof',
      confidence: 'proved',
      means:
        'The kind of account is not known. The amounts add up to the balances in one reading if the balances are money you have, and in the other if they are money you owe. Homeledger takes them for money you have. Without other evidence, the answer is only assumed; if other evidence disagrees, Homeledger asks. If no amount has a minus sign, the types of the rows must not contradict each other.',
      says: ({ proved, words, counts }) => (counts.negative === 0 && words.isTypeMixed ? null : proved),
      supportedBy: { codes: BESIDE_BALANCES, alone: 'assumed' },
    },
    {
      code: 'ledger_overlap',
      confidence: 'certain',
      means:
        'At least three rows are already in the account, with the same day, a similar text and the same amount apart from its sign. All of them fit this reading.',
      says: ({ ledger }) => ledger,
    },
    {
      code: 'stored_profile',
      confidence: 'profile',
      means: 'Files with these columns were read this way before.',
      says: (facts) => signOfProfile(facts, 'stored_profile'),
      opposedBy: ['header_names', 'type_words', 'description_words'],
    },
    {
      code: 'built_in_profile',
      confidence: 'profile',
      means: 'This bank is known to write its files this way.',
      says: (facts) => signOfProfile(facts, 'built_in_profile'),
      opposedBy: ['header_names', 'type_words', 'description_words'],
    },
    {
      code: 'header_names',
      confidence: 'certain',
      means:
        'Other columns show it by their names: one for money out and one for money in, or the amount before and after a fee. A fee leaves less of what came in and adds to what was spent. Nine in ten rows fit this reading.',
      says: ({ columns }) => columns,
    },
    {
      code: 'type_words',
      confidence: 'likely',
      means:
        'The rows have types such as “purchase” or “refund”, and nine in ten of these fit this reading. If they fit neither reading, Homeledger asks. If no amount has a minus sign, every row must have such a type, and all must agree.',
      says: ({ words, counts }) => (words.isTypeMixed ? likelierFirst(counts) : settledBy(words.type, counts)),
      hints: ({ words }) => words.type?.sign ?? null,
    },
    {
      code: 'description_words',
      confidence: 'likely',
      means:
        'The rows have texts such as “salary” or “card purchase”, and nine in ten of these fit this reading. If no amount has a minus sign, every row must have such a text, all must agree, and no type may say “refund”.',
      says: ({ words, counts, hasRefunds }) =>
        hasRefunds && counts.negative === 0 ? null : settledBy(words.text, counts),
      hints: ({ words }) => words.text?.sign ?? null,
    },
    {
      code: 'account_type',
      confidence: 'likely',
      means:
        'The account is a card, there are at least three rows, and two in three have the same sign. That sign is money spent, because most rows of a card are.',
      says: (facts) => (facts.isCreditAccount ? signOfMost(facts) : null),
    },
    {
      code: 'header_names',
      confidence: 'likely',
      means:
        'A column names the holder of a card, most rows name a card, or columns hold the place and the foreign price of purchases. There are at least three rows, and two in three have the same sign. That sign is money spent, because most rows of a card are.',
      says: (facts) => (facts.isOfCards ? signOfMost(facts) : null),
    },
    {
      code: 'negative_values',
      confidence: 'ambiguous',
      means:
        'Some amounts have a minus sign. But in files with these columns for another account, money spent had none. Homeledger asks.',
      says: ({ counts, others }) =>
        counts.negative > 0 && others.includes(OUT_POSITIVE) ? [OUT_NEGATIVE, OUT_POSITIVE] : null,
    },
    {
      code: 'default',
      confidence: 'assumed',
      means:
        'Some amounts have a minus sign, and nothing else is known. Homeledger takes these for money spent, and warns.',
      says: ({ counts }) => (counts.negative > 0 ? OUT_NEGATIVE : counts.positive === 0 ? OUT_POSITIVE : null),
    },
    {
      code: 'content',
      confidence: 'ambiguous',
      means:
        'No amount has a minus sign. A list of purchases and a list of deposits then look alike, so Homeledger asks.',
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

function signOfMost({ counts: { positive, negative } }: SignFacts): SignConvention | null {
  const all = positive + negative;
  if (all < 3) return null;
  if (positive * 3 >= all * 2) return OUT_POSITIVE;
  return negative * 3 >= all * 2 ? OUT_NEGATIVE : null;
}

interface SignCounts {
  readonly positive: number;
  readonly negative: number;
}

export function countSigns(
  parsed: ParsedColumns,
  amounts: ParsedAmounts,
  counts: (row: number) => boolean = () => true,
): SignCounts {
  let positive = 0;
  let negative = 0;
  for (let row = 0; row < parsed.count; row++) {
    if (parsed.kinds[row] !== KIND.row || parsed.problems[row] !== PROBLEM.none) continue;
    if (!counts(row)) continue;
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
  const others = countSigns(parsed, amounts, (row) => parsed.textWords[row] !== DIRECT_DEBIT);
  const tally = (words: Uint8Array): Spoken | 'mixed' | null => {
    let outNegative = 0;
    let outPositive = 0;
    for (let row = 0; row < words.length && row < parsed.count; row++) {
      const word = words[row];
      if (word === 0 || parsed.kinds[row] !== KIND.row || parsed.problems[row] !== PROBLEM.none) continue;
      const value = amounts.amount[row] as number;
      if (value === 0 || Number.isNaN(value)) continue;
      if (word === DIRECT_DEBIT && !isLikeMost(value, others)) continue;
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

/** Direct debits are money out if most other rows have their sign; on a card they are the one row that pays the others. */
function isLikeMost(value: number, { positive, negative }: SignCounts): boolean {
  if (positive + negative === 0) return true;
  return value > 0 ? positive > negative : negative > positive;
}
