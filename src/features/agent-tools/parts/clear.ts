import { z } from 'zod';

import { validationError } from '../../../kernel/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields to clear: an empty text says nothing, and some models cannot send null. */
export function clearArgument<const N extends readonly [string, ...string[]]>(names: N) {
  return z.array(z.enum(names)).optional().meta({ description: 'Fields to clear' });
}

/**
 * What was sent, with null for the fields to clear.
 * @param fieldOf the field, where it has another name than the argument that clears it
 * @throws VALIDATION_ERROR for a field that is both set and cleared
 */
export function withCleared<T extends Fields>(
  sent: T,
  clear: readonly string[] | undefined,
  fieldOf: Readonly<Record<string, readonly string[]>> = {},
): T {
  const cleared = (clear ?? []).map((name): [string, null] => {
    const fields = fieldOf[name] ?? [name];
    const set = fields.find((field) => sent[field] !== undefined && sent[field] !== null);
    if (set !== undefined)
      throw validationError('clear', `clear: ${name} is cleared, but ${set} is set. Send one of them.`);
    return [fields[0] as string, null];
  });
  return { ...sent, ...Object.fromEntries(cleared) };
}
