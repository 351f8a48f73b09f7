import { CLAIMS } from '../src/engines/imports/columns/mapping.ts';
import { EVERY_QUESTION } from '../src/engines/imports/questions/every-question.ts';
import type { Question, Test } from '../src/engines/imports/question.ts';

type AnyTest = Test<string, never>;

const INTRODUCTION = `# How a bank file is read

Generated from \`src/engines/imports\`.

Banks do not agree on how to write a file of transactions. One writes 31/01/2025, another 01/31/2025. One puts a minus sign
before money spent, another before money received. Before Homeledger imports a file with columns (CSV), it settles the
questions on this page, in this order. If a question has two possible answers and nothing decides between them, Homeledger
imports nothing and asks you.

## How to read this page

Each question has a list of **tests**. Homeledger goes through the list from top to bottom. The first test that finds
something settles the question. The tests below it count only where its own line says so.

The answer is called a **reading** of the file. A preview or an import shows it in \`detection\`, under the name below the
question. There, \`evidence\` lists the codes of the tests that led to it, and \`confidence\` says how sure it is:

| Confidence | What it means |
|---|---|
| given | You chose it, or the program that sent the file did. |
| proved | Only this reading fits the balances in the file. |
| certain | What is in the file, or in the account already, allows no other reading. |
| profile | Files with the same columns were read this way before, or the bank is known to write its files this way. |
| likely | Something points to this reading, but does not prove it. |
| assumed | Too little points to any reading. The usual one is used, and the import warns. |
| asked | Several readings are possible, and only a person can choose. In \`detection\` this is \`ambiguous\`. |

In these lists, a **row** is one transaction of the file. A **type** is a word such as “purchase” or “transfer” that some
banks put in a column of its own. A name or a word is **known** if it is in the lists that Homeledger has for many languages.
`;

/** docs/reference/import-evidence.md: every question about a delimited file, and the tests that answer it. */
export function importEvidence(): string {
  return `${INTRODUCTION}
${EVERY_QUESTION.map(section).join('\n')}
${columns()}`;
}

/** Columns are no question: each step takes what it can, and leaves the rest to the next. */
function columns(): string {
  const rows = CLAIMS.map(({ via, means }) => [via, means]);
  const first = [
    ['given', 'You chose the column when you sent the file.'],
    [
      'profile',
      'Files with these columns were read this way before, or this bank is known to write its files this way.',
    ],
  ];
  const steps = [...first, ...rows].map(([via, means], i) => `| ${i + 1} | ${via} | ${means} |`);
  return `## Which column is which?

\`mapping\`

This is not settled by a single test. Homeledger takes the steps below from top to bottom. Each step looks only at the columns
and at the parts of a transaction that the steps before it have left.

| | Found by | What it finds |
|---|---|---|
${steps.join('\n')}
`;
}

function section({ name, asks, explains, tests }: Question<string, never>, at: number): string {
  const asked = EVERY_QUESTION[at + 1]?.name === name ? 'next question' : 'asked';
  const rows = tests.map(
    (test, i) =>
      `| ${i + 1} | \`${test.code}\` | ${test.confidence === 'ambiguous' ? asked : test.confidence} | ${test.means}${beside(test)} |`,
  );
  return `## ${asks}

\`${name}\`

${explains}

| | Evidence | Confidence | What the test finds |
|---|---|---|---|
${rows.join('\n')}
`;
}

function beside({ opposedBy, supportedBy }: AnyTest): string {
  const opposed = opposedBy ? ` If one of these tests disagrees, Homeledger asks: ${listed(opposedBy)}.` : '';
  const supported = supportedBy ? ` Other evidence is what these tests find: ${listed(supportedBy.codes)}.` : '';
  return `${opposed}${supported}`;
}

/** Only the first of them that finds anything counts. */
function listed(codes: readonly string[]): string {
  return codes.map((code) => `\`${code}\``).join(', or else ');
}
