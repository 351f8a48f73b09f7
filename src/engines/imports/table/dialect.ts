import { AppError, validationError } from '../../../kernel/errors.ts';
import type { Detection, StoredProfile } from '../analysis.ts';
import { BUILT_IN_PROFILES } from '../profiles/built-in-profiles.ts';
import { decoderOf } from '../bytes/dos-code-pages.ts';
import type { TextSource } from '../bytes/encoding.ts';
import { bySynonyms } from './known-header.ts';
import type { Head } from './known-header.ts';
import { matchBuiltIn, matchStored } from '../profiles/profile-match.ts';
import { RecordReader } from '../cells/records.ts';
import { settle } from '../question.ts';
import type { Question } from '../question.ts';

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

interface DelimiterFacts {
  readonly given: string | null;
  /** What a first line `sep=…` says. */
  readonly declared: string | null;
  /** Tries every delimiter on the first records. @throws NO_HEADER when none makes columns */
  ranking(): Ranking;
}

interface Ranking {
  readonly best: Score;
  /** True when no other delimiter gives records that are nearly as even. */
  readonly isAlone: boolean;
  /** A delimiter that yields the header of a remembered profile. */
  readonly remembered: string | null;
}

/** The character between the values of a record (36.5.3). */
export const DELIMITER: Question<string, DelimiterFacts> = {
  name: 'delimiter',
  asks: 'Which character separates the columns?',
  explains:
    'In each row of a CSV file, a comma, a semicolon, a tab or a | stands between the columns. It is called the delimiter.',
  tests: [
    {
      code: 'parameter',
      confidence: 'given',
      means: 'You chose it when you sent the file.',
      says: ({ given }) => given,
    },
    {
      code: 'declared',
      confidence: 'certain',
      means: 'The first line of the file names it, as in “sep=;”.',
      says: ({ declared }) => declared,
    },
    {
      code: 'stored_profile',
      confidence: 'profile',
      means: 'With this character, the column names are those of a file that was imported before.',
      says: (facts) => (facts.ranking().best.isRemembered ? null : facts.ranking().remembered),
    },
    {
      code: 'field_counts',
      confidence: 'certain',
      means: 'It splits nine rows in ten into the same number of columns, and no other character comes close.',
      says: (facts) => {
        const { best, isAlone } = facts.ranking();
        return best.share >= 0.9 && isAlone ? best.delimiter : null;
      },
    },
    {
      code: 'field_counts',
      confidence: 'likely',
      means:
        'It splits the rows most evenly, and into the most columns. Characters that give known column names come first.',
      says: (facts) => facts.ranking().best.delimiter,
    },
  ],
};

/**
 * Finds the delimiter (36.5.3); one that yields a remembered header outweighs all other evidence.
 * @throws NO_HEADER when no candidate makes columns
 */
export function detectDialect(
  source: TextSource,
  given: string | undefined,
  stored: readonly StoredProfile[],
): Dialect {
  const declared = statedSeparator(source) ?? null;
  let ranking: Ranking | undefined;
  const facts: DelimiterFacts = {
    given: given === undefined ? null : delimiterNamed(given),
    declared,
    ranking: () => (ranking ??= rank(source, stored)),
  };
  const { values, confidence, evidence } = settle(DELIMITER, facts);
  const delimiter = values[0] as string;
  const isNamed = evidence.includes('field_counts') && facts.ranking().best.hasHeader;
  const detection = {
    value: delimiterName(delimiter),
    confidence,
    evidence: isNamed ? [...evidence, 'header_names'] : evidence,
    candidates: [],
  };
  return { delimiter, hasSeparatorLine: declared !== null, detection };
}

/** @throws VALIDATION_ERROR for anything but the four delimiters */
function delimiterNamed(given: string): string {
  const delimiter = given === 'tab' || given === '\\t' ? '\t' : given;
  if (CANDIDATES.some((known) => known === delimiter)) return delimiter;
  throw validationError('delimiter', 'delimiter: must be one of , ; tab |');
}

function rank(source: TextSource, stored: readonly StoredProfile[]): Ranking {
  const scores = scoresOf(source, stored);
  const withHeader = scores.filter((score) => score.hasHeader);
  const rivals = withHeader.length > 0 ? withHeader : scores;
  const top = Math.max(...rivals.map((score) => score.share));
  const near = rivals.filter((score) => score.share >= top - NEAR);
  return {
    best: near.reduce((a, b) => (b.fields > a.fields ? b : a)),
    isAlone: near.length === 1,
    remembered: scores.find(({ isRemembered }) => isRemembered)?.delimiter ?? null,
  };
}

/** @throws NO_HEADER when no candidate makes columns; what kept one from being read when none could be */
function scoresOf(source: TextSource, stored: readonly StoredProfile[]): Score[] {
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
  if (scores.length > 0) return scores;
  throw (
    failure ??
    new AppError(
      'NO_HEADER',
      'The file has no columns: no line has commas, semicolons, tabs or | between values. Upload the list of transactions that your bank offers as CSV.',
    )
  );
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
