import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';

/** A client certificate with its private key, both PEM. */
export interface KeyPair {
  certificate: string;
  privateKey: string;
}

export interface Flaw {
  part: keyof KeyPair;
  /** Follows the name of the part. Contains nothing of what was given. */
  message: string;
}

/** Why a certificate and its key cannot be used together at this time (contract 20.12); null if they can. */
export function findFlaw({ certificate, privateKey }: KeyPair, now: number): Flaw | null {
  const known = readCertificate(certificate);
  if (!known) return { part: 'certificate', message: 'must be a certificate in PEM form' };
  if (isProtected(privateKey)) return { part: 'privateKey', message: 'must not be protected by a password' };
  const key = readKey(privateKey);
  if (!key) return { part: 'privateKey', message: 'must be a private key in PEM form' };
  if (!known.checkPrivateKey(key)) return { part: 'privateKey', message: 'must belong to the certificate' };
  if (known.validToDate.getTime() <= now) return { part: 'certificate', message: 'must not have expired' };
  return null;
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function isProtected(pem: string): boolean {
  return /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem);
}
