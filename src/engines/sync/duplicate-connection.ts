/** Whether a bank is linked a second time (contract 30.2.2). */

import { nameKey } from '../matching/name-key.ts';

/** An account as a connection has it, or as the bank's window or a provider describes it. */
export interface ComparedAccount {
  /** Any of its names. */
  readonly names: readonly string[];
  readonly mask: string | null;
  /** null: unknown. */
  readonly type: string | null;
  readonly subtype: string | null;
}

export interface ComparedLink {
  readonly institutionId: string | null;
  readonly institutionName: string | null;
  readonly accounts: readonly ComparedAccount[];
}

/** Whether two links are to the same bank and share an account. */
export function isSameLink(one: ComparedLink, other: ComparedLink): boolean {
  if (!isSameInstitution(one, other)) return false;
  return one.accounts.some((account) => other.accounts.some((another) => isSameAccount(account, another)));
}

function isSameInstitution(one: ComparedLink, other: ComparedLink): boolean {
  if (one.institutionId !== null && other.institutionId !== null) return one.institutionId === other.institutionId;
  if (one.institutionName === null || other.institutionName === null) return false;
  return nameKey(one.institutionName) === nameKey(other.institutionName);
}

function isSameAccount(one: ComparedAccount, other: ComparedAccount): boolean {
  if (!agree(one.type, other.type)) return false;
  if (one.mask !== null && other.mask !== null) {
    return one.mask === other.mask && agree(one.subtype, other.subtype);
  }
  const keys = new Set(one.names.map(nameKey));
  return other.names.some((name) => keys.has(nameKey(name)));
}

/** A value that one side lacks contradicts nothing. */
function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}
