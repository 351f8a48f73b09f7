import type { ReadTx } from '../../db/unit-of-work.ts';
import { invalidParameter, validationError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { isTagSlug } from '../tags/index.ts';
import { selectTagsNamed } from './transaction-writes.queries.ts';

/** Slugs of existing tags by whatever names them: slug first, then UUID or short_id. Unknown names are left out. */
export async function findTagSlugs(tx: ReadTx, names: readonly string[]): Promise<Map<string, string>> {
  const tags = await selectTagsNamed(tx, names);
  const slugOf = new Map(tags.flatMap(({ id, short_id, slug }) => [[id, slug] as const, [short_id, slug] as const]));
  for (const { slug } of tags) slugOf.set(slug, slug);
  return new Map(names.flatMap((name) => [[name, slugOf.get(name)] as const]).filter(isFound));
}

function isFound(pair: readonly [string, string | undefined]): pair is readonly [string, string] {
  return pair[1] !== undefined;
}

/**
 * The slug of a tag to attach: that of an existing one, or of one to make.
 * @throws INVALID_PARAMETER for a UUID that no tag has, VALIDATION_ERROR for what is no slug
 */
export function slugToAttach(name: string, existing: ReadonlyMap<string, string>, path: string): string {
  const known = existing.get(name);
  if (known !== undefined) return known;
  if (isUuid(name)) throw invalidParameter(path, `${path}: no tag has the id ${name}.`);
  if (isTagSlug(name)) return name;
  throw validationError(
    path,
    `${path}: a slug has 1 to 64 characters of a-z, 0-9, - and :, and starts and ends with a letter or digit.`,
  );
}
