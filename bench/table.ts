import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

/** What a figure must be; the design and the contract set it for a million transactions. */
export interface Budget {
  text: string;
  isMet(figure: number): boolean;
}

/** Notes one cell of the table; `figure` is what the budget is about. */
export type Note = (name: string, budget: Budget | null, cell: string, figure?: number) => void;

export function below(limit: number, unit: string): Budget {
  return { text: `< ${limit} ${unit}`, isMet: (figure) => figure < limit };
}

export function atMost(limit: number, unit: string): Budget {
  return { text: `≤ ${limit} ${unit}`.trim(), isMet: (figure) => figure <= limit };
}

export function atLeast(limit: number, unit: string): Budget {
  return { text: `≥ ${limit} ${unit}`.trim(), isMet: (figure) => figure >= limit };
}

interface Cell {
  text: string;
  figure: number | undefined;
}

interface Row {
  name: string;
  budget: Budget | null;
  cells: Map<number, Cell>;
}

export interface Table {
  /** Cells noted from now on belong to this size of ledger. */
  begin(size: number): void;
  note: Note;
  markdown(): string;
}

export function createTable(sizes: readonly number[]): Table {
  const rows = new Map<string, Row>();
  const startedUnder = loadavg()[0] ?? 0;
  let size = 0;

  /** The verdict counts where the budget does: at the largest size that has a figure. */
  function verdict({ budget, cells }: Row): string {
    if (!budget) return '';
    const { figure } = sizes.map((one) => cells.get(one)).findLast((cell) => cell?.figure !== undefined) ?? {};
    if (figure === undefined) return '';
    return budget.isMet(figure) ? 'ok' : '**missed**';
  }

  return {
    begin(next) {
      size = next;
    },
    note(name, budget, text, figure) {
      const row = rows.get(name) ?? { name, budget, cells: new Map() };
      row.cells.set(size, { text, figure });
      rows.set(name, row);
      const missed = budget && figure !== undefined && !budget.isMet(figure) ? `   MISSED ${budget.text}` : '';
      process.stderr.write(`  ${name}: ${text}${missed}\n`);
    },
    markdown() {
      const columns = sizes.map((one) => one.toLocaleString('en'));
      const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
      const body = [...rows.values()].map((row) => {
        const cells = sizes.map((one) => row.cells.get(one)?.text ?? '–');
        return line([row.name, row.budget?.text ?? '', ...cells, verdict(row)]);
      });
      const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
      return `# Benchmark results

Homeledger ${version}, Node ${process.versions.node}, embedded database, ${cpus().length} cores shared by client and server; load before the run ${startedUnder.toFixed(1)}.
Made with \`npm run bench\`, with the household of \`npm run demo\`, seed 1. Each column is a number of transactions in the ledger.
The last column with a figure decides whether a budget is met. Latencies count by their p50 unless the budget says p99.

${line(['What', 'Budget', ...columns, ''])}
|${'---|'.repeat(columns.length + 3)}
${body.join('\n')}
`;
    },
  };
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

export function took(value: number): string {
  return value < 1_000 ? ms(value) : `${(value / 1_000).toFixed(2)} s`;
}
