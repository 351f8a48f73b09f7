import { dayNumber } from '../../src/kernel/dates.ts';

export interface LinkRow {
  id: string;
  primary_account_id: string;
  dependent_account_id: string;
  match_tolerance_days: number;
  is_attributing: number;
  is_enabled: number;
}

export interface MatchRow {
  account_link_id: string;
  primary_transaction_id: string;
  dependent_transaction_id: string;
  confidence: string;
}

export interface Row {
  id: string;
  account_id: string;
  date: string;
  amount_cents: number;
  iso_currency_code: string | null;
  name: string;
  merchant_name: string | null;
  pending: number;
  deleted_at: string | null;
  locks: string;
  attributed_user_id: string | null;
  attributed_by_link_id: string | null;
}

type Pair = Omit<MatchRow, 'confidence'>;
type Fold = (text: string) => string;

/** The `auto` matches that 50.1.5 asks for, by comparing every row with every other. `links`: the oldest first. */
export function computeAutoMatches(
  links: readonly LinkRow[],
  matches: readonly MatchRow[],
  rows: readonly Row[],
  fold: Fold,
): Pair[] {
  const taken = new Set(
    matches
      .filter(({ confidence }) => confidence === 'confirmed')
      .flatMap((match) => [match.primary_transaction_id, match.dependent_transaction_id]),
  );
  const found: Pair[] = [];
  for (const link of links.filter(({ is_enabled: isEnabled }) => isEnabled === 1)) {
    const rejected = new Set(
      matches
        .filter((match) => match.confidence === 'rejected' && match.account_link_id === link.id)
        .map((match) => `${match.primary_transaction_id} ${match.dependent_transaction_id}`),
    );
    for (const { p, d } of candidates(link, rows, fold)) {
      if (taken.has(p.id) || taken.has(d.id) || rejected.has(`${p.id} ${d.id}`)) continue;
      taken.add(p.id).add(d.id);
      found.push({ account_link_id: link.id, primary_transaction_id: p.id, dependent_transaction_id: d.id });
    }
  }
  return found;
}

interface Candidate {
  p: Row;
  d: Row;
  distance: number;
  points: number;
}

function candidates(link: LinkRow, rows: readonly Row[], fold: Fold): Candidate[] {
  const base = rows.filter((row) => row.deleted_at === null && row.pending === 0);
  const of = (account: string): Row[] => base.filter((row) => row.account_id === account);
  return of(link.primary_account_id)
    .flatMap((p) =>
      of(link.dependent_account_id).map((d): Candidate => {
        const distance = Math.abs(dayNumber(p.date) - dayNumber(d.date));
        return { p, d, distance, points: similarity(p, d, fold) };
      }),
    )
    .filter(
      ({ p, d, distance, points }) =>
        p.amount_cents === d.amount_cents &&
        p.iso_currency_code === d.iso_currency_code &&
        distance <= link.match_tolerance_days &&
        (distance <= 3 || points >= 1),
    )
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        b.points - a.points ||
        compare(a.d.date, b.d.date) ||
        compare(a.d.id, b.d.id) ||
        compare(a.p.date, b.p.date) ||
        compare(a.p.id, b.p.id),
    );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function similarity(p: Row, d: Row, fold: Fold): number {
  const [mine, theirs] = [fold(p.merchant_name ?? ''), fold(d.merchant_name ?? '')];
  const [name, other] = [fold(p.name), fold(d.name)];
  if (mine !== '' && mine === theirs) return 3;
  if (isWithin(mine, theirs)) return 2;
  if (name !== '' && name === other) return 2;
  return isWithin(name, other) ? 1 : 0;
}

function isWithin(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one));
}
