import { ProviderFailure } from './provider-failure.ts';
import type { Access } from './provider.ts';
import { isObject, readId } from './read-values.ts';

/** The access to an item, in the form in which it is stored. */
export function toAccess(itemId: string, accessToken: string): Access {
  return { itemId, credentials: JSON.stringify({ access_token: accessToken }) };
}

/** @throws ProviderFailure CREDENTIALS_UNREADABLE */
export function tokenOf(access: Access): string {
  const token = storedToken(access);
  if (token === null) throw new ProviderFailure({ failureClass: 'login', code: 'CREDENTIALS_UNREADABLE' });
  return token;
}

/** null: there is none, or it could not be decrypted. */
export function storedToken({ credentials }: Access): string | null {
  return readId(tokenIn(credentials));
}

function tokenIn(credentials: string): unknown {
  try {
    const stored: unknown = JSON.parse(credentials);
    return isObject(stored) ? stored['access_token'] : undefined;
  } catch {
    return undefined;
  }
}
