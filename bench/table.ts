import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

import type { Budget } from './budgets.ts';

/** Notes one cell of the table; `figure` is what the budget is about. */
export type Note = (name: string, budget: Budget | null, cell: string, figure?: number) => void;

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

export function createTable(sizes: readonly number[], place: string): Table {
  const rows = new Map<string, Row>();
  const startedUnder = loadavg()[0] ?? 0;
  let size = 0;

  /** A budget holds at every size that has a figure. */
  function verdict({ budget, cells }: Row): string {
    if (!budget) return '';
    const figures = [...cells].flatMap(([at, { figure }]) => (figure === undefined ? [] : [budget.isMet(figure, at)]));
    if (figures.length === 0) return '';
    return figures.every(Boolean) ? 'ok' : '**missed**';
  }

  return {
    begin(next) {
      size = next;
    },
    note(name, budget, text, figure) {
      const row = rows.get(name) ?? { name, budget, cells: new Map() };
      row.cells.set(size, { text, figure });
      rows.set(name, row);
      const missed = budget && figure !== undefined && !budget.isMet(figure, size) ? `   MISSED ${budget.text}` : '';
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

Homeledger ${version}, Node ${process.versions.node}, ${place}, ${cpus().length} cores shared by client and server; load before the run ${startedUnder.toFixed(1)}.
Made with \`npm run bench\`, with the household of \`npm run demo\`, seed 1. Each column is a number of transactions in the ledger.
A budget is met if every column meets it. Latencies count by their p50 unless the budget says p99.

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
