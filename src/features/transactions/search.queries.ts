import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { innerTrigrams, trigramsOf } from '../../kernel/trigrams.ts';

/** Dictionary texts; a row must have at least one of them as its name, merchant or counterparty. */
interface TextSet {
  textIds: readonly number[];
  counterpartyIds: readonly string[];
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
  const found = new Set<number>();
  const add = async (query: RawBuilder<{ id: number }>): Promise<void> => {
    const { rows } = await query.execute(tx.q);
    for (const { id } of rows) found.add(id);
  };
  await add(tx.portable.textsContaining(term, innerTrigrams(term)));
  if (isFuzzy) {
    const trigrams = [...trigramsOf(term)];
    if (trigrams.length > 0) await add(tx.portable.textsSimilarTo(trigrams));
  }
  const textIds = [...found];
  if (textIds.length === 0) return { textIds, counterpartyIds: [] };
  const named = await tx.q
    .selectFrom('counterparties')
    .select('id')
    .where(tx.portable.inList(sql.ref('name_text_id'), textIds))
    .execute();
  return { textIds, counterpartyIds: named.map(({ id }) => id) };
}

/** The condition on `t` for one match: any alternative, all of its sets. */
export function matchCondition(tx: ReadTx, match: SearchMatch): RawBuilder<boolean> {
  const alternatives = match.map(
    (sets) =>
      sql`(${sql.join(
        sets.map((set) => hasText(tx, set)),
        sql` and `,
      )})`,
  );
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}

/** Rows that have none of the texts; a null text never matches. */
export function noMatchCondition(tx: ReadTx, match: SearchMatch): RawBuilder<boolean> {
  return sql<boolean>`not ${matchCondition(tx, match)}`;
}

/** `coalesce`: a null column would make the whole condition unknown. */
function hasText(tx: ReadTx, set: TextSet): RawBuilder<boolean> {
  if (set.textIds.length === 0) return sql<boolean>`(1 = 0)`;
  const { portable } = tx;
  const byMerchant = portable.inList(sql.raw('coalesce(t.merchant_text_id, 0)'), set.textIds);
  const byName = portable.inList(sql.raw('t.name_text_id'), set.textIds);
  if (set.counterpartyIds.length === 0) return sql<boolean>`(${byName} or ${byMerchant})`;
  const byCounterparty = portable.inList(sql.raw(`coalesce(t.counterparty_id, '')`), set.counterpartyIds);
  return sql<boolean>`(${byName} or ${byMerchant} or ${byCounterparty})`;
}

/**
 * Ids and dates of the live rows that may match, by the smallest set of each alternative: one query per index, each
 * without duplicates and answered by the index alone.
 */
export function matchingParts(tx: ReadTx, match: SearchMatch): RawBuilder<{ id: string }>[] {
  const { portable } = tx;
  const smallest = match.flatMap((sets) => [...sets].sort((a, b) => a.textIds.length - b.textIds.length).slice(0, 1));
  const textIds = [...new Set(smallest.flatMap((set) => set.textIds))];
  const counterpartyIds = [...new Set(smallest.flatMap((set) => set.counterpartyIds))];
  const part = (column: string, values: readonly (string | number)[]): RawBuilder<{ id: string }> =>
    sql`select t.id, t.date from transactions t
      where ${portable.inList(sql.raw(`t.${column}`), values)} and t.${sql.raw(column)} is not null and t.deleted_at is null`;
  const parts = [part('name_text_id', textIds), part('merchant_text_id', textIds)];
  return counterpartyIds.length === 0 ? parts : [...parts, part('counterparty_id', counterpartyIds)];
}

/** The parts as one query without duplicates. */
export function matchingIds(tx: ReadTx, match: SearchMatch): RawBuilder<{ id: string }> {
  return sql`${sql.join(matchingParts(tx, match), sql` union `)}`;
}

/** Whether the parts find exactly the rows that match, and not also rows that only may: no alternative has two sets. */
export function isExact(match: SearchMatch): boolean {
  return match.every((sets) => sets.length === 1);
}
