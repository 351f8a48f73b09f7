import type { z } from 'zod';

import type { PlaidLink, TellerLink } from '../connections/connection-create.contract.ts';
import type { BankToLink } from './link-bank.ts';

/** What `POST /connections` and the hosted page take for a bank that a provider links. */
export type BankBody = z.output<typeof PlaidLink> | z.output<typeof TellerLink>;

export function bankOfBody(body: BankBody): BankToLink {
  const { provider, user_id: userId, credentials, allow_duplicate: allowsDuplicate } = body;
  const shared = { provider, userId, credentials, allowsDuplicate };
  if (body.provider === 'teller') {
    const { access_token: token, institution_id: id = null, institution_name: name } = body.credentials;
    return { ...shared, token, institution: { id, name }, accounts: [] };
  }
  const { public_token: token, institution_id: id, institution_name: name, accounts } = body.credentials;
  return { ...shared, token, institution: { id, name }, accounts: accounts.map(toCompared) };
}

function toCompared({ name, mask, type, subtype }: z.output<typeof PlaidLink>['credentials']['accounts'][number]) {
  return { names: name === null ? [] : [name], mask: mask === '' ? null : mask, type, subtype };
}
