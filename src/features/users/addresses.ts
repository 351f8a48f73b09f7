import type { ReadTx } from '../../db/unit-of-work.ts';
import { parseEmail } from '../../kernel/credentials.ts';
import { AppError, fieldFault } from '../../kernel/errors.ts';
import { findLoginByIdentifier, findUserByEmail } from './users.queries.ts';

/**
 * An email address in canonical form. Writers take turns, so an address that is free now stays free until the commit.
 * @throws VALIDATION_ERROR; EMAIL_CONFLICT if a member other than `ownId` has it
 */
export async function readEmail(tx: ReadTx, text: string | null, ownId?: string): Promise<string | null> {
  if (text === null) return null;
  const email = parse(text, 'email');
  const holder = await findUserByEmail(tx, email);
  if (holder && holder.id !== ownId) {
    throw new AppError('EMAIL_CONFLICT', 'Another household member has this email address.');
  }
  return email;
}

/**
 * The address someone signs in with, in canonical form.
 * @throws VALIDATION_ERROR; IDENTIFIER_TAKEN if a login other than `ownId` has it
 */
export async function readIdentifier(tx: ReadTx, text: string, ownId?: string): Promise<string> {
  const identifier = parse(text, 'identifier');
  const holder = await findLoginByIdentifier(tx, identifier);
  if (holder && holder.id !== ownId) {
    throw new AppError('IDENTIFIER_TAKEN', 'Another household member signs in with this email address.');
  }
  return identifier;
}

function parse(text: string, path: string): string {
  const address = parseEmail(text);
  if (address === undefined) throw fieldFault(path, 'must be a bare email address such as ana@home.example');
  return address;
}
