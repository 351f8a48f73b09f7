import { text } from '../../contract/common.ts';
import { hasPasswordLength } from '../../kernel/credentials.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** A password to be checked: any text, because what is too long is wrong like any other (contract 20.6). */
export const Password = text(LIMITS.jsonBodyBytes);

/** A password to be set. That it is not a common one and not the identifier is for `checkPassword`. */
export const NewPassword = text(LIMITS.jsonBodyBytes)
  .refine(hasPasswordLength, `must have ${LIMITS.passwordMinChars} to ${LIMITS.passwordMaxChars} characters`)
  .meta({ minLength: LIMITS.passwordMinChars, maxLength: LIMITS.passwordMaxChars });
