import { dateOfDayNumber } from '../../../kernel/dates.ts';
import type { BalanceBreak } from '../analysis.ts';
import { causeOf } from './balance-cause.ts';
import { dayStepsOf } from './file-order.ts';

/** The posted, readable rows of one account and currency in file order; NaN = the row states no balance. */
export interface ProofRows {
  readonly count: number;
  readonly lines: Int32Array;
  readonly days: Int32Array;
  /** How each row changes the balance, in the file's own sense. */
  readonly effects: Float64Array;
  readonly balances: Float64Array;
}

export interface ChainProof {
  readonly status: 'proved' | 'broken' | 'not_available';
  readonly balanceIs: 'after' | 'before';
  /** Links compared, and those of them that move the balance. */
  readonly links: number;
  readonly movingLinks: number;
  readonly breaks: number;
  readonly daysChecked: number;
  readonly daysProved: number;
  readonly opening: number | null;
  readonly closing: number | null;
  readonly firstBreak: BalanceBreak | null;
  readonly closings: readonly { readonly date: string; readonly balance_cents: number }[];
}

const WALKED_ROWS = 5_000;

/** Proves that the stated balances chain, day by day (36.6.2). `opening` NaN = not stated. */
export function proveChain(rows: ProofRows, opening: number): ChainProof {
  const order = chronological(rows);
  const isBefore = statesBalanceBefore(rows, order);
  const chain = new Chain(rows, order, isBefore, opening);
  chain.run();
  return chain.result();
}

/** File order when dates never fall, its reverse when they never rise, else by date keeping the file's own direction. */
function chronological(rows: ProofRows): Int32Array {
  const { count, days } = rows;
  const order = new Int32Array(count);
  const { falls, rises } = dayStepsOf(days.subarray(0, count));
  const isReversed = falls > rises;
  for (let i = 0; i < count; i++) order[i] = isReversed ? count - 1 - i : i;
  if (falls > 0 && rises > 0) {
    const rank = isReversed ? -1 : 1;
    order.sort((a, b) => (days[a] as number) - (days[b] as number) || rank * (a - b));
  }
  return order;
}

function statesBalanceBefore(rows: ProofRows, order: Int32Array): boolean {
  const { balances, effects } = rows;
  let links = 0;
  let after = 0;
  let before = 0;
  for (let i = 1; i < order.length; i++) {
    const row = order[i] as number;
    const previous = order[i - 1] as number;
    const step = (balances[row] as number) - (balances[previous] as number);
    if (Number.isNaN(step)) continue;
    links++;
    if (step === effects[row]) after++;
    if (step === effects[previous]) before++;
  }
  return links > 0 && (links - after) * 2 > links && before === links;
}

class Chain {
  readonly #rows: ProofRows;
  readonly #sequence: Int32Array;
  /** Balance after each row, whether the file states the one before or after it. */
  readonly #after: Float64Array;
  readonly #isBefore: boolean;
  #opening: number;
  #known: number;
  #since = 0;
  #sinceFrom = 0;
  #links = 0;
  #movingLinks = 0;
  #breaks = 0;
  #firstBreak: BalanceBreak | null = null;
  #daysChecked = 0;
  #daysBroken = 0;
  #lastChecked = Number.NaN;
  #lastBroken = Number.NaN;
  readonly #closings: { date: string; balance_cents: number }[] = [];

  constructor(rows: ProofRows, order: Int32Array, isBefore: boolean, opening: number) {
    this.#rows = rows;
    this.#sequence = order;
    this.#isBefore = isBefore;
    this.#opening = opening;
    this.#known = opening;
    this.#after = rows.balances;
    if (isBefore) {
      this.#after = new Float64Array(rows.count);
      for (let i = 0; i < rows.count; i++) this.#after[i] = (rows.balances[i] as number) + (rows.effects[i] as number);
    }
  }

  run(): void {
    const { days } = this.#rows;
    const sequence = this.#sequence;
    let from = 0;
    while (from < sequence.length) {
      const day = days[sequence[from] as number] as number;
      let to = from + 1;
      while (to < sequence.length && days[sequence[to] as number] === day) to++;
      this.#day(from, to, day);
      from = to;
    }
  }

