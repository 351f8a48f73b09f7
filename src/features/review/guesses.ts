import type { z } from 'zod';

import type { CategoriesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { nameKey } from '../../engines/matching/name-key.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { innerTrigrams } from '../../kernel/trigrams.ts';
import { selectCategories } from '../categories/index.ts';
import { isOut, kinds, type Group, type NamedRow, type WaitingRow } from './group-waiting.ts';
import type { ReviewGroup } from './review.contract.ts';
import { selectChosen, selectDecided, selectTextsWith, type DecidedRow } from './waiting.queries.ts';

export type Guess = z.output<typeof ReviewGroup>['guess'];

/** So many of the newest rows say what a kind usually is, if at least two thirds of them agree. */
const NEWEST = 20;
const AGREEING = 2 / 3;

/** The category that each group probably belongs in: the one that it has, else what people chose for its kind. */
export async function guessesOf(tx: ReadTx, groups: readonly Group[]): Promise<Map<Group, Guess>> {
  const categories = new Map((await selectCategories(tx)).map((one) => [one.id, one]));
  const guesses = new Map<Group, Guess>();
  const open: Group[] = [];
  for (const group of groups) {
    const present = categories.get(group.rows[0]?.category_id ?? '');
    if (present) guesses.set(group, toGuess(present, 'present', null));
    else open.push(group);
  }
  if (open.length === 0) return guesses;
  const chosen = await chosenByKind(tx);
  for (const group of open) {
    // Without a choice of a person there is nothing to guess from, which spares most groups the search.
    const choices = chosen.get(group.kind);
    const usual = choices && usualCategory(await newestOf(tx, group, choices));
    const category = usual && categories.get(usual.id);
    if (category?.is_archived === 0) guesses.set(group, toGuess(category, 'history', usual?.count ?? null));
  }
  return guesses;
}

function toGuess(
  { id, slug, name }: CategoriesTable,
  from: NonNullable<Guess>['from'],
  count: number | null,
): NonNullable<Guess> {
  return { category_id: id, category_slug: slug, category_name: name, from, count };
}

async function chosenByKind(tx: ReadTx): Promise<Map<string, NamedRow[]>> {
  return Map.groupBy(await selectChosen(tx), kinds());
}

/** The newest rows of the kind of a group that anybody has decided: those that wait themselves say nothing. */
async function newestOf(tx: ReadTx, { rows }: Group, chosen: readonly NamedRow[]): Promise<DecidedRow[]> {
  const one = rows[0] as WaitingRow;
  const sign = { isOut: isOut(one) };
  if (one.counterparty_id !== null) {
    return selectDecided(tx, { ...sign, counterpartyId: one.counterparty_id }, NEWEST);
  }
  if (one.merchant_text_id !== null) {
    return selectDecided(tx, { ...sign, merchantTextId: one.merchant_text_id }, NEWEST);
  }
  const key = nameKey(one.name);
  const known = [...rows, ...chosen].map(({ name_text_id: id }) => id);
  const nameTextIds = [...new Set([...known.slice(0, LIMITS.reviewTexts), ...(await textsLike(tx, key))])];
  const found = await selectDecided(tx, { ...sign, nameTextIds }, LIMITS.reviewTexts);
  return found.filter(({ name }) => nameKey(name) === key).slice(0, NEWEST);
}

/** Texts may differ in what a name key leaves out, so they are found by the longest word that it keeps. */
async function textsLike(tx: ReadTx, key: string): Promise<number[]> {
  const [longest = ''] = key.split(' ').sort((one, other) => other.length - one.length);
  const word = fold(longest);
  const trigrams = innerTrigrams(word);
  return trigrams.length === 0 ? [] : selectTextsWith(tx, word, trigrams);
}

function usualCategory(newest: readonly DecidedRow[]): { id: string; count: number } | undefined {
  const counts = new Map<string, number>();
  for (const { category_id: id, category_source: source } of newest) {
    if (id !== null && source === 'person') counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  for (const [id, count] of counts) if (count >= AGREEING * newest.length) return { id, count };
  return undefined;
}
