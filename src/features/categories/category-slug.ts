import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** The slug that a name gives, with a number behind it where others have it already (contract 10.10.2). */
export function freeSlug(name: string, taken: (slug: string) => boolean): string {
  const base = cut(fold(name).replace(/[^a-z0-9]+/g, '_'), LIMITS.categorySlugChars) || 'category';
  if (!taken(base)) return base;
  for (let number = 2; ; number++) {
    const suffix = `_${number}`;
    const slug = cut(base, LIMITS.categorySlugChars - suffix.length) + suffix;
    if (!taken(slug)) return slug;
  }
}

function cut(text: string, chars: number): string {
  return text.replace(/^_/, '').slice(0, chars).replace(/_$/, '');
}
