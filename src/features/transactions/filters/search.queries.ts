import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { areSimilar, innerTrigrams, largestSimilar, trigramsOf } from '../../../kernel/trigrams.ts';

/** Dictionary texts; a row must have at least one of them as its name, merchant or counterparty. */
interface TextSet {
  textIds: readonly number[];
  counterpartyIds: readonly string[];
  /** A term that more texts contain than are worth listing: all these belong to the set too. */
  common: string | null;
}

/** A row matches if, for at least one alternative, it has a text of every set. */
export type SearchMatch = readonly (readonly TextSet[])[];

/** Finds the texts that each term matches (contract 10.4.2). */
export async function findMatch(
  tx: ReadTx,
  terms: readonly string[],
  mode: 'contains' | 'words' | 'fuzzy',
): Promise<SearchMatch> {
  const alternatives: TextSet[][] = [];
  for (const term of terms) {
    const words = mode === 'words' ? term.split(' ') : [term];
    const sets: TextSet[] = [];
    for (const word of words) sets.push(await textSet(tx, word, mode === 'fuzzy'));
    alternatives.push(sets);
  }
  return alternatives;
}

async function textSet(tx: ReadTx, term: string, isFuzzy: boolean): Promise<TextSet> {
  const cap = LIMITS.searchTextsListed;
  const containing = await textIdsOf(tx, sql`${textsContaining(tx, term)} limit ${sql.lit(cap + 1)}`);
  const isCommon = containing.length > cap;
  const found = new Set(isCommon ? [] : containing);
  if (isFuzzy) for (const id of await similarTexts(tx, term)) found.add(id);
  const textIds = [...found];
  const common = isCommon ? term : null;
  if (textIds.length === 0) return { textIds, counterpartyIds: [], common };
  const named = await tx.q
    .selectFrom('counterparties')
    .select('id')
    .where(tx.portable.inList(sql.ref('name_text_id'), textIds))
    .execute();
  return { textIds, counterpartyIds: named.map(({ id }) => id), common };
}

function textsContaining({ portable }: ReadTx, term: string): RawBuilder<{ id: number }> {
  return portable.textsContaining(term, innerTrigrams(term));
}

async function textIdsOf(tx: ReadTx, texts: RawBuilder<{ id: number }>): Promise<number[]> {
  const { rows } = await texts.execute(tx.q);
  return rows.map(({ id }) => id);
}

/** Texts of so few trigrams are few. */
const SHORT_TEXT_TRIGRAMS = 6;

/**
 * A similar text shares about a third of the trigrams, so the common ones need not be looked up: a text that has none
 * of the others is too short, if it is similar at all.
 */
async function similarTexts(tx: ReadTx, term: string): Promise<number[]> {
  const wanted = trigramsOf(term);
  const cap = LIMITS.trigramTexts;
  const { rows } = await tx.portable.trigramCounts([...wanted], cap).execute(tx.q);
  const common = rows.filter(({ n }) => n > cap).sort((a, b) => b.n - a.n);
  const dropped = new Set<string>();
  for (const { trigram } of common) {
    if (largestSimilar(wanted.size, dropped.size + 1) > SHORT_TEXT_TRIGRAMS) break;
    dropped.add(trigram);
  }
  const kept = [...wanted].filter((trigram) => !dropped.has(trigram));
  if (kept.length === 0) return [];
  const sharing = await tx.portable.textsSharing(kept, wanted.size).execute(tx.q);
  const short = await shortTexts(tx, largestSimilar(wanted.size, dropped.size));
  const isSimilar = ({ folded }: { folded: string }): boolean => areSimilar(wanted, trigramsOf(folded));
  return [...sharing.rows, ...short].filter(isSimilar).map(({ id }) => id);
}

async function shortTexts(tx: ReadTx, trigramCount: number): Promise<{ id: number; folded: string }[]> {
  if (trigramCount <= 0) return [];
  return tx.q.selectFrom('texts').select(['id', 'folded']).where('trigram_count', '<=', trigramCount).execute();
}

/**
 * The condition on `t` for one match: any alternative, all of its sets. In a walk, which ends early, the texts of each
 * row are looked at; otherwise those of a common term are listed once.
 */
export function matchCondition(tx: ReadTx, match: SearchMatch, isWalk: boolean): RawBuilder<boolean> {
  const alternatives = match.map(
    (sets) =>
      sql`(${sql.join(
        sets.map((set) => hasText(tx, set, isWalk)),
        sql` and `,
      )})`,
  );
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}

/** Rows that have none of the texts; a null text never matches. */
export function noMatchCondition(tx: ReadTx, match: SearchMatch, isWalk: boolean): RawBuilder<boolean> {
  return sql<boolean>`not ${matchCondition(tx, match, isWalk)}`;
}

