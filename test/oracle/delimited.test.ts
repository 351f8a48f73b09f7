import { describe, expect, test } from 'vitest';

import { oracleFile } from './oracle.ts';
import { Tally } from './tally.ts';
import { traitsOf } from './traits.ts';
import { judge } from './verdict.ts';

const FILES = 400;
const SEEDS = [1, 2];
/** Of the files of a seed. They may fall, and never rise. */
const MOST_NEEDLESS = 2;
/** Bytes that another encoding may read as other letters, and so as other names. */
const MOST_WITH_OTHER_LETTERS = 2;

describe('delimited files of a known ledger', () => {
  test.each(SEEDS)(
    'seed %i: read as themselves, or asked about',
    (seed) => {
      const tally = new Tally();
      const wrong: string[] = [];
      let otherLetters = 0;
      for (let number = 0; number < FILES; number++) {
        const file = oracleFile(seed, number);
        const judged = judge(file);
        tally.add(number, traitsOf(file), judged);
        if (judged.verdict !== 'wrong') continue;
        if (!file.dialect.encoding.startsWith('utf')) otherLetters += 1;
        else wrong.push(`file ${number} of seed ${seed}: ${judged.why}`);
      }
      expect(wrong).toEqual([]);
      expect(otherLetters).toBeLessThanOrEqual(MOST_WITH_OTHER_LETTERS);
      expect(tally.needless).toBeLessThanOrEqual(MOST_NEEDLESS);
      expect(tally.count('right')).toBeGreaterThan(FILES / 2);
    },
    60_000,
  );
});
