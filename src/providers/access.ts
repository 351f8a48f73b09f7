import { ProviderFailure } from './provider-failure.ts';
import type { Access } from './provider.ts';
import { isObject, readId } from './read-values.ts';

/** The access to an item, in the form in which it is stored. */
export function toAccess(itemId: string, accessToken: string): Access {
  return { itemId, credentials: JSON.stringify({ access_token: accessToken }) };
}

/** @throws ProviderFailure CREDENTIALS_UNREADABLE */
export function tokenOf({ credentials }: Access): string {
  const token = readId(tokenIn(credentials));
  if (token === null) throw new ProviderFailure({ failureClass: 'login', code: 'CREDENTIALS_UNREADABLE' });
  return token;
}

function tokenIn(credentials: string): unknown {
  try {
    const stored: unknown = JSON.parse(credentials);
    return isObject(stored) ? stored['access_token'] : undefined;
  } catch {
    return undefined;
  }
}
