import type { Detection, DetectionCandidate, FeeMode } from '../analysis.ts';
import { SAMPLE_SIZE } from '../columns/column-stats.ts';
import type { ColumnStats } from '../columns/column-stats.ts';
import { NumberCell } from '../cells/numbers.ts';
import { settle } from '../question.ts';
import type { Question } from '../question.ts';

interface FeeFacts {
  readonly given: FeeMode | null;
  readonly column: ColumnStats;
  /** The one mode under which the balances chain. */
  readonly proved: FeeMode | null;
  readonly profile: { readonly value: FeeMode; readonly code: string } | null;
}

/** Whether fees are part of the amounts beside them (36.5.10). */
export const FEE: Question<FeeMode, FeeFacts> = {
  name: 'fee_mode',
  asks: 'Is a fee part of the amount beside it, or charged on top?',
  tests: [
    { code: 'parameter', confidence: 'given', means: 'Whoever sent the file said so.', says: ({ given }) => given },
    {
      code: 'content',
      confidence: 'certain',
      means: 'All fees are zero or empty, so it does not matter.',
      says: ({ column }) => (isAllZero(column) ? 'included' : null),
    },
    {
      code: 'balance_proof',
      confidence: 'proved',
      means: 'The balances add up one way only.',
      says: ({ proved }) => proved,
    },
    {
      code: 'stored_profile',
      confidence: 'profile',
      means: 'Files with these columns were read this way before.',
      says: ({ profile }) => (profile?.code === 'stored_profile' ? profile.value : null),
    },
    {
      code: 'built_in_profile',
      confidence: 'profile',
      means: 'The bank is known to write its files this way.',
      says: ({ profile }) => (profile?.code === 'built_in_profile' ? profile.value : null),
    },
    {
      code: 'content',
      confidence: 'ambiguous',
      means: 'There are fees, and nothing shows how they count: Homeledger asks.',
      says: () => ['separate', 'included'],
    },
  ],
};

/** The fee modes under which a file may be read, before its balances are asked. */
export function openFeeModes(column: ColumnStats | undefined, given: FeeMode | undefined): readonly FeeMode[] {
  return column ? settle(FEE, { given: given ?? null, column, proved: null, profile: null }).values : ['included'];
}

/** How the fees of the column count. A file without such a column leaves nothing to decide. */
export function settleFee(
  column: ColumnStats | undefined,
  given: FeeMode | undefined,
  proved: FeeMode | null,
  profile: FeeFacts['profile'],
): Detection<FeeMode | null> {
  if (!column) return { value: null, confidence: 'none', evidence: [], candidates: [] };
  const { values, confidence, evidence } = settle(FEE, { given: given ?? null, column, proved, profile });
  const candidates = confidence === 'ambiguous' ? feeCandidates(column) : [];
  return { value: values[0] ?? null, confidence, evidence, candidates };
}

function feeCandidates(column: ColumnStats): DetectionCandidate[] {
  const sample = column.firstOfVote.find((cell) => cell !== undefined);
  if (!sample) return [];
  const { line, raw } = sample;
  return [
    { value: 'separate', line, raw, read_as: 'the fee is charged on top of the amount' },
    { value: 'included', line, raw, read_as: 'the amount already includes the fee' },
  ];
}

function isAllZero(column: ColumnStats): boolean {
  const number = new NumberCell();
  const isZero = (cell: string): boolean => !/[1-9]/.test(cell) && (number.read(cell) || !/[\p{L}\p{N}]/u.test(cell));
  return column.sampleValues.size < SAMPLE_SIZE && [...column.sampleValues].every(isZero);
}
