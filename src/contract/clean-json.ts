import type { z } from 'zod';

export const CLEAN_TEXT = 'must not contain U+0000 or unpaired surrogates';

interface Place {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Place | null;
}

/** True when every text and key inside a JSON value, however deep, can be stored. */
export function isCleanJson(value: unknown): boolean {
  return uncleanPlace(value) === undefined;
}

/** For `superRefine`: reports the path of the first text inside the value that cannot be stored. */
export function refuseUncleanJson(value: unknown, context: z.core.$RefinementCtx): void {
  const place = uncleanPlace(value);
  if (place) context.addIssue({ code: 'custom', path: pathOf(place), message: CLEAN_TEXT });
}

/** The unclean text, or the object with the unclean key. Not recursive: values may nest deeper than the stack. */
function uncleanPlace(value: unknown): Place | undefined {
  const open: Place[] = [{ value, key: '', parent: null }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value: inner } = place;
    if (typeof inner === 'string' && !isClean(inner)) return place;
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [key, member] of Object.entries(inner)) {
      if (!isClean(key)) return place;
      open.push({ value: member, key: Array.isArray(inner) ? Number(key) : key, parent: place });
    }
  }
  return undefined;
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = place; at.parent; at = at.parent) path.push(at.key);
  return path.reverse();
}

function isClean(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
