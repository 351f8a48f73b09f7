import { z } from 'zod';

import { Instant, text } from '../../contract/common.ts';
import { hasPasswordLength } from '../../kernel/credentials.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { LoginMethod, User } from '../users/users.contract.ts';

/** A password to be checked: any text, because what is too long is wrong like any other (contract 20.6). */
export const Password = text(LIMITS.jsonBodyBytes);

/** A password to be set. That it is not a common one and not the identifier is for `checkPassword`. */
export const NewPassword = text(LIMITS.jsonBodyBytes)
  .refine(hasPasswordLength, `must have ${LIMITS.passwordMinChars} to ${LIMITS.passwordMaxChars} characters`)
  .meta({ minLength: LIMITS.passwordMinChars, maxLength: LIMITS.passwordMaxChars });

/** Whether a browser is to stay signed in after it is closed. */
export const Remember = z.boolean().default(false);

/** Who is signed in, and until when; all is null for a browser that is not (contract 20.6). */
export const SessionAnswer = z
  .object({
    authenticated: z.boolean(),
    first_run: z.boolean(),
    login: LoginMethod.nullable(),
    user: User.nullable(),
    scope: z.enum(['read_only', 'full_access']).nullable(),
    expires_at: Instant.nullable(),
    idle_expires_at: Instant.nullable(),
  })
  .meta({ id: 'SessionAnswer' });
