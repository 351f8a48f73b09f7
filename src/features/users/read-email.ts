import type { ReadTx } from '../../db/unit-of-work.ts';
import { parseEmail } from '../../kernel/credentials.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { findUserByEmail } from './users.queries.ts';

/**
 * A member's e-mail in canonical form. Writers are serialised, so an address that is free here stays free until the
 * commit.
 * @throws VALIDATION_ERROR; EMAIL_CONFLICT when another member has it.
 */
export async function readEmail(tx: ReadTx, text: string | null, ownId: string | null): Promise<string | null> {
  if (text === null) return null;
  const email = parseEmail(text);
  if (email === undefined) throw validationError('email', 'must be a bare e-mail address such as ana@home.example');
  const holder = await findUserByEmail(tx, email);
  if (holder && holder.id !== ownId) {
    throw new AppError('EMAIL_CONFLICT', 'Another household member has this e-mail address.');
  }
  return email;
}
