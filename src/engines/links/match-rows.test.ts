import { array, assert, constantFrom, integer, property, record, shuffledSubarray, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';

import { groupRows, matchRows, type LinkedRow, type Pair, type PairingRules } from './match-rows.ts';

const TEXTS = ['', 'rewe', 'rewe city', 'rewe city 42', 'city', 'lidl', 'paypal lidl', 'x'];
const texts = new Map(TEXTS.map((text, id) => [id, text]));

function pairsOf(primary: readonly LinkedRow[], dependent: readonly LinkedRow[], rules: PairingRules): Pair[] {
  return matchRows(groupRows(primary, dependent), rules);
}

const idsOf = (pairs: readonly Pair[]): string[] =>
  pairs.map(({ primary, dependent, agreesIn }) => `${primary.id} ${dependent.id} ${agreesIn}`).sort();

/** Similarity as the table of 50.1.5 has it, line by line. */
function similarity(p: LinkedRow, d: LinkedRow): { points: number; agreesIn: Pair['agreesIn'] } {
  const text = (id: number | null): string => (id === null ? '' : (texts.get(id) as string));
  const [pm, dm, pn, dn] = [text(p.merchant), text(d.merchant), text(p.name), text(d.name)];
  if (pm !== '' && dm !== '') {
    if (pm === dm) return { points: 3, agreesIn: 'merchant_name' };
    if (pm.includes(dm) || dm.includes(pm)) return { points: 2, agreesIn: 'merchant_name' };
  }
  if (pn !== '' && dn !== '') {
    if (pn === dn) return { points: 2, agreesIn: 'name' };
    if (pn.includes(dn) || dn.includes(pn)) return { points: 1, agreesIn: 'name' };
  }
  return { points: 0, agreesIn: null };
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

interface Candidate extends Pair {
  distance: number;
  points: number;
}

/** Steps 3 to 6 of 50.1.5 word by word: all candidates, ordered, taken from the top. */
function reference(primary: readonly LinkedRow[], dependent: readonly LinkedRow[], rules: PairingRules): Candidate[] {
  const candidates = primary.flatMap((p) =>
    dependent.flatMap((d): Candidate[] => {
      const distance = Math.abs(p.day - d.day);
      const { points, agreesIn } = similarity(p, d);
      const isCandidate =
        p.amountCents === d.amountCents &&
        p.currency === d.currency &&
        distance <= rules.toleranceDays &&
        (distance <= 3 || points >= 1) &&
        rules.rejected.get(d.id)?.has(p.id) !== true;
      return isCandidate ? [{ primary: p, dependent: d, distance, points, agreesIn }] : [];
    }),
  );
  candidates.sort(
    (a, b) =>
      a.distance - b.distance ||
      b.points - a.points ||
      compare(a.dependent.day, b.dependent.day) ||
      compare(a.dependent.id, b.dependent.id) ||
      compare(a.primary.day, b.primary.day) ||
      compare(a.primary.id, b.primary.id),
  );
  const taken = new Set<string>();
  return candidates.filter(({ primary: p, dependent: d }) => {
    if (taken.has(p.id) || taken.has(d.id)) return false;
    taken.add(p.id);
    taken.add(d.id);
    return true;
  });
}

const text = integer({ min: 0, max: TEXTS.length - 1 });
const row = record({
  day: integer({ min: 0, max: 20 }),
  amountCents: constantFrom(500, 500, 500, -500, 700),
  currency: constantFrom('EUR', 'EUR', 'EUR', 'USD', null),
  name: text,
  merchant: constantFrom(null, 0, 1, 2, 3, 5),
});
const rows = (letter: string) =>
  array(row, { maxLength: 14 }).map((list) =>
    list.map((one, at): LinkedRow => ({ id: `${letter}${at + 10}`, ...one })),
  );
const toleranceDays = integer({ min: 0, max: 14 });
const refusals = uniqueArray(record({ p: integer({ min: 10, max: 23 }), d: integer({ min: 10, max: 23 }) }), {
  maxLength: 20,
  selector: ({ p, d }) => `${p} ${d}`,
});

function rejectedOf(list: readonly { p: number; d: number }[]): Map<string, Set<string>> {
  const rejected = new Map<string, Set<string>>();
  for (const { p, d } of list) rejected.set(`d${d}`, (rejected.get(`d${d}`) ?? new Set()).add(`p${p}`));
  return rejected;
}

test('pairs are those of the contract, taken from the top of all candidates', () => {
  assert(
    property(rows('p'), rows('d'), toleranceDays, refusals, (primary, dependent, days, refused) => {
      const rules = { toleranceDays: days, texts, rejected: rejectedOf(refused) };
      expect(idsOf(pairsOf(primary, dependent, rules))).toEqual(idsOf(reference(primary, dependent, rules)));
    }),
    { numRuns: 2_000 },
  );
});

test('each row is in one pair at most, amounts and currencies are equal, and a rejected pair never comes back', () => {
  assert(
    property(rows('p'), rows('d'), toleranceDays, refusals, (primary, dependent, days, refused) => {
      const rejected = rejectedOf(refused);
      const pairs = pairsOf(primary, dependent, { toleranceDays: days, texts, rejected });
      const ids = pairs.flatMap(({ primary: p, dependent: d }) => [p.id, d.id]);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { primary: p, dependent: d } of pairs) {
        expect([p.amountCents, p.currency]).toEqual([d.amountCents, d.currency]);
        expect(rejected.get(d.id)?.has(p.id) ?? false).toBe(false);
      }
    }),
  );
});

test('the order in which rows arrive does not matter', () => {
  assert(
    property(
      rows('p').chain((list) => shuffledSubarray(list, { minLength: list.length }).map((other) => [list, other])),
      rows('d').chain((list) => shuffledSubarray(list, { minLength: list.length }).map((other) => [list, other])),
      toleranceDays,
      ([primary, shuffledPrimary], [dependent, shuffledDependent], days) => {
        const rules = { toleranceDays: days, texts, rejected: new Map() };
        const [one, other] = [
          pairsOf(primary ?? [], dependent ?? [], rules),
          pairsOf(shuffledPrimary ?? [], shuffledDependent ?? [], rules),
        ];
        expect(idsOf(other)).toEqual(idsOf(one));
      },
    ),
  );
});

/** The greatest number of pairs, by augmenting paths. */
function greatest(primary: readonly LinkedRow[], dependent: readonly LinkedRow[], distance: number): number {
  const partner = new Map<string, LinkedRow>();
  const find = (d: LinkedRow, seen: Set<string>): boolean =>
    primary.some((p) => {
      if (Math.abs(p.day - d.day) !== distance || p.amountCents !== d.amountCents || p.currency !== d.currency)
        return false;
      if (seen.has(p.id)) return false;
      seen.add(p.id);
      const other = partner.get(p.id);
      if (other && !find(other, seen)) return false;
      partner.set(p.id, d);
      return true;
    });
  return dependent.filter((d) => find(d, new Set())).length;
}

test('among rows with equal texts, no other choice at a distance gives more pairs', () => {
  const same = (list: LinkedRow[]): LinkedRow[] => list.map((one) => ({ ...one, name: 1, merchant: null }));
  assert(
    property(rows('p').map(same), rows('d').map(same), toleranceDays, (primary, dependent, days) => {
      const pairs = pairsOf(primary, dependent, { toleranceDays: days, texts, rejected: new Map() });
      const taken = new Set<string>();
      for (let distance = 0; distance <= days; distance += 1) {
        const open = (row: LinkedRow): boolean => !taken.has(row.id);
        const at = pairs.filter(({ primary: p, dependent: d }) => Math.abs(p.day - d.day) === distance);
        expect(at.length).toBe(greatest(primary.filter(open), dependent.filter(open), distance));
        for (const { primary: p, dependent: d } of at) taken.add(p.id).add(d.id);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('the nearest row wins over a better name; at equal distance the better name wins', () => {
  const made = (id: string, day: number, name: number): LinkedRow => ({
    id,
    day,
    name,
    amountCents: 500,
    currency: 'EUR',
    merchant: null,
  });
  const rules = { toleranceDays: 2, texts, rejected: new Map() };
  expect(idsOf(pairsOf([made('p1', 5, 1), made('p2', 4, 5)], [made('d1', 4, 1)], rules))).toEqual(['p2 d1 null']);
  expect(idsOf(pairsOf([made('p1', 5, 5), made('p2', 5, 2)], [made('d1', 5, 1)], rules))).toEqual(['p2 d1 name']);
  const twins = pairsOf([made('p1', 5, 1), made('p2', 5, 1)], [made('d1', 5, 1), made('d2', 5, 1)], rules);
  expect(idsOf(twins)).toEqual(['p1 d1 name', 'p2 d2 name']);
});

test('many rows of one amount, all on the same days and with different names, take no longer than others', () => {
  const COUNT = 10_000;
  const many = new Map(texts);
  const made = (letter: string, nameOf: (at: number) => string): LinkedRow[] =>
    Array.from({ length: COUNT }, (_, at) => {
      const name = 1_000 + many.size;
      many.set(name, nameOf(at));
      return { id: `${letter}${at + COUNT}`, day: at % 3, amountCents: 500, currency: 'EUR', name, merchant: null };
    });
  const primary = made('p', (at) => `coffee shop ${at}`);
  const dependent = made('d', (at) => (at % 2 === 0 ? `card payment coffee shop ${COUNT - 1 - at} thanks` : 'shop'));
  const start = performance.now();
  const pairs = pairsOf(primary, dependent, { toleranceDays: 14, texts: many, rejected: new Map() });
  expect(pairs.length).toBe(COUNT);
  // Comparing every pair of names would take minutes.
  expect(performance.now() - start).toBeLessThan(15_000);
});
