import { z } from 'zod';

import { CLEAN_TEXT, isCleanJson } from '../../contract/clean-json.ts';

/** A metadata map in a request. Every key is data, even `__proto__`, which a record schema would drop. */
export const MetadataMap = z
  .custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object')
  .refine(isCleanJson, CLEAN_TEXT)
  .meta({
    type: 'object',
    additionalProperties: true,
    description: 'Any JSON under keys of 1 to 128 characters; at most 4,096 bytes per value and 8,192 bytes in total',
    example: { invoice: 'A-17' },
  });

/** One value of the map: any JSON, including null. */
export const MetadataValue = z
  .custom<unknown>((value) => value !== undefined, 'is required')
  .refine(isCleanJson, CLEAN_TEXT)
  .meta({ description: 'Any JSON of at most 4,096 bytes; null counts as a value', example: 'A-17' });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
