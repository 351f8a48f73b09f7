import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { comparisonLines } from './comparison.ts';
import { oracleFile } from './oracle.ts';
import { judgeStatementFile, STATEMENT_CASES, type StatementFormatName } from './statements/judge-statements.ts';
import { Tally } from './tally.ts';
import { traitsOf, traitsOfStatement } from './traits.ts';
import { judge, type ExpectedRow, type Judgement } from './verdict.ts';

/**
 * Reads files whose ledger is known: `node test/oracle/run.ts --files 100000 --seed 1`. `--format` takes `delimited`,
 * `ofx`, `qif`, `camt` or `mt940`. `--file 1234` shows one file, `--list wrong` names those of a verdict, `--save` keeps
 * all verdicts, and `--compare` says which changed since then.
 */
const { values } = parseArgs({
  options: {
    format: { type: 'string', default: 'delimited' },
    files: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string' },
    save: { type: 'string' },
    compare: { type: 'string' },
    list: { type: 'string' },
  },
});

/** A file of the oracle, with what became of it. */
interface Case {
  readonly dialect: object;
  readonly traits: readonly string[];
  readonly text: string;
  readonly rows: readonly ExpectedRow[];
  readonly judged: Judgement;
}

const FILES_OF_A_SEED = 1_000_000;
const caseOf = values.format === 'delimited' ? delimitedCase : statementCase(values.format);
const seed = Number(values.seed);
if (values.file === undefined) readMany(Number(values.files));
else showOne(Number(values.file));

function delimitedCase(number: number): Case {
  const file = oracleFile(seed, number);
  return { dialect: file.dialect, traits: traitsOf(file), text: file.text, rows: file.rows, judged: judge(file) };
}

function statementCase(format: string): (number: number) => Case {
  if (!isStatementFormat(format))
    throw new Error(`--format: must be delimited or one of ${Object.keys(STATEMENT_CASES).join(', ')}`);
  return (number) => {
    const { dialect, file, judgement } = judgeStatementFile(format, seed * FILES_OF_A_SEED + number);
    const text = Buffer.from(file.bytes).toString('latin1');
    return { dialect, traits: traitsOfStatement(dialect), text, rows: file.rows, judged: judgement };
  };
}

function isStatementFormat(format: string): format is StatementFormatName {
  return format in STATEMENT_CASES;
}

function readMany(count: number): void {
  const tally = new Tally();
  const started = performance.now();
  for (let number = 0; number < count; number++) {
    const { traits, judged } = caseOf(number);
    tally.add(number, traits, judged);
  }
  const seconds = (performance.now() - started) / 1000;
  print(tally.lines());
  print([`${count} files in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`]);
  if (values.list !== undefined) print(tally.listed(values.list));
  if (values.compare !== undefined)
    print(comparisonLines(JSON.parse(readFileSync(values.compare, 'utf8')), tally.saved()));
  if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(tally.saved()));
}

function showOne(number: number): void {
  const { dialect, text, rows, judged } = caseOf(number);
  print([
    JSON.stringify(dialect, (key, value: unknown) => (key === 'words' ? undefined : value)),
    text,
    ...rows.map((row) => JSON.stringify(row)),
    JSON.stringify(judged, null, 2),
  ]);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
