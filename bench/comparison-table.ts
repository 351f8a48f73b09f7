import { AIMS, SLOWEST_SEARCH, type Budget, type EngineName } from './budgets.ts';
import { shown, type Done } from './jobs.ts';
import { percentiles } from './load.ts';

/** One figure of both programs. */
export interface Line {
  name: string;
  aim: string;
  was: string;
  is: string;
  /** How many times less it is now. */
  factor: number;
  processor: string;
  isMet: boolean | null;
}

/** Times, and what processor time they cost where that was measured. */
export type Times = Pick<Done, 'times'> & Partial<Done>;

/** A table of one size and one database is opened, told its lines, and asked for its text. */
export function comparisonTable(title: string, commit: string, engine: EngineName, transactions: number) {
  const lines: Line[] = [];
  const add = (line: Line): void => {
    lines.push(line);
    process.stderr.write(`  ${line.name}: ${line.was}, now ${line.is}\n`);
  };
  return {
    addTimes(name: string, aim: keyof typeof AIMS, before: Times, now: Times): void {
      const budget: Budget | null = AIMS[aim][engine];
      const [was, is] = [percentiles(before.times), percentiles(now.times)];
      const isSearch = aim === 'searchCommon';
      const isSteady = !isSearch || is.p99 <= SLOWEST_SEARCH * is.p50;
      const processor =
        before.cpuMs === undefined || now.cpuMs === undefined ? '' : `${shown([before.cpuMs])} → ${shown([now.cpuMs])}`;
      add({
        name,
        aim: `${budget?.text ?? ''}${isSearch ? `; p99 ≤ ${SLOWEST_SEARCH} × p50` : ''}`,
        was: shown(before.times),
        is: shown(now.times),
        factor: was.p50 / is.p50,
        processor,
        isMet: budget && budget.isMet(is.p50, transactions) && isSteady,
      });
    },
    addMemory(name: string, budget: Budget, was: number, is: number): void {
      const isMet = budget.isMet(is, transactions);
      const [before, now] = [`${was.toFixed(0)} MiB`, `${is.toFixed(0)} MiB`];
      add({ name, aim: budget.text, was: before, is: now, factor: was / is, processor: '', isMet });
    },
    markdown(): string {
      const rows = lines.map(({ name, aim, was, is, factor, processor, isMet }) => {
        const verdict = isMet === null ? '' : isMet ? 'ok' : '**missed**';
        return `| ${[name, aim, was, is, `${factor.toFixed(1)} ×`, processor, verdict].join(' | ')} |`;
      });
      return `## ${title}

| What: p50 (p99) | Aim | Before: ${commit} | Now | Times less | Processor time of one |  |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
    },
  };
}

export type ComparisonTable = ReturnType<typeof comparisonTable>;
