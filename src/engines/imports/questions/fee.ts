import type { Detection, DetectionCandidate, FeeMode } from '../analysis.ts';
import { SAMPLE_SIZE } from '../columns/column-stats.ts';
import type { ColumnStats } from '../columns/column-stats.ts';
import { NumberCell } from '../cells/numbers.ts';
import { settle } from '../question.ts';
import type { Question } from '../question.ts';

/** The column of fees. */
export interface FeeColumn {
  readonly stats: ColumnStats;
  /** Whether a row that is read has a fee; those of rows that are left out change nothing. */
  readonly isUsed: boolean;
}

interface FeeFacts {
  readonly given: FeeMode | null;
  readonly column: FeeColumn;
  /** The one mode under which the balances chain. */
  readonly proved: FeeMode | null;
  readonly profile: { readonly value: FeeMode; readonly code: string } | null;
}

/** Whether fees are part of the amounts beside them (36.5.10). */
export const FEE: Question<FeeMode, FeeFacts> = {
  name: 'fee_mode',
  asks: 'Is a fee part of the amount beside it, or charged on top?',
  explains: 'If a row shows 100.00 spent and a fee of 2.00, 100.00 or 102.00 may have left the account.',
  tests: [
    {
      code: 'parameter',
      confidence: 'given',
      means: 'You chose it when you sent the file.',
      says: ({ given }) => given,
    },
    {
      code: 'content',
      confidence: 'certain',
      means: 'Every fee is zero, empty or in a row that is left out, so it does not matter.',
      says: ({ column }) => (!column.isUsed && areReadable(column.stats) ? 'included' : null),
    },
    {
      code: 'balance_proof',
      confidence: 'proved',
      means: 'The amounts add up to the balances in one reading only.',
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
      means: 'This bank is known to write its files this way.',
      says: ({ profile }) => (profile?.code === 'built_in_profile' ? profile.value : null),
    },
    {
      code: 'content',
      confidence: 'ambiguous',
      means: 'There are fees, and nothing shows how they count. Homeledger asks.',
      says: () => ['separate', 'included'],
    },
  ],
};

/** The fee modes under which a file may be read, before its balances are asked. */
export function openFeeModes(column: FeeColumn | undefined, given: FeeMode | undefined): readonly FeeMode[] {
  return column ? settle(FEE, { given: given ?? null, column, proved: null, profile: null }).values : ['included'];
}

/** How the fees of the column count. A file without such a column leaves nothing to decide. */
export function settleFee(
  column: FeeColumn | undefined,
  given: FeeMode | undefined,
  proved: FeeMode | null,
  profile: FeeFacts['profile'],
): Detection<FeeMode | null> {
  if (!column) return { value: null, confidence: 'none', evidence: [], candidates: [] };
  const { values, confidence, evidence } = settle(FEE, { given: given ?? null, column, proved, profile });
  const candidates = confidence === 'ambiguous' ? feeCandidates(column.stats) : [];
  return { value: values[0] ?? null, confidence, evidence, candidates };
}

function feeCandidates({ firstOfVote }: ColumnStats): DetectionCandidate[] {
  const sample = firstOfVote.find((cell) => cell !== undefined);
  if (!sample) return [];
  const { line, raw } = sample;
  return [
    { value: 'separate', line, raw, read_as: 'the fee is charged on top of the amount' },
    { value: 'included', line, raw, read_as: 'the amount already includes the fee' },
  ];
}

/** Whether every fee is a number, or no fee at all: one that cannot be read counts as none, but may be one. */
function areReadable({ sampleValues }: ColumnStats): boolean {
  const number = new NumberCell();
  const isReadable = (cell: string): boolean => number.read(cell) || !/[\p{L}\p{N}]/u.test(cell);
  return sampleValues.size < SAMPLE_SIZE && [...sampleValues].every(isReadable);
}
