import { describe, expect, test } from 'vitest';

import { writtenForm } from '../../../../test/harness/bank-files/csv-forms.ts';
import type { FileForm } from '../../../../test/harness/bank-files/csv-forms.ts';
import { LANGUAGES } from '../../../../test/harness/bank-files/csv-languages.ts';
import { verdictOf } from '../../../../test/harness/bank-files/csv-verdict.ts';

const FILES = 300;

/** Reads one generated file for each seed. Counts the verdicts, and lists the files that were read wrong without a question. */
function tally(
  seeds: readonly number[],
  given: Partial<FileForm>,
): { counts: Record<string, number>; wrong: string[] } {
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (const seed of seeds) {
    const rendered = writtenForm(seed, given);
    const { verdict, why } = verdictOf(rendered);
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    if (verdict === 'wrong') wrong.push(`seed ${seed}: ${why}\n${rendered.text.slice(0, 600)}`);
  }
  return { counts, wrong };
}

const seeds = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

describe('one known ledger in many forms', () => {
  test('reads as itself or is asked about', () => {
    const { counts, wrong } = tally(seeds(1, FILES), {});
    expect(wrong).toEqual([]);
    expect(counts['right']).toBeGreaterThan(FILES / 2);
  });

  test.each(LANGUAGES.map((language) => [language.code, language] as const))(
    'signed amounts in either convention with the type words of %s',
    (_, language) => {
      for (const amounts of ['ours', 'opposite'] as const)
        for (const types of ['kinds', 'instruments'] as const)
          expect(tally(seeds(10_000, 8), { language, amounts, types, bytes: 'utf-8' }).wrong).toEqual([]);
    },
  );
});
