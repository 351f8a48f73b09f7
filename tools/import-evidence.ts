import { CLAIMS } from '../src/engines/imports/columns/mapping.ts';
import { EVERY_QUESTION } from '../src/engines/imports/questions/every-question.ts';
import type { Question, Test } from '../src/engines/imports/question.ts';

type AnyTest = Test<string, never>;

/** docs/reference/import-evidence.md: every question about a delimited file, and the tests that answer it. */
export function importEvidence(): string {
  return `# How a bank file is read

Generated from \`src/engines/imports\`. Before it imports a delimited file, Homeledger settles these questions, in this order.
For each, the first test that finds anything decides. Where only a person can tell, Homeledger imports nothing and asks.
A preview or import shows what was found in \`detection\`: \`confidence\`, and in \`evidence\` the codes of the tests.

${EVERY_QUESTION.map(section).join('\n')}
${columns()}`;
}

/** Columns are no question: each step takes what it can, and leaves the rest to the next. */
function columns(): string {
  const rows = CLAIMS.map(({ via, means }) => `| ${via} | ${means} |`);
  const first = [
    '| given | Whoever sent the file said so. |',
    '| profile | Files with these columns were read this way before, or the bank is known to write them so. |',
  ];
  return `## Which column is which?\n\n\`mapping\`\n\nA column that one step takes is gone for all steps below.\n\n| By | What it looks at |\n|---|---|\n${[...first, ...rows].join('\n')}\n`;
}

function section({ name, asks, tests }: Question<string, never>): string {
  const rows = tests.map(
    (test, i) =>
      `| ${i + 1} | \`${test.code}\` | ${test.confidence === 'ambiguous' ? 'asked' : test.confidence} | ${test.means}${beside(test)} |`,
  );
  return `## ${asks}\n\n\`${name}\`\n\n| | Evidence | Confidence | What it looks at |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function beside({ opposedBy, supportedBy }: AnyTest): string {
  const opposed = opposedBy
    ? ` It becomes a question if the first of these to say anything disagrees: ${listed(opposedBy)}.`
    : '';
  const supported = supportedBy ? ` The first of these to say anything must agree: ${listed(supportedBy.codes)}.` : '';
  return `${opposed}${supported}`;
}

function listed(codes: readonly string[]): string {
  return codes.map((code) => `\`${code}\``).join(', ');
}
