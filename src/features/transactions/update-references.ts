import type { ReadTx } from '../../db/unit-of-work.ts';
import { invalidParameter, validationError } from '../../kernel/errors.ts';
import { categoryChooser, type CategoryChooser } from './resolve-category.ts';
import { findTagSlugs, slugToAttach } from './resolve-tags.ts';
import { selectBindables, type Bindable } from './transaction-bulk.queries.ts';
import type { UpdateOperation } from './transaction-bulk.contract.ts';

/** What the operations of a batch name, looked up once for all of them. Each throws for what it does not know. */
export interface References {
  category: CategoryChooser;
  /** UUID, or null for null. */
  counterparty: (anyId: string | null) => string | null;
  series: (anyId: string | null) => string | null;
  member: (anyId: string | null) => string | null;
  /** Slug of the tag, which may have to be made. */
  tagToAdd: (name: string) => string;
  /** Slug of the tag, or the name itself when no tag has it. */
  tagToRemove: (name: string) => string;
}

/** `tagPath`: what the field with the tags to attach is called in errors. */
export async function findReferences(
  tx: ReadTx,
  operations: readonly UpdateOperation[],
  tagPath = 'tags_to_add',
): Promise<References> {
  const named = (field: 'counterparty_id' | 'series_id' | 'attributed_user_id'): string[] =>
    distinct(operations.map((operation) => operation[field]));
  const counterparties = await selectBindables(tx, 'counterparties', named('counterparty_id'));
  const series = await selectBindables(tx, 'series', named('series_id'));
  const members = await selectBindables(tx, 'users', named('attributed_user_id'));
  const tagNames = operations.flatMap(({ tags_to_add: add = [], tags_to_remove: remove = [] }) => [...add, ...remove]);
  const slugs = await findTagSlugs(tx, distinct(tagNames));
  return {
    category: await categoryChooser(tx),
    counterparty: finder('counterparty_id', 'counterparty', counterparties),
    series: finder('series_id', 'series', series),
    member: finder('attributed_user_id', 'household member', members),
    tagToAdd: (name) => slugToAttach(name, slugs, tagPath),
    tagToRemove: (name) => slugs.get(name) ?? name,
  };
}

function distinct(names: readonly (string | null | undefined)[]): string[] {
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

function finder(field: string, what: string, known: ReadonlyMap<string, Bindable>) {
  return (anyId: string | null): string | null => {
    if (anyId === null) return null;
    const found = known.get(anyId);
    const shown = JSON.stringify(anyId.slice(0, 100));
    if (!found) throw invalidParameter(field, `${field}: ${shown} is not a known ${what}.`);
    if (found.mergedInto !== null) {
      throw validationError(field, `${field}: the ${what} ${shown} is merged into ${found.mergedInto}. Send that one.`);
    }
    return found.id;
  };
}