/** `coalesce`: a null column would make the whole condition unknown. */
function hasText(tx: ReadTx, { textIds, counterpartyIds, common }: TextSet, isWalk: boolean): RawBuilder<boolean> {
  const { portable } = tx;
  const ways: RawBuilder<boolean>[] = [];
  if (textIds.length > 0) {
    ways.push(portable.inList(sql.raw('t.name_text_id'), textIds));
    ways.push(portable.inList(sql.raw('coalesce(t.merchant_text_id, 0)'), textIds));
  }
  if (counterpartyIds.length > 0)
    ways.push(portable.inList(sql.raw(`coalesce(t.counterparty_id, '')`), counterpartyIds));
  if (common !== null) ways.push(isWalk ? containsIn(tx, common) : isListed(tx, common));
  return ways.length === 0 ? sql<boolean>`(1 = 0)` : sql<boolean>`(${sql.join(ways, sql` or `)})`;
}

/** Whether a text of the row contains the term, looked up for this row. */
function containsIn({ portable }: ReadTx, term: string): RawBuilder<boolean> {
  const contains = portable.contains(sql.raw('x.folded'), term);
  return sql<boolean>`(
    exists (select 1 from texts x where x.id = t.name_text_id and ${contains})
    or exists (select 1 from texts x where x.id = t.merchant_text_id and ${contains})
    or exists (select 1 from counterparties k join texts x on x.id = k.name_text_id
      where k.id = t.counterparty_id and ${contains}))`;
}

function isListed(tx: ReadTx, term: string): RawBuilder<boolean> {
  const texts = textsContaining(tx, term);
  return sql<boolean>`(t.name_text_id in (${texts}) or coalesce(t.merchant_text_id, 0) in (${texts})
    or coalesce(t.counterparty_id, '') in (${counterpartiesNamed(tx, term)}))`;
}

function counterpartiesNamed({ portable }: ReadTx, term: string): RawBuilder<{ id: string }> {
  return sql`select k.id from counterparties k ${portable.orderedJoin} texts x on x.id = k.name_text_id
    where ${portable.contains(sql.raw('x.folded'), term)}`;
}

/** Rows that have one of these values in the column; each value has an index range in the order of the dates. */
interface Carriers {
  column: 'name_text_id' | 'merchant_text_id' | 'counterparty_id';
  values: readonly (string | number)[] | RawBuilder<{ id: string | number }>;
}

/** The carriers of the smallest set of each alternative: every row that matches is among them. */
export function carriersOf(tx: ReadTx, match: SearchMatch): Carriers[] {
  const smallest = match.flatMap((sets) => [...sets].sort((a, b) => sizeOf(a) - sizeOf(b)).slice(0, 1));
  const textIds = [...new Set(smallest.flatMap((set) => set.textIds))];
  const counterpartyIds = [...new Set(smallest.flatMap((set) => set.counterpartyIds))];
  const terms = [...new Set(smallest.flatMap(({ common }) => (common === null ? [] : [common])))];
  const listed: Carriers[] = [
    { column: 'name_text_id', values: textIds },
    { column: 'merchant_text_id', values: textIds },
    { column: 'counterparty_id', values: counterpartyIds },
  ];
  const named = terms.flatMap((term): Carriers[] => [
    { column: 'name_text_id', values: textsContaining(tx, term) },
    { column: 'merchant_text_id', values: textsContaining(tx, term) },
    { column: 'counterparty_id', values: counterpartiesNamed(tx, term) },
  ]);
  return [...listed.filter(({ values }) => (values as readonly unknown[]).length > 0), ...named];
}

function sizeOf({ textIds, common }: TextSet): number {
  return common === null ? textIds.length : Number.MAX_SAFE_INTEGER;
}

/**
 * Live rows that may match, by the smallest set of each alternative: one query per index, each without duplicates and
 * answered by the index alone.
 */
export function matchingParts(
  tx: ReadTx,
  match: SearchMatch,
  where: readonly RawBuilder<unknown>[] = [],
  key: RawBuilder<unknown> = sql`t.id`,
): RawBuilder<{ id: string }>[] {
  const parts = carriersOf(tx, match).map(({ column, values }) => {
    const name = sql.raw(`t.${column}`);
    const isIn = Array.isArray(values) ? tx.portable.inList(name, values) : sql`${name} in (${values})`;
    const all = [isIn, sql`${name} is not null`, sql`t.deleted_at is null`, ...where];
    return sql<{ id: string }>`select ${key} as id from transactions t where ${sql.join(all, sql` and `)}`;
  });
  return parts.length > 0 ? parts : [sql`select ${key} as id from transactions t where 1 = 0`];
}

/** The parts as one query without duplicates. */
export function matchingIds(tx: ReadTx, match: SearchMatch): RawBuilder<{ id: string }> {
  return sql`${sql.join(matchingParts(tx, match), sql` union `)}`;
}

/** Whether the parts find exactly the rows that match, and not also rows that only may: no alternative has two sets. */
export function isExact(match: SearchMatch): boolean {
  return match.every((sets) => sets.length === 1);
}

/** Whether the texts to look at are more than are worth listing. */
export function isCommon(match: SearchMatch): boolean {
  return match.some((sets) => sets.every(({ common }) => common !== null));
}
