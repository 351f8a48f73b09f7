import { AppError, validationError } from '../../../kernel/errors.ts';
import type { Detection, StoredProfile } from '../analysis.ts';
import { BUILT_IN_PROFILES } from '../profiles/built-in-profiles.ts';
import { decoderOf } from '../bytes/dos-code-pages.ts';
import type { TextSource } from '../bytes/encoding.ts';
import { bySynonyms } from './known-header.ts';
import type { Head } from './known-header.ts';
import { matchBuiltIn, matchStored } from '../profiles/profile-match.ts';
import { RecordReader } from './records.ts';

const CANDIDATES = [';', '\t', '|', ','] as const;
const SAMPLE_RECORDS = 200;
const NEAR = 0.05;
const HEADS = 30;

export interface Dialect {
  readonly delimiter: string;
  /** True when the first line is `sep=…`, not a record. */
  readonly hasSeparatorLine: boolean;
  readonly detection: Detection<string>;
}

interface Score {
  readonly delimiter: string;
  readonly share: number;
  readonly fields: number;
  /** True when one of the first records is a header under this delimiter: a few rows below a long preamble are outvoted. */
  readonly hasHeader: boolean;
  /** True when one of them is the header of a remembered profile. */
  readonly isRemembered: boolean;
}

/**
 * Finds the delimiter (36.5.3); one that yields a remembered header outweighs all other evidence.
 * @throws NO_HEADER when no candidate makes columns
 */
export function detectDialect(
  source: TextSource,
  given: string | undefined,
  stored: readonly StoredProfile[] = [],
): Dialect {
  const stated = statedSeparator(source);
  if (given !== undefined) {
    const delimiter = given === 'tab' || given === '\\t' ? '\t' : given;
    if (delimiter.length !== 1 || !CANDIDATES.some((known) => known === delimiter)) {
      throw validationError('delimiter', 'delimiter: must be one of , ; tab |');
    }
    return dialect(delimiter, stated !== undefined, 'given', ['parameter']);
  }
  if (stated !== undefined) return dialect(stated, true, 'certain', ['declared']);
  const scores: Score[] = [];
  let failure: unknown;
  for (const delimiter of CANDIDATES) {
    try {
      const score = scoreOf(source, delimiter, stored);
      if (score) scores.push(score);
    } catch (error) {
      failure ??= error;
    }
  }
  if (scores.length === 0) {
    if (failure !== undefined) throw failure;
    throw new AppError(
      'NO_HEADER',
      'The file has no columns: no line has commas, semicolons, tabs or | between values. Upload the list of transactions that your bank offers as CSV.',
    );
  }
  const withHeader = scores.filter((score) => score.hasHeader);
  const rivals = withHeader.length > 0 ? withHeader : scores;
  const top = Math.max(...rivals.map((score) => score.share));
  const near = rivals.filter((score) => score.share >= top - NEAR);
  const best = near.reduce((a, b) => (b.fields > a.fields ? b : a));
  const remembered = scores.find(({ isRemembered }) => isRemembered);
  if (remembered && !best.isRemembered) return dialect(remembered.delimiter, false, 'profile', ['stored_profile']);
  const certain = best.share >= 0.9 && near.length === 1;
  return dialect(
    best.delimiter,
    false,
    certain ? 'certain' : 'likely',
    best.hasHeader ? ['field_counts', 'header_names'] : ['field_counts'],
  );
}

function dialect(
  delimiter: string,
  hasSeparatorLine: boolean,
  confidence: Detection['confidence'],
  evidence: string[],
): Dialect {
  return {
    delimiter,
    hasSeparatorLine,
    detection: { value: delimiterName(delimiter), confidence, evidence, candidates: [] },
  };
}

/** The delimiter as answers show it: a tab is called `tab`. */
function delimiterName(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}

function statedSeparator(source: TextSource): string | undefined {
  const wide = source.label.startsWith('utf-16');
  const head = decoderOf(source.label).decode(source.bytes.subarray(source.start, source.start + (wide ? 28 : 14)));
  const match = /^"?sep=([^\r\n"])"?[\r\n]/i.exec(head);
  return match?.[1];
}

function scoreOf(source: TextSource, delimiter: string, stored: readonly StoredProfile[]): Score | null {
  const reader = new RecordReader(source, delimiter);
  const counts: number[] = [];
  const widths: number[] = [];
  const heads: Head[] = [];
  while (counts.length < SAMPLE_RECORDS && reader.next()) {
    const count = reader.filledCount();
    if (count === 0) continue;
    counts.push(count);
    widths.push(reader.count);
    if (heads.length < HEADS && count >= 2) heads.push({ line: reader.line, cells: reader.cells() });
  }
  const { fields } = mostFrequent(counts);
  if (fields === 0) return null;
  const fitting = counts.filter((count) => count <= fields && count >= Math.max(2, fields - 2)).length;
  const hasHeader =
    bySynonyms(heads, 9_998) !== undefined ||
    heads.some((head) => matchBuiltIn(head.cells, BUILT_IN_PROFILES, 'strong') !== undefined);
  const isRemembered = heads.some((head) => matchStored(head.cells, head.cells.length, stored) !== undefined);
  // Rows that often end in empty fields, as when money out and in take turns, still have one width.
  const even = mostFrequent(widths);
  const isEven = even.times > fitting;
  const share = Math.max(even.times, fitting) / counts.length;
  return { delimiter, share, fields: isEven ? even.fields : fields, hasHeader, isRemembered };
}

/** The most frequent field count of two or more, the larger on ties. */
function mostFrequent(counts: readonly number[]): { fields: number; times: number } {
  const frequency = new Map<number, number>();
  for (const count of counts) if (count >= 2) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  let fields = 0;
  let times = 0;
  for (const [count, found] of frequency)
    if (found > times || (found === times && count > fields)) [fields, times] = [count, found];
  return { fields, times };
}
