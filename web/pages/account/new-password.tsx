import { z } from 'zod';

import { NewPassword } from '../../../src/features/auth/auth.contract.ts';
import { PasswordField } from '../../components/text-fields.tsx';

/** The fields of a form that asks for a password twice: `z.object({ ...PASSWORD_TWICE }).refine(...SAME_PASSWORD)`. */
export const PASSWORD_TWICE = { password: NewPassword, password_again: z.string() };
export const SAME_PASSWORD = [
  ({ password, password_again: again }: { password: string; password_again: string }) => password === again,
  {
    path: ['password_again'],
    message: 'must match the password above',
    // Even while other fields are wrong, so that everything to correct is said at once.
    when: () => true,
  },
] as const satisfies Parameters<z.ZodType<{ password: string; password_again: string }>['refine']>;

export function NewPasswordFields({ autoFocus = false }: { autoFocus?: boolean }) {
  return (
    <>
      <PasswordField name="password" label="Password" autoComplete="new-password" strength autoFocus={autoFocus} />
      <PasswordField name="password_again" label="Repeat password" autoComplete="new-password" />
    </>
  );
}
