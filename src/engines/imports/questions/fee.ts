import type { Detection, FeeMode, ReadOptions } from '../analysis.ts';
import { SAMPLE_SIZE } from '../columns/column-stats.ts';
import type { ColumnStats } from '../columns/column-stats.ts';
import { NumberCell } from '../cells/numbers.ts';

export interface FeeDecision {
  readonly open: readonly FeeMode[];
  readonly detection: Detection<FeeMode | null>;
}

/** The fee modes under which a file may be read (36.5.10). A column without fees leaves nothing to decide. */
export function decideFee(column: ColumnStats | undefined, options: ReadOptions): FeeDecision {
  if (!column)
    return { open: ['included'], detection: { value: null, confidence: 'none', evidence: [], candidates: [] } };
  if (options.fee_mode)
    return {
      open: [options.fee_mode],
      detection: { value: options.fee_mode, confidence: 'given', evidence: ['parameter'], candidates: [] },
    };
  if (isAllZero(column))
    return {
      open: ['included'],
      detection: { value: 'included', confidence: 'certain', evidence: ['content'], candidates: [] },
    };
  return {
    open: ['separate', 'included'],
    detection: { value: 'separate', confidence: 'ambiguous', evidence: ['content'], candidates: [] },
  };
}

/** Settles an open fee mode by the balance proof, else by a profile; else it stays ambiguous. */
export function settleFee(
  fee: FeeDecision,
  proved: FeeMode | null,
  profile: { value: FeeMode; code: string } | null,
  column: ColumnStats | undefined,
): Detection<FeeMode | null> {
  if (fee.detection.confidence !== 'ambiguous') return fee.detection;
  if (proved) return { value: proved, confidence: 'proved', evidence: ['balance_proof'], candidates: [] };
  if (profile) return { value: profile.value, confidence: 'profile', evidence: [profile.code], candidates: [] };
  const sample = column?.firstOfVote.find((cell) => cell !== undefined);
  if (!sample) return fee.detection;
  const candidate = (value: FeeMode, meaning: string): Detection['candidates'][number] => ({
    value,
    line: sample.line,
    raw: sample.raw,
    read_as: meaning,
  });
  return {
    ...fee.detection,
    candidates: [
      candidate('separate', 'the fee is charged on top of the amount'),
      candidate('included', 'the amount already includes the fee'),
    ],
  };
}

function isAllZero(column: ColumnStats): boolean {
  const number = new NumberCell();
  const isZero = (cell: string): boolean => !/[1-9]/.test(cell) && (number.read(cell) || !/[\p{L}\p{N}]/u.test(cell));
  return column.sampleValues.size < SAMPLE_SIZE && [...column.sampleValues].every(isZero);
}
