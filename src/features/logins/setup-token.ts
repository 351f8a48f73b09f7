import type { LoginsTable } from '../../db/schema.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { WriteContext } from '../handler.ts';
import { actorOf } from '../handler.ts';

/** What a login is when no setup link is pending. */
export const NO_SETUP_TOKEN = {
  setup_token_hash: null,
  setup_token_expires_at: null,
  setup_token_issuer: null,
} as const;

/** Columns of a login with a new setup token, and its only plaintext. */
export interface IssuedToken {
  columns: { setup_token_hash: string; setup_token_expires_at: string; setup_token_issuer: string };
  /** The token answer of contract 20.10. */
  shown: { setup_token: string; setup_url: string; setup_token_expires_at: string };
}

/** Valid for seven days as an invitation, for 24 hours as a reset of the password that the login has (20.8). */
export function issueSetupToken(
  { instance, tx, principal, request }: Pick<WriteContext, 'instance' | 'tx' | 'principal' | 'request'>,
  login: Pick<LoginsTable, 'password_hash'> | null,
): IssuedToken {
  const token = Buffer.from(instance.random.bytes(LIMITS.tokenBytes)).toString('base64url');
  const isReset = login !== null && login.password_hash !== null;
  const expiresAt = instantAfter(tx.now, isReset ? LIMITS.passwordResetMs : LIMITS.invitationMs);
  return {
    columns: {
      setup_token_hash: sha256Hex(token),
      setup_token_expires_at: expiresAt,
      setup_token_issuer: actorOf(principal).name,
    },
    shown: {
      setup_token: token,
      setup_url: `${request.baseUrl}/invite/${token}`,
      setup_token_expires_at: expiresAt,
    },
  };
}
