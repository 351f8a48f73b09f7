import { fieldFault } from '../../kernel/errors.ts';

/** A recovery key: what opens backups, and what they are encrypted to. */
export interface RecoveryKey {
  identity: string;
  recipient: string;
}

export async function makeIdentity(): Promise<RecoveryKey> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

const X25519 = /^age1[02-9ac-hj-np-z]{58}$/;

/**
 * A recipient as it was typed, in canonical form. Something is encrypted to it: a point on which nothing can be would
 * fail every backup. @throws VALIDATION_ERROR on `recipient`
 */
export async function readRecipient(typed: string): Promise<string> {
  const recipient = typed.trim();
  const fault = fieldFault('recipient', 'must be the public half of an age key: age1 and 58 characters');
  if (!X25519.test(recipient)) throw fault;
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
    await encrypter.encrypt('');
  } catch {
    throw fault;
  }
  return recipient;
}