  result(): ChainProof {
    const closing = Number.isNaN(this.#known) ? null : this.#known + this.#since;
    return {
      status: this.#links === 0 ? 'not_available' : this.#breaks > 0 ? 'broken' : 'proved',
      balanceIs: this.#isBefore ? 'before' : 'after',
      links: this.#links,
      movingLinks: this.#movingLinks,
      breaks: this.#breaks,
      daysChecked: this.#daysChecked,
      daysProved: this.#daysChecked - this.#daysBroken,
      opening: Number.isNaN(this.#opening) ? null : this.#opening,
      closing,
      firstBreak: this.#firstBreak,
      closings: this.#closings,
    };
  }

  #day(from: number, to: number, day: number): void {
    let stated = 0;
    for (let i = from; i < to; i++) if (!Number.isNaN(this.#after[this.#sequence[i] as number])) stated++;
    if (stated === to - from && this.#isTrail(from, to)) {
      this.#closings.push({ date: dateOfDayNumber(day), balance_cents: this.#known });
      return;
    }
    if (stated === to - from && to - from > 2 && to - from <= WALKED_ROWS) this.#walk(from, to);
    for (let i = from; i < to; i++) this.#inOrder(i);
    if (stated > 0) this.#closings.push({ date: dateOfDayNumber(day), balance_cents: this.#known + this.#since });
  }

  /** True when the day's rows form one unbroken trail from the balance so far; then it moves on to the end. */
  #isTrail(from: number, to: number): boolean {
    const start = Number.isNaN(this.#known) ? Number.NaN : this.#known + this.#since;
    const ends = trailEnds(this.#sequence, from, to, this.#after, this.#rows.effects, start);
    if (ends === null) return false;
    if (Number.isNaN(this.#opening)) this.#opening = ends.start - (Number.isNaN(this.#known) ? this.#since : 0);
    const links = to - from - (Number.isNaN(start) ? 1 : 0);
    if (!Number.isNaN(start)) this.#mark(this.#sinceFrom, to, false);
    else if (links > 0) this.#mark(from, to, false);
    this.#links += links;
    if (links > 0)
      for (let i = from; i < to; i++) if (this.#rows.effects[this.#sequence[i] as number] !== 0) this.#movingLinks++;
    this.#known = ends.end;
    this.#since = 0;
    this.#sinceFrom = to;
    return true;
  }

  #inOrder(at: number): void {
    const row = this.#sequence[at] as number;
    this.#since += this.#rows.effects[row] as number;
    const found = this.#after[row] as number;
    if (Number.isNaN(found)) return;
    if (Number.isNaN(this.#known)) {
      this.#opening = found - this.#since;
    } else {
      this.#links++;
      let moves = false;
      for (let i = this.#sinceFrom; i <= at; i++)
        if (this.#rows.effects[this.#sequence[i] as number] !== 0) moves = true;
      if (moves) this.#movingLinks++;
      const expected = this.#known + this.#since;
      if (expected !== found) this.#break(at, expected, found);
      this.#mark(this.#sinceFrom, at + 1, expected !== found);
    }
    this.#known = found;
    this.#since = 0;
    this.#sinceFrom = at + 1;
  }

  #break(at: number, expected: number, found: number): void {
    this.#breaks++;
    if (this.#firstBreak) return;
    const row = this.#sequence[at] as number;
    const shift = this.#isBefore ? (this.#rows.effects[row] as number) : 0;
    const cause = causeOf(this.#rows, this.#sequence, this.#after, { from: this.#sinceFrom, at, expected, found });
    this.#firstBreak = {
      line: this.#rows.lines[row] as number,
      date: dateOfDayNumber(this.#rows.days[row] as number),
      expected_cents: expected - shift,
      found_cents: found - shift,
      difference_cents: found - expected,
      likely_cause: cause.cause,
      suspect_lines: cause.lines,
    };
  }

  /** Counts the days of the rows from…to as checked. Days come in order, so comparing with the last one is enough. */
  #mark(from: number, to: number, isBroken: boolean): void {
    for (let i = from; i < to; i++) {
      const day = this.#rows.days[this.#sequence[i] as number] as number;
      if (!(day <= this.#lastChecked)) {
        this.#daysChecked++;
        this.#lastChecked = day;
      }
      if (isBroken && !(day <= this.#lastBroken)) {
        this.#daysBroken++;
        this.#lastBroken = day;
      }
    }
  }

  /** Reorders the rows of a day so that their balances follow one another, if that breaks less often. */
  #walk(from: number, to: number): void {
    const start = Number.isNaN(this.#known) ? Number.NaN : this.#known + this.#since;
    const byStart = new Map<number, number[]>();
    for (let i = to - 1; i >= from; i--) {
      const row = this.#sequence[i] as number;
      const before = (this.#after[row] as number) - (this.#rows.effects[row] as number);
      const waiting = byStart.get(before);
      if (waiting) waiting.push(row);
      else byStart.set(before, [row]);
    }
    const walked: number[] = [];
    const used = new Set<number>();
    let current = start;
    let next = from;
    let breaks = 0;
    while (walked.length < to - from) {
      let row = byStart.get(current)?.pop();
      while (row !== undefined && used.has(row)) row = byStart.get(current)?.pop();
      if (row === undefined) {
        while (used.has(this.#sequence[next] as number)) next++;
        row = this.#sequence[next] as number;
        if (!Number.isNaN(current)) breaks++;
      }
      used.add(row);
      walked.push(row);
      current = this.#after[row] as number;
    }
    let inOrder = 0;
    let known = start;
    for (let i = from; i < to; i++) {
      const row = this.#sequence[i] as number;
      if (!Number.isNaN(known) && known + (this.#rows.effects[row] as number) !== this.#after[row]) inOrder++;
      known = this.#after[row] as number;
    }
    if (breaks < inOrder) walked.forEach((row, i) => (this.#sequence[from + i] = row));
  }
}

/**
 * Start and end when the edges (balance before → balance after) of some rows form one Eulerian trail from `start`
 * (NaN: from its own start); null when they do not. The chain in the given order is tried first.
 */
function trailEnds(
  sequence: Int32Array,
  from: number,
  to: number,
  after: Float64Array,
  effects: Float64Array,
  start: number,
): { start: number; end: number } | null {
  const first = sequence[from] as number;
  const ownStart = (after[first] as number) - (effects[first] as number);
  const wanted = Number.isNaN(start) ? ownStart : start;
  let known = wanted;
  let i = from;
  for (; i < to; i++) {
    const row = sequence[i] as number;
    if (known + (effects[row] as number) !== after[row]) break;
    known = after[row];
  }
  if (i === to) return { start: wanted, end: known };
  const graph = new BalanceGraph();
  for (i = from; i < to; i++) {
    const row = sequence[i] as number;
    graph.add((after[row] as number) - (effects[row] as number), after[row] as number);
  }
  const ends = graph.trail();
  if (ends === null) return null;
  // A closed trail has no ends of its own: it may start from any balance that it passes.
  const begin = ends.begin ?? wanted;
  if (!graph.has(begin) || (!Number.isNaN(start) && begin !== start)) return null;
  return { start: begin, end: ends.end ?? begin };
}

/** Balances as nodes, rows as edges from the balance before them to the one after. */
class BalanceGraph {
  readonly #nodes = new Map<number, number>();
  readonly #balances: number[] = [];
  /** Union-find over the nodes, to see whether they hang together. */
  readonly #parents: number[] = [];
  /** Edges that leave a node, less those that reach it. */
  readonly #surplus: number[] = [];

  add(before: number, after: number): void {
    const target = this.#node(after);
    const source = this.#node(before);
    this.#surplus[source] = (this.#surplus[source] as number) + 1;
    this.#surplus[target] = (this.#surplus[target] as number) - 1;
    this.#parents[this.#rootOf(source)] = this.#rootOf(target);
  }

  has(balance: number): boolean {
    return this.#nodes.has(balance);
  }

  /** The ends of the trail that uses every edge once, undefined if it is closed; null if there is no such trail. */
  trail(): { begin: number | undefined; end: number | undefined } | null {
    let begin = -1;
    let end = -1;
    const root = this.#rootOf(0);
    for (let node = 0; node < this.#parents.length; node++) {
      if (this.#rootOf(node) !== root) return null;
      const open = this.#surplus[node] as number;
      if (open === 0) continue;
      if (open === 1 && begin < 0) begin = node;
      else if (open === -1 && end < 0) end = node;
      else return null;
    }
    return { begin: this.#balances[begin], end: this.#balances[end] };
  }

  #node(balance: number): number {
    const known = this.#nodes.get(balance);
    if (known !== undefined) return known;
    const node = this.#parents.length;
    this.#nodes.set(balance, node);
    this.#balances.push(balance);
    this.#parents.push(node);
    this.#surplus.push(0);
    return node;
  }

  #rootOf(node: number): number {
    let root = node;
    while (this.#parents[root] !== root) {
      this.#parents[root] = this.#parents[this.#parents[root] as number] as number;
      root = this.#parents[root] as number;
    }
    return root;
  }
}
