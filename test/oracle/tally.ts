import type { Judgement, Verdict } from './verdict.ts';

const VERDICTS: readonly Verdict[] = ['right', 'asked_right', 'asked_wrong', 'refused', 'assumed_wrong', 'wrong'];

/** Verdicts by file: what `--save` keeps. */
export type Saved = Readonly<Record<number, string>>;

/** Counts the verdicts of files, by what the files are like. */
export class Tally {
  readonly #all: { number: number; judged: Judgement }[] = [];
  readonly #byTrait = new Map<string, Map<string, number>>();
  readonly #causes = new Map<string, { count: number; first: number }>();

  add(number: number, traits: readonly string[], judged: Judgement): void {
    this.#all.push({ number, judged });
    for (const trait of traits) {
      const counts = this.#byTrait.get(trait) ?? new Map<string, number>();
      this.#byTrait.set(trait, counts);
      counts.set(judged.verdict, (counts.get(judged.verdict) ?? 0) + 1);
      if (judged.needless.length > 0) counts.set('needless', (counts.get('needless') ?? 0) + 1);
    }
    if (judged.verdict !== 'right') this.#cause(`${judged.verdict}: ${shape(judged)}`, number);
    for (const question of judged.needless) this.#cause(`needless: ${question}`, number);
  }

  #cause(cause: string, number: number): void {
    const known = this.#causes.get(cause) ?? { count: 0, first: number };
    this.#causes.set(cause, { ...known, count: known.count + 1 });
  }

  count(verdict: Verdict): number {
    return this.#all.filter(({ judged }) => judged.verdict === verdict).length;
  }

  get needless(): number {
    return this.#all.filter(({ judged }) => judged.needless.length > 0).length;
  }

  lines(): string[] {
    const head = ['', ...VERDICTS, 'needless'];
    const row = (name: string, count: (verdict: string) => number): string =>
      [name.padEnd(34), ...head.slice(1).map((verdict) => String(count(verdict)).padStart(14))].join('');
    const traits = [...this.#byTrait].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const causes = [...this.#causes].toSorted(([, a], [, b]) => b.count - a.count).slice(0, 60);
    return [
      [''.padEnd(34), ...head.slice(1).map((verdict) => verdict.padStart(14))].join(''),
      row('all files', (verdict) => (verdict === 'needless' ? this.needless : this.count(verdict as Verdict))),
      ...traits.map(([trait, counts]) => row(trait, (verdict) => counts.get(verdict) ?? 0)),
      '',
      ...causes.map(([cause, { count, first }]) => `${String(count).padStart(7)}  ${cause} (file ${first})`),
    ];
  }

  /** The files of a verdict, or with a needless question. */
  listed(verdict: string): string[] {
    return this.#all
      .filter(({ judged }) => judged.verdict === verdict || (verdict === 'needless' && judged.needless.length > 0))
      .map(({ number, judged }) => `${number} ${judged.questions.join(', ')} ${judged.why}`);
  }

  saved(): Saved {
    return Object.fromEntries(this.#all.map(({ number, judged }) => [number, judged.verdict]));
  }
}

/** The kind of a difference, without the values of one file. */
function shape({ why, questions }: Judgement): string {
  const kind = why
    .replace(/^line \d+: /u, '')
    .replace(/the text [^]* is read as [^]*/u, 'another text')
    .replace(/^the account [^]* is read as two/u, 'an account is read as two')
    .replace(/\d{4}-\d\d-\d\d/gu, (date) => (date === why.match(/\d{4}-\d\d-\d\d/u)?.[0] ? 'D' : 'E'))
    .replace(/-?\d+\.\d\d/gu, (sum) =>
      sum === why.match(/-?\d+\.\d\d/u)?.[0]
        ? 'A'
        : sum.replace('-', '') === why.match(/-?\d+\.\d\d/u)?.[0].replace('-', '')
          ? '-A'
          : 'B',
    )
    .replace(/\d+/gu, 'n')
    .replace(/\b[A-Z]{3}\b/gu, 'CUR');
  return [...questions, kind].filter((part) => part !== '').join(', ');
}
