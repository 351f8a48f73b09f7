import type { ReadTx } from '../../db/unit-of-work.ts';
import { BUILT_IN_PROFILES } from '../../engines/imports/profiles/built-in-profiles.ts';
import { AppError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { isUuid } from '../../kernel/ids.ts';
import { PROFILE_SLUG } from './import-profiles.contract.ts';
import { findProfile } from './import-profiles.queries.ts';

/** What the `profile` field of an import takes for "use no profile". */
const RESERVED = 'none';
const SLUG_CHARS = 63;

export function isBuiltInSlug(text: string): boolean {
  return BUILT_IN_PROFILES.some(({ slug }) => slug === text);
}

export function builtInConflict(): AppError {
  return new AppError('CONFLICT', 'This profile is built in and cannot be changed. Save yours under another slug.');
}

/** Whether a new profile may have this slug. */
export function isFreeForm(text: string): boolean {
  return PROFILE_SLUG.test(text) && !isUuid(text) && text !== RESERVED;
}

/** A slug made from a name, one that no profile has yet. */
export async function freeSlug(tx: ReadTx, name: string): Promise<string> {
  const base =
    fold(name)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, SLUG_CHARS) || 'profile';
  for (let n = 1; ; n += 1) {
    const end = n === 1 ? '' : `-${n}`;
    const slug = `${base.slice(0, SLUG_CHARS - end.length)}${end}`;
    if (isFreeForm(slug) && !isBuiltInSlug(slug) && !(await findProfile(tx, slug))) return slug;
  }
}

/** A name for a profile without one: `ing-giro` → `Ing giro`. */
export function nameOfSlug(slug: string): string {
  const words = slug.replace(/[_-]+/g, ' ').trim();
  return words === '' ? slug : words.slice(0, 1).toUpperCase() + words.slice(1);
}
