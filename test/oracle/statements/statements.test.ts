import { expect, test } from 'vitest';

import { judgeStatementFile, STATEMENT_CASES, type StatementFormatName } from './judge-statements.ts';

const FILES = 150;
/** Of the QIF files, which name no encoding: bytes that are letters in several. They may fall, and never rise. */
const MOST_WITH_OTHER_LETTERS = 4;

test.each(Object.keys(STATEMENT_CASES) as StatementFormatName[])(
  '%s: files of a known ledger read as themselves, or are asked about',
  (format) => {
    const wrong: string[] = [];
    let otherLetters = 0;
    let right = 0;
    for (let seed = 1; seed <= FILES; seed++) {
      const { judgement } = judgeStatementFile(format, seed);
      if (judgement.verdict === 'right') right += 1;
      if (judgement.verdict !== 'wrong') continue;
      if (format === 'qif' && judgement.why.includes('the text')) otherLetters += 1;
      else wrong.push(`file ${seed}: ${judgement.why}`);
    }
    expect(wrong).toEqual([]);
    expect(otherLetters).toBeLessThanOrEqual(MOST_WITH_OTHER_LETTERS);
    expect(right).toBeGreaterThan(FILES / 2);
  },
  60_000,
);
