import { z } from 'zod';

const TEXT = 'text without U+0000 and without half characters';

/** A metadata map in a request. Every key is data, `__proto__` too, which a record schema would drop. */
export const MetadataMap = z
  .custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object')
  .refine(isCleanText, TEXT)
  .meta({
    type: 'object',
    additionalProperties: true,
    description: 'Any JSON under keys of 1 to 128 characters; at most 4,096 bytes a value and 8,192 the whole map',
    example: { invoice: 'A-17' },
  });

/** One value of the map: any JSON, null too. */
export const MetadataValue = z
  .custom<unknown>((value) => value !== undefined, 'is required')
  .refine(isCleanText, TEXT)
  .meta({ description: 'Any JSON of at most 4,096 bytes; null is a value', example: 'A-17' });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Looks at every text inside, however deep. */
function isCleanText(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const inner = open.pop();
    if (typeof inner === 'string' && (inner.includes('\0') || !inner.isWellFormed())) return false;
    if (typeof inner === 'object' && inner !== null) {
      for (const [key, member] of Object.entries(inner)) open.push(key, member);
    }
  }
  return true;
}
