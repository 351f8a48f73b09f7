import { expect, test } from 'vitest';

import { judgeStatementFile, STATEMENT_CASES, type StatementFormatName } from './judge-statements.ts';

const FILES = 150;

test.each(Object.keys(STATEMENT_CASES) as StatementFormatName[])(
  '%s: files of a known ledger read as themselves, or are asked about',
  (format) => {
    const wrong: string[] = [];
    let right = 0;
    for (let seed = 1; seed <= FILES; seed++) {
      const { judgement } = judgeStatementFile(format, seed);
      if (judgement.verdict === 'right') right += 1;
      if (judgement.verdict === 'wrong') wrong.push(`file ${seed}: ${judgement.why}`);
    }
    expect(wrong).toEqual([]);
    expect(right).toBeGreaterThan(FILES / 2);
  },
  60_000,
);
