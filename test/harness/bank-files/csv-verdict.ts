import type { FileAnalysis, ReadOptions } from '../../../src/engines/imports/analysis.ts';
import { analyseCsv } from '../../../src/engines/imports/csv.ts';
import { AppError } from '../../../src/kernel/errors.ts';
import { formatCents } from '../../../src/kernel/money.ts';
import type { Rendered } from './csv-forms.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

/**
 * What became of a file whose ledger is known. `asked`: one of the readings offered is the ledger; `refused`: none is, or
 * none is offered; `assumed`: the sign is the other one, with a warning, because nothing in the file tells it.
 */
export interface Verdict {
  readonly verdict: 'right' | 'assumed' | 'asked' | 'refused' | 'wrong';
  readonly why: string;
}

export function verdictOf(rendered: Rendered): Verdict {
  const read = outcomeOf(rendered, {});
  if (read.verdict !== 'open') return { verdict: read.verdict, why: read.why };
  let open: readonly ReadOptions[] = [{}];
  let isAssumed = false;
  // Each answer may lead to the next question; there are never more than a handful.
  for (let round = 0; round < 4; round++) {
    const next: ReadOptions[] = [];
    for (const options of open) {
      const answered = outcomeOf(rendered, options);
      if (answered.verdict === 'right') return { verdict: 'asked', why: read.why };
      if (answered.verdict === 'assumed') isAssumed = true;
      if (answered.verdict === 'open') next.push(...answered.answers.map((answer) => ({ ...options, ...answer })));
    }
    open = next;
  }
  return { verdict: isAssumed ? 'assumed' : 'refused', why: read.why };
}

type Outcome =
  | { readonly verdict: 'right' | 'assumed' | 'wrong'; readonly why: string }
  | { readonly verdict: 'open'; readonly why: string; readonly answers: readonly ReadOptions[] };

function outcomeOf(rendered: Rendered, options: ReadOptions): Outcome {
  let file: FileAnalysis;
  try {
    file = analyseCsv(rendered.bytes, options, CONTEXT);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { verdict: 'open', why: error.code, answers: [] };
  }
  const blocker = file.blockers[0];
  if (blocker) {
    const answers = blocker.candidates.flatMap(({ value }) => {
      if (blocker.code !== 'AMBIGUOUS_FORMAT' || blocker.parameter === null) return [];
      return [answerOf(blocker.parameter, value)];
    });
    return { verdict: 'open', why: `${blocker.code} ${blocker.parameter}`, answers };
  }
  const expected = rendered.entries.map(({ date, cents, text }) => `${date} ${formatCents(cents)} ${text}`);
  const found = [...file.rows()]
    .filter(({ outcome }) => outcome === 'row')
    .map((row) => `${row.date} ${formatCents(row.amount_cents ?? 0)} ${row.description}`);
  const kept = rendered.form.newestFirst ? found.toReversed() : found;
  if (equal(expected, kept, rendered)) return { verdict: 'right', why: '' };
  const flipped = rendered.entries.map(({ date, cents, text }) => `${date} ${formatCents(-cents)} ${text}`);
  const isWarned = file.warnings.some(({ code }) => code === 'SIGN_ASSUMED');
  const at = expected.findIndex((row, i) => row !== kept[i]);
  const why = `${expected.length} rows as ${kept.length}; first ${expected[at]} as ${kept[at]}; sign ${file.detection.sign.confidence} ${file.detection.sign.evidence.join(' ')}`;
  return { verdict: isWarned && equal(flipped, kept, rendered) ? 'assumed' : 'wrong', why };
}

function answerOf(parameter: string, value: string): ReadOptions {
  return { [parameter]: value.startsWith('{') ? JSON.parse(value) : value };
}

/** A letter that the file lost, or that its encoding lacks, cannot be asked for. */
function equal(expected: readonly string[], found: readonly string[], { form }: Rendered): boolean {
  if (expected.length !== found.length) return false;
  const loose = form.bytes === 'one bad byte' || form.bytes.startsWith('ibm');
  const plain = (text: string): string => (loose ? text.replace(/[^\x20-\x7e]|\?/gu, '').replace(/\s+/gu, ' ') : text);
  const different = expected.filter((row, i) => plain(row) !== plain(found[i] ?? ''));
  return (
    different.length === 0 ||
    (form.bytes === 'one bad byte' && different.length <= 1 && found.join('').includes('\ufffd'))
  );
}
