import { containmentsOf, type Containments } from './containments.ts';
import { MergedQueue, RowQueue } from './row-queues.ts';

/** A row of an account that has a link. Texts are numbers: equal ones are the same folded text. */
export interface LinkedRow {
  readonly id: string;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly amountCents: number;
  readonly currency: string | null;
  readonly name: number;
  readonly merchant: number | null;
}

/** A row of the primary account and the one of the dependent account that shows the same purchase. */
export interface Pair {
  readonly primary: LinkedRow;
  readonly dependent: LinkedRow;
  /** The text that agrees, if one does. */
  readonly agreesIn: 'merchant_name' | 'name' | null;
}

/** Rows of both accounts with one amount in one currency: only these can be pairs. */
export interface RowGroup {
  readonly primary: readonly LinkedRow[];
  readonly dependent: readonly LinkedRow[];
}

export interface PairingRules {
  readonly toleranceDays: number;
  /** Folded texts by their numbers. */
  readonly texts: ReadonlyMap<number, string>;
  /** Pairs that are not to be proposed again: ids of primary rows by the id of the dependent one. */
  readonly rejected: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Further apart than this, a pair needs a text that agrees. */
const DAYS_WITHOUT_TEXT = 3;

/** The rows of the two accounts by currency and amount, as far as both have any. */
export function groupRows(primary: Iterable<LinkedRow>, dependent: Iterable<LinkedRow>): RowGroup[] {
  const groups = new Map<string, { primary: LinkedRow[]; dependent: LinkedRow[] }>();
  for (const row of dependent) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.dependent.push(row);
    else groups.set(key, { primary: [], dependent: [row] });
  }
  for (const row of primary) groups.get(keyOf(row))?.primary.push(row);
  return [...groups.values()].filter((group) => group.primary.length > 0);
}

function keyOf({ amountCents, currency }: LinkedRow): string {
  return currency === null ? String(amountCents) : `${amountCents} ${currency}`;
}

/**
 * Finds the pairs of each group (contract 50.1.5, steps 3 to 6): nearest dates first, then the best text, then the
 * oldest dependent row, then the oldest primary row. A row is in one pair at most.
 */
export function matchRows(groups: Iterable<RowGroup>, rules: PairingRules): Pair[] {
  const pairs: Pair[] = [];
  for (const group of groups) matchGroup(group, rules, pairs);
  return pairs;
}

function matchGroup(group: RowGroup, rules: PairingRules, pairs: Pair[]): void {
  const primary = new PrimaryRows(group, rules.texts);
  let open: readonly LinkedRow[] = [...group.dependent].sort(byDateAndId);
  for (let distance = 0; distance <= rules.toleranceDays && open.length > 0; distance += 1) {
    for (const points of distance <= DAYS_WITHOUT_TEXT ? [3, 2, 1, 0] : [3, 2, 1]) {
      open = open.filter((dependent) => {
        const partner = primary.take(dependent, distance, points, rules.rejected.get(dependent.id));
        if (partner) pairs.push({ primary: partner, dependent, agreesIn: agreement(partner, dependent, rules.texts) });
        return partner === undefined;
      });
    }
  }
}

function byDateAndId(a: LinkedRow, b: LinkedRow): number {
  return a.day - b.day || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Which text makes two rows similar (50.1.5, step 4). */
function agreement(primary: LinkedRow, dependent: LinkedRow, texts: ReadonlyMap<number, string>): Pair['agreesIn'] {
  const [merchant, name] = [
    [primary.merchant, dependent.merchant],
    [primary.name, dependent.name],
  ].map((both) => both.map((text) => (text === null || text === undefined ? '' : (texts.get(text) ?? '')))) as [
    [string, string],
    [string, string],
  ];
  if (isWithin(...merchant)) return 'merchant_name';
  return isWithin(...name) ? 'name' : null;
}

function isWithin(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one));
}

/** The primary rows of one day, found by text. */
interface Day {
  readonly all: RowQueue;
  readonly byMerchant: ReadonlyMap<number, RowQueue>;
  readonly byName: ReadonlyMap<number, RowQueue>;
  /** Rows whose text contains, or is within, that of a dependent row. */
  readonly nearMerchant: Map<number, MergedQueue>;
  readonly nearName: Map<number, MergedQueue>;
}

