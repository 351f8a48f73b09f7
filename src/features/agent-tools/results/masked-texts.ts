import { validationError } from '../../../kernel/errors.ts';

/** A number as `maskNumbers` leaves it. */
const MASKED = /•••[\p{L}\p{Nd}]/u;

/**
 * Refuses a write with a number that an agent only knows in its short form: it would overwrite the whole one (70.2).
 * @throws VALIDATION_ERROR naming the argument
 */
export function refuseMaskedNumbers(value: unknown, path = ''): void {
  if (typeof value === 'string' && MASKED.test(value)) {
    const message = `${path}: contains a shortened number (•••), which would overwrite the whole one. Leave this argument out.`;
    throw validationError(path, message);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    if (MASKED.test(name))
      throw validationError(path, `${path}: has a key with a shortened number (•••). Leave it out.`);
    const below = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    refuseMaskedNumbers(held, below);
  }
}
