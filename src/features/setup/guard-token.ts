import { AppError } from '../../kernel/errors.ts';
import { browserOf, logAttempt } from '../auth/index.ts';
import type { BackgroundContext } from '../handler.ts';

/**
 * Judges a token that somebody sent, on the throttle of their address (contract 20.14): guessing is given up soon.
 * @throws RATE_LIMITED
 */
export async function guardToken(
  { instance, request }: Pick<BackgroundContext, 'instance' | 'request'>,
  judge: () => Promise<boolean>,
): Promise<boolean> {
  const isGood = await instance.signInThrottle.guard({ address: browserOf(request).address, identifier: null }, judge);
  if (!isGood) logAttempt(instance, request, undefined, 'A setup token was refused.');
  return isGood;
}

/** For a first-run token: a restart makes a new one. */
export function invalidFirstRunToken(): AppError {
  return new AppError(
    'INVALID_SETUP_TOKEN',
    'The setup link is wrong or older than a day. Use the link that Homeledger printed when it last started, or restart it to get a new one.',
  );
}

/** For the link of an invitation or reset. Unknown, used, replaced and expired ones are not told apart. */
export function invalidInvitation(): AppError {
  return new AppError(
    'INVALID_SETUP_TOKEN',
    'This link is not valid: it has been used or replaced, or has expired. If you have already set your password, sign in. Otherwise, ask an admin of your household for a new link.',
  );
}

export function alreadySetUp(): AppError {
  return new AppError(
    'ALREADY_SET_UP',
    'The household is already set up. Sign in, or ask an admin for an invitation link.',
  );
}