const NOTHING: MergedQueue = new MergedQueue([]);

/** The primary rows of a group that are in no pair yet. */
class PrimaryRows {
  readonly #rows: readonly LinkedRow[];
  readonly #taken: Uint8Array;
  readonly #days = new Map<number, Day>();
  readonly #group: RowGroup;
  readonly #texts: ReadonlyMap<number, string>;
  #merchants: Containments | undefined;
  #names: Containments | undefined;

  constructor(group: RowGroup, texts: ReadonlyMap<number, string>) {
    this.#group = group;
    this.#texts = texts;
    this.#rows = [...group.primary].sort(byDateAndId);
    this.#taken = new Uint8Array(this.#rows.length);
    const byDay = Map.groupBy(this.#rows.keys(), (at) => (this.#rows[at] as LinkedRow).day);
    for (const [day, rows] of byDay) this.#days.set(day, this.#dayOf(rows));
  }

  /** Takes the first row this many days away that has at least these points with the dependent row. */
  take(
    dependent: LinkedRow,
    distance: number,
    points: number,
    rejected: ReadonlySet<string> | undefined,
  ): LinkedRow | undefined {
    for (const day of distance === 0 ? [dependent.day] : [dependent.day - distance, dependent.day + distance]) {
      const rows = this.#days.get(day);
      if (!rows) continue;
      const isRefused = rejected && ((at: number) => rejected.has((this.#rows[at] as LinkedRow).id));
      const first = Math.min(...this.#queues(rows, dependent, points).map((queue) => queue.first(isRefused)));
      if (first === Infinity) continue;
      this.#taken[first] = 1;
      return this.#rows[first];
    }
    return undefined;
  }

  #dayOf(rows: readonly number[]): Day {
    const queues = (text: (row: LinkedRow) => number | null): Map<number, RowQueue> => {
      const byText = new Map<number, number[]>();
      for (const at of rows) {
        const key = text(this.#rows[at] as LinkedRow);
        if (key === null || this.#isEmpty(key)) continue;
        const known = byText.get(key);
        if (known) known.push(at);
        else byText.set(key, [at]);
      }
      return new Map([...byText].map(([key, list]) => [key, new RowQueue(list, this.#taken)]));
    };
    return {
      all: new RowQueue(rows, this.#taken),
      byMerchant: queues(({ merchant }) => merchant),
      byName: queues(({ name }) => name),
      nearMerchant: new Map(),
      nearName: new Map(),
    };
  }

  #isEmpty(text: number): boolean {
    return (this.#texts.get(text) ?? '') === '';
  }

  /** Where to look for rows with these points; better ones have been taken already. */
  #queues(day: Day, { name, merchant }: LinkedRow, points: number): readonly (RowQueue | MergedQueue)[] {
    if (points === 0) return [day.all];
    if (points === 1) return [this.#near(day.nearName, day.byName, this.#nearNames(name), name)];
    const same = merchant === null ? undefined : day.byMerchant.get(merchant);
    if (points === 3) return same ? [same] : [];
    const named = day.byName.get(name);
    const around =
      merchant === null
        ? NOTHING
        : this.#near(day.nearMerchant, day.byMerchant, this.#nearMerchants(merchant), merchant);
    return named ? [around, named] : [around];
  }

  #near(
    known: Map<number, MergedQueue>,
    byText: ReadonlyMap<number, RowQueue>,
    texts: readonly number[],
    text: number,
  ): MergedQueue {
    if (texts.length === 0) return NOTHING;
    let queue = known.get(text);
    if (!queue) {
      queue = new MergedQueue(texts.flatMap((near) => byText.get(near) ?? []));
      known.set(text, queue);
    }
    return queue;
  }

  #nearMerchants(merchant: number): readonly number[] {
    const { primary, dependent } = this.#group;
    this.#merchants ??= containmentsOf(
      primary.map((row) => row.merchant),
      dependent.map((row) => row.merchant),
      this.#texts,
    );
    return this.#merchants.get(merchant) ?? [];
  }

  #nearNames(name: number): readonly number[] {
    const { primary, dependent } = this.#group;
    this.#names ??= containmentsOf(
      primary.map((row) => row.name),
      dependent.map((row) => row.name),
      this.#texts,
    );
    return this.#names.get(name) ?? [];
  }
}
